/** The successors of each place, by index. */
export type Graph = readonly (readonly number[])[]

/** A topological order of the places; those on or behind cycles are missing. */
function sorted(next: Graph): readonly number[] {
  const arrows = Array.from(next, () => 0)
  for (const successors of next) {
    for (const to of successors) arrows[to] = (arrows[to] ?? 0) + 1
  }
  const order = [...next.keys()].filter((place) => arrows[place] === 0)
  // The list grows during the loop.
  for (const from of order) {
    for (const to of next[from] ?? []) {
      arrows[to] = (arrows[to] ?? 0) - 1
      if (arrows[to] === 0) order.push(to)
    }
  }
  return order
}

/** The length of the longest path through a graph; undefined if it has a cycle. */
export function longestPath(next: Graph): number | undefined {
  const order = sorted(next)
  if (order.length < next.length) return undefined
  const depth = Array.from(next, () => 0)
  let longest = 0
  for (const from of order) {
    const here = depth[from] ?? 0
    longest = Math.max(longest, here)
    for (const to of next[from] ?? []) depth[to] = Math.max(depth[to] ?? 0, here + 1)
  }
  return longest
}

/**
 * The places of a short cycle, without repeating the first one; undefined if there is none. Places
 * are numbered by their distance from the start, so the first place on a cycle is nearest to it.
 */
export function circleIn(
  next: Graph,
  counts: (from: number, nth: number) => boolean = () => true,
): readonly number[] | undefined {
  const own = next.map((to, from) => to.filter((_, nth) => counts(from, nth)))
  const rest = new Set(own.keys())
  for (const place of sorted(own)) rest.delete(place)
  for (const place of rest) {
    const way = wayBack(own, place)
    if (way !== undefined) return way
  }
  return undefined
}

/** A shortest path from a place back to itself. */
function wayBack(next: Graph, start: number): readonly number[] | undefined {
  const before = new Map<number, number>()
  const open = [start]
  for (const from of open) {
    for (const to of next[from] ?? []) {
      if (to === start) return trail(before, start, from)
      if (before.has(to)) continue
      before.set(to, from)
      open.push(to)
    }
  }
  return undefined
}

function trail(before: ReadonlyMap<number, number>, start: number, last: number): number[] {
  const way: number[] = []
  for (let at = last; at !== start; at = before.get(at) ?? start) way.unshift(at)
  return [start, ...way]
}
