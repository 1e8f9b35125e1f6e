/** Random choices that a seed repeats. */
export interface Draw {
  /** A whole number, both ends included. */
  readonly int: (from: number, to: number) => number
  readonly pick: <One>(list: readonly One[]) => One
  /** `count` different ones, in a random order. */
  readonly some: <One>(list: readonly One[], count: number) => readonly One[]
  /** Different whole numbers, both ends included, in a random order. */
  readonly ints: (count: number, from: number, to: number) => readonly number[]
  readonly chance: (share: number) => boolean
}

/** The choices of one seed: the wording, and its numbers. */
export interface Seeds {
  readonly wording: readonly number[]
  readonly numbers: readonly number[]
}

/** Wording and numbers have separate streams, so that one can change without the other. */
export function drawFrom({ wording, numbers }: Seeds): Draw {
  const [choice, number] = [stream(wording), stream(numbers)]
  const place = (count: number): number => Math.floor(choice() * count)
  const int = (from: number, to: number): number => from + Math.floor(number() * (to - from + 1))
  const pick = <One>(list: readonly One[]): One => {
    const one = list[place(list.length)]
    if (one === undefined) throw new RangeError('there is nothing to pick from')
    return one
  }
  const some = <One>(list: readonly One[], count: number): readonly One[] => {
    if (count > list.length) throw new RangeError(`there are fewer than ${count} to pick from`)
    const rest = [...list]
    return Array.from({ length: count }, () => rest.splice(place(rest.length), 1)).flat()
  }
  const ints = (count: number, from: number, to: number): readonly number[] => {
    const found = new Set<number>()
    while (found.size < count) found.add(int(from, to))
    return [...found]
  }
  return { int, pick, some, ints, chance: (share) => choice() < share }
}

/** Mulberry32, with a seed mixed from several numbers. */
function stream(seeds: readonly number[]): () => number {
  let state = seeds.reduce((mixed, seed) => mix(mixed ^ mix(seed + 0x9e3779b9)), 0x2545f491)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return mix(state) / 2 ** 32
  }
}

function mix(seed: number): number {
  let t = seed | 0
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return (t ^ (t >>> 14)) >>> 0
}
