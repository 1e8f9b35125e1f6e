/**
 * The maximum number of ways in which a regular expression can match from one position, all of which
 * a failing search has to try. Infinite for syntax that it can't count, such as backreferences, so that
 * a low result is reliable. `text` is the maximum length of the text.
 */
export function waysToMatch(pattern: string, text: number): number {
  if (pattern.length > LONGEST) return Infinity
  const at = { pattern, position: 0, text }
  const ways = alternatives(at)
  return at.position < pattern.length ? Infinity : ways
}

/** Longer patterns are not counted: nested groups would overflow the stack. */
const LONGEST = 2000

interface Cursor {
  readonly pattern: string
  position: number
  readonly text: number
}

/** Alternatives: each is tried. */
function alternatives(at: Cursor): number {
  let ways = sequence(at)
  while (at.pattern[at.position] === '|') {
    at.position++
    ways += sequence(at)
  }
  return ways
}

/** A sequence: each way of the first with each way of the next. */
function sequence(at: Cursor): number {
  let ways = 1
  for (;;) {
    const next = at.pattern[at.position]
    if (next === undefined || next === '|' || next === ')') return ways
    const from = at.position
    const each = atom(at)
    ways *= repeated(each, { from, at })
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

/** The number of ways to match a repeated part. */
function repeated(
  ways: number,
  { from, at }: { readonly from: number; readonly at: Cursor },
): number {
  const [quantifier, , least, comma, most] =
    /^(?:[*+?]|(\{(\d+)(,?)(\d*)\}))\??/u.exec(at.pattern.slice(at.position)) ?? []
  if (quantifier === undefined) return ways
  const atom = at.pattern.slice(from, at.position)
  at.position += quantifier.length
  // Its separators are fixed, so that only its end is open.
  if (ways > 1 && isSeparated(atom)) return at.text + 1
  const [fewest, to] = boundsOf(quantifier, { least, comma, most, text: at.text })
  if (ways === 1) return to - fewest + 1
  let sum = 0
  for (let times = fewest; times <= to && sum < Number.MAX_SAFE_INTEGER; times++)
    sum += ways ** times
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

const TOKEN =
  /(?<one>\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|[^()|\\[\]*+?{}])(?<many>(?:[*+?]|\{\d+,?\d*\})\??)?/uy

/**
 * Whether a repeated group can match a text in only one way: it begins or ends with a character that
 * nothing else in it matches, as in `(?:-[a-z]+)*` and `(?:[a-z]+\.)+`, and repeats at most one thing.
 */
function isSeparated(group: string): boolean {
  const [, body] = /^\((?:\?(?::|<[^=!>]+>))?(.*)\)$/su.exec(group) ?? []
  if (body === undefined) return false
  const tokens: { readonly one: string; readonly many: string | undefined }[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < body.length; at = TOKEN.lastIndex) {
    const { one, many } = TOKEN.exec(body)?.groups ?? {}
    if (one === undefined) return false
    tokens.push({ one, many })
  }
  if (tokens.filter(({ many }) => many !== undefined).length > 1) return false
  return [0, tokens.length - 1].some((place) => {
    const { one = '', many } = tokens[place] ?? {}
    const sign = /^\\?([^\p{L}\p{N}\s\\.^$])$|^\\([.^$])$/u.exec(one)
    const written = sign?.[1] ?? sign?.[2]
    if (written === undefined || many !== undefined) return false
    return tokens.every((other, index) => index === place || !matches(other.one, written))
  })
}

/** A token that can't be compiled may match anything. */
function matches(token: string, sign: string): boolean {
  try {
    return new RegExp(`^(?:${token})$`, 'iu').test(sign)
  } catch {
    return true
  }
}
