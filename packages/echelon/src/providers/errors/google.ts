import { type ErrorBody, sentenceIn } from '../../core/model/error-body.ts'
import { isRecord } from '../../core/value/json.ts'
import type { NormalizeError } from '../../core/model/model.ts'
import type { ProblemCode } from '../../core/model/problem.ts'
import { errorNormalizer } from './normalize.ts'

/** Normalizes Google's errors. */
export const normalizeGoogleError: NormalizeError = errorNormalizer({
  causes: {
    UNAUTHENTICATED: 'auth',
    PERMISSION_DENIED: 'auth',
    NOT_FOUND: 'not-found',
    DEADLINE_EXCEEDED: 'timeout',
    RESOURCE_EXHAUSTED: 'rate-limit',
    INTERNAL: 'unavailable',
    UNAVAILABLE: 'unavailable',
  },
  prose: [
    [/\binput token count\b.*\bexceeds the maximum number of tokens\b/i, 'context-length'],
    [/\bAPI key not valid\b|\bAPI key expired\b/i, 'auth'],
  ],
  causeIn: usedUp,
  waitIn: askedWait,
})

/**
 * Long-lasting causes that share a code with rate limits: a daily quota, for which Google also
 * states a wait in seconds, or prepaid credit that is used up.
 */
function usedUp(body: ErrorBody): ProblemCode | undefined {
  const isOfDays = detailsOf(body)
    .flatMap(({ violations }) => (Array.isArray(violations) ? violations : []))
    .some((one) => isRecord(one) && /PerDay|PerMonth/.test(String(one['quotaId'])))
  return isOfDays || /\bcredits are depleted\b/i.test(sentenceIn(body) ?? '') ? 'quota' : undefined
}

/** Google sends the wait in the body, not in a header. */
function askedWait(body: ErrorBody): number | undefined {
  const delay = detailsOf(body).find(({ retryDelay }) => retryDelay !== undefined)?.['retryDelay']
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(delay))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function detailsOf({ details }: ErrorBody) {
  return Array.isArray(details) ? details.filter((one: unknown) => isRecord(one)) : []
}
