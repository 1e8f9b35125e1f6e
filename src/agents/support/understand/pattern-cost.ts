/**
 * In how many ways a regular expression can match from one place on, at most: what a search that fails has
 * to try. Infinite for what this does not know how to count, such as references to earlier groups, so that
 * a low figure is a promise. `text` is how long the text may be.
 */
export function waysToMatch(pattern: string, text: number): number {
  const at = { pattern, position: 0, text }
  const ways = alternatives(at)
  return at.position < pattern.length ? Infinity : ways
}

interface Cursor {
  readonly pattern: string
  position: number
  readonly text: number
}

/** One of several: each is tried. */
function alternatives(at: Cursor): number {
  let ways = sequence(at)
  while (at.pattern[at.position] === '|') {
    at.position++
    ways += sequence(at)
  }
  return ways
}

/** One after another: each way of the first with each of the next. */
function sequence(at: Cursor): number {
  let ways = 1
  for (;;) {
    const next = at.pattern[at.position]
    if (next === undefined || next === '|' || next === ')') return ways
    ways *= repeated(atom(at), at)
  }
}

function atom(at: Cursor): number {
  const next = at.pattern[at.position]
  if (next === '(') return group(at)
  if (next === '[') {
    const [set] = /^\[(?:\\.|[^\]\\])*\]/u.exec(at.pattern.slice(at.position)) ?? []
    at.position += set?.length ?? 1
    return set === undefined ? Infinity : 1
  }
  if (next === '\\') {
    const [escape = '\\'] =
      /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/u.exec(at.pattern.slice(at.position)) ?? []
    at.position += escape.length
    return /^\\[1-9k]/.test(escape) ? Infinity : 1
  }
  at.position++
  return 1
}

function group(at: Cursor): number {
  const [open = '('] = /^\((?:\?(?::|<?[=!]|<[^=!>]+>))?/u.exec(at.pattern.slice(at.position)) ?? []
  at.position += open.length
  const ways = alternatives(at)
  if (at.pattern[at.position] !== ')') return Infinity
  at.position++
  return ways
}

/** How the ways multiply when what comes before is repeated. */
function repeated(ways: number, at: Cursor): number {
  const [quantifier, , least, comma, most] =
    /^(?:[*+?]|(\{(\d+)(,?)(\d*)\}))\??/u.exec(at.pattern.slice(at.position)) ?? []
  if (quantifier === undefined) return ways
  at.position += quantifier.length
  const [from, to] = boundsOf(quantifier, { least, comma, most, text: at.text })
  if (ways === 1) return to - from + 1
  let sum = 0
  for (let times = from; times <= to && sum < Number.MAX_SAFE_INTEGER; times++) sum += ways ** times
  return sum
}

interface Written {
  readonly least: string | undefined
  readonly comma: string | undefined
  readonly most: string | undefined
  readonly text: number
}

function boundsOf(quantifier: string, written: Written): readonly [number, number] {
  const { least, comma, most, text } = written
  if (quantifier.startsWith('?')) return [0, 1]
  if (quantifier.startsWith('*')) return [0, text]
  if (quantifier.startsWith('+')) return [1, text]
  const from = Number(least)
  if (comma !== ',') return [from, from]
  return [from, most === undefined || most === '' ? text : Number(most)]
}
