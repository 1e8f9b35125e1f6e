import { isRecord } from '../core/json.ts'
import type { ProblemCode } from '../core/problem.ts'

/** What a provider says in prose, under a code of its own that stands for much else, too. */
const WORDS: readonly (readonly [words: RegExp, code: ProblemCode])[] = [
  // Anthropic, Google, then servers of open models.
  [/\bprompt is too long\b|\bexceed context limit\b/i, 'context-length'],
  [/\binput token count\b.*\bexceeds the maximum number of tokens\b/i, 'context-length'],
  [/\bmaximum (?:context|prompt) length\b|\bavailable context size\b/i, 'context-length'],
  [/\bcredit balance is too low\b|\b(?:prepayment )?credits are depleted\b/i, 'quota'],
  [/\bAPI key not valid\b|\bAPI key expired\b/i, 'auth'],
]

/** A cause that only the message tells; for requests that were refused, since prose is prose. */
export const codeOfWords = (message: string): ProblemCode | undefined =>
  WORDS.find(([words]) => words.test(message))?.[1]

/**
 * The limit that was reached, as Google tells it: one of a day is used up, and asking again soon
 * does not help, though Google says for how many seconds to wait.
 */
export const codeOfDetails = (error: Readonly<Record<string, unknown>>): ProblemCode | undefined =>
  detailsOf(error)
    .flatMap(({ violations }) => (Array.isArray(violations) ? violations : []))
    .some((one) => isRecord(one) && /PerDay|PerMonth/.test(String(one['quotaId'])))
    ? 'quota'
    : undefined

/** How long Google asks to wait, in milliseconds: it has no header for it. */
export function waitOfDetails(error: Readonly<Record<string, unknown>>): number | undefined {
  const delay = detailsOf(error).find(({ retryDelay }) => retryDelay !== undefined)?.['retryDelay']
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(delay))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function detailsOf({ details }: Readonly<Record<string, unknown>>) {
  return Array.isArray(details) ? details.filter((one: unknown) => isRecord(one)) : []
}
