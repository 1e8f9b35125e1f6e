import { waysToMatch } from 'echelon/internal/schema'

/** Patterns are written by people, for words. */
const MOST_CHARACTERS = 300
/** Patterns are matched against windows of this many characters. */
export const WINDOW = 1_000
/** Ways in which a pattern may try to match at one position. */
const MOST_WAYS = 10_000

/** The problem with an intent's pattern, as a clause; `null` if it is valid. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MOST_CHARACTERS) {
    return `the pattern has more than ${MOST_CHARACTERS} characters; write several shorter ones`
  }
  try {
    if (new RegExp(pattern, 'iu').test('')) {
      return 'the pattern matches nothing at all; make it match words'
    }
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, '') : String(error)
    return `the pattern is not a regular expression (${why})`
  }
  return costProblem(pattern)
}

const SLOW = 'which may take forever on some text; repeat single words, with a limit such as {0,5}'

interface Group {
  repeats: boolean
  branches: boolean
}

/** Whether some text would keep it busy. The pattern is read token by token; a set or an escape is one token. */
function costProblem(pattern: string): string | null {
  const tokens = pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./gsu) ?? []
  const open: Group[] = [{ repeats: false, branches: false }]
  let closed: Group | undefined
  let ways = 1
  for (const token of tokens) {
    if (/^\\[1-9k]/u.test(token)) return `the pattern refers to what it matched, ${SLOW}`
    const most = mostOf(token)
    if (most !== null) {
      if (most > 1 && closed?.repeats === true) return `the pattern repeats what repeats, ${SLOW}`
      if (most > 1 && closed?.branches === true) return `the pattern repeats a choice, ${SLOW}`
      ways *= most + 1
      const inside = open.at(-1)
      if (inside !== undefined && most > 1) inside.repeats = true
    }
    closed = undefined
    if (token === '(') open.push({ repeats: false, branches: false })
    if (token === '|') for (const group of open.slice(-1)) group.branches = true
    if (token === ')') {
      closed = open.pop()
      const around = open.at(-1)
      if (around !== undefined && closed !== undefined) {
        around.repeats ||= closed.repeats
        around.branches ||= closed.branches
      }
    }
  }
  // Counted in two ways, since neither catches everything.
  return Math.max(ways, waysToMatch(pattern, WINDOW)) > MOST_WAYS
    ? `the pattern repeats too much, ${SLOW}`
    : null
}

/** The maximum of a repetition; `null` if the token is not one. */
function mostOf(token: string): number | null {
  if (token === '*' || token === '+') return WINDOW
  if (token === '?') return 1
  const [, least, comma, most] = /^\{(\d+)(?:(,)(\d*))?\}$/u.exec(token) ?? []
  if (least === undefined) return null
  if (comma === undefined) return Number(least)
  return most === undefined || most === '' ? WINDOW : Number(most)
}
