import { bodiesOf, isRefusal, sentenceIn, statusOf } from '../../core/model/error-body.ts'
import { isRecord } from '../../core/value/json.ts'
import type { ErrorMeaning, NormalizeError } from '../../core/model/model.ts'
import type { Problem, ProblemCode } from '../../core/model/problem.ts'
import { inOneLine, unusableAnswer } from './unusable-answer.ts'

export { isRefusal }

/**
 * Converts a provider's error to a problem that agents and retries can act on.
 *
 * @param normalize the provider's own interpretation, asked first; the general rules (error names,
 * status codes, broken connections) fill in the rest
 */
export function toProblem(error: unknown, attempts: number, normalize?: NormalizeError): Problem {
  const given = abortCode(error)
  const unusable = isRejection(error) ? undefined : unusableAnswer(error)
  const own = given === undefined ? normalize?.(error) : undefined
  // The error may be nested in an answer of another form; the provider's own words come first.
  if (given === undefined && unusable !== undefined && (unusable.isFinal || own === undefined)) {
    const { why, isFinal } = unusable
    return { code: 'unavailable', message: why, retryable: !isFinal, attempts }
  }
  const code = given ?? own?.type ?? codeOf(error)
  const wait = retryAfterMs(error) ?? own?.retryAfterMs
  return {
    code,
    message: shortened(messageOf(error, own)),
    retryable: isRetryable(error, code),
    attempts,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

/** Whether a server answered with an error status. */
export const isRejection = (error: unknown): boolean => statusOf(error) >= 400

/**
 * Whether the request cannot have reached a server: it was not written, or no connection was made. Only errors
 * of a provider's own request count: anything else that a model does internally may have cost something
 * before its connection failed.
 */
export function wasNeverSent(error: unknown): boolean {
  if (!isRecord(error) || statusOf(error) !== 0) return false
  if (UNWRITTEN.has(error['name'])) return true
  const isRequest = error['name'] === 'AI_APICallError' || error['message'] === 'fetch failed'
  return isRequest && causesOf(error).some(isUnconnected)
}

/** The AI SDK's names for a request that it does not send at all. */
const UNWRITTEN: ReadonlySet<unknown> = new Set([
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_UnsupportedFunctionalityError',
])

/** Errors before a connection exists: name, port, certificate. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_SSL_WRONG_VERSION_NUMBER)$/

function isUnconnected({ code, syscall }: Readonly<Record<string, unknown>>): boolean {
  if (typeof code !== 'string') return false
  return NO_CONNECTION.test(code) || syscall === 'connect' || syscall === 'getaddrinfo'
}

const MOST_CAUSES = 5

/** The error and its causes, outermost first. */
function causesOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  const causes: Readonly<Record<string, unknown>>[] = []
  for (let one = error; isRecord(one) && causes.length < MOST_CAUSES; one = one['cause']) {
    causes.push(one)
  }
  return causes
}

const STATUS_CODES: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid-request',
  401: 'auth',
  402: 'quota',
  403: 'auth',
  404: 'not-found',
  408: 'timeout',
  409: 'unavailable',
  413: 'context-length',
  422: 'invalid-request',
  429: 'rate-limit',
}

const RETRYABLE: ReadonlySet<ProblemCode> = new Set(['rate-limit', 'timeout', 'unavailable'])

/** A provider may mark an unknown failure as retryable; for known ones our rules apply. */
const isRetryable = (error: unknown, code: ProblemCode): boolean =>
  RETRYABLE.has(code) || (code === 'unknown' && isRecord(error) && error['isRetryable'] === true)

/** Caused by a timer or a caller, so the provider is not asked. */
function abortCode(error: unknown): ProblemCode | undefined {
  const name = isRecord(error) ? error['name'] : undefined
  if (name === 'AbortError') return 'aborted'
  return name === 'TimeoutError' ? 'timeout' : undefined
}

function codeOf(error: unknown): ProblemCode {
  if (!isRecord(error)) return 'unknown'
  // A package that looks for its key itself reports this when it is called.
  if (error['name'] === 'AI_LoadAPIKeyError') return 'auth'
  const status = statusOf(error)
  // A success status with an incomplete or invalid body failed on the way.
  if (status >= 300) return STATUS_CODES[status] ?? (status >= 500 ? 'unavailable' : 'unknown')
  // Without a status there was no answer: a refused connection, or an answer that broke off.
  return BROKEN_OFF.has(error['name']) || brokeOnTheWay(error) ? 'unavailable' : 'unknown'
}

/** The AI SDK's names for a call without an answer, and for one with a missing end. */
const BROKEN_OFF: ReadonlySet<unknown> = new Set([
  'AI_APICallError',
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
])

/** The operating system's codes for a failed connection, if a provider passes them on. */
const BROKEN_WAY =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_\w+)$/

/** `fetch` puts these codes into the cause of its own error. */
function brokeOnTheWay(error: Readonly<Record<string, unknown>>): boolean {
  return [error, error['cause']].some((one) => {
    const code = isRecord(one) ? one['code'] : undefined
    return typeof code === 'string' && BROKEN_WAY.test(code)
  })
}

/** Whether no server listens at the address. */
const isUnanswered = (error: Readonly<Record<string, unknown>>): boolean =>
  [error, error['cause']].some((one) => isRecord(one) && one['code'] === 'ECONNREFUSED')

/** The address of the request without possible secrets: credentials, path and query. */
function addressOf({ url }: Readonly<Record<string, unknown>>): string {
  const known = typeof url === 'string' ? URL.parse(url) : null
  return known === null ? 'its address' : known.origin
}

/** `retry-after-ms`, else `retry-after` in seconds; dates are left to the providers. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined
  const headers = isRecord(error['responseHeaders']) ? error['responseHeaders'] : {}
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** A status alone says little, so the body is read first. */
function messageOf(error: unknown, own: ErrorMeaning | undefined): string {
  if (!isRecord(error)) return typeof error === 'string' && error !== '' ? error : NO_REASON
  if (isUnanswered(error)) return `nothing answers at ${addressOf(error)}; is the server running?`
  const inBody = isRejection(error) ? bodiesOf(error).map(sentenceIn) : []
  const all = [own?.message, ...inBody, sentenceIn(error)]
  return all.find((sentence) => sentence !== undefined && sentence !== '') ?? NO_REASON
}

/** In UTF-16 units: a server's message may be a page or a megabyte. */
const LONGEST_MESSAGE = 2000

/** Cut between two words: half a secret would not be recognized. */
function shortened(message: string): string {
  const line = inOneLine(message.slice(0, 2 * LONGEST_MESSAGE))
  if (line.length <= LONGEST_MESSAGE && message.length <= 2 * LONGEST_MESSAGE)
    return line || NO_REASON
  const end = line.lastIndexOf(' ', LONGEST_MESSAGE)
  return end > 0 ? `${line.slice(0, end)} …` : NO_REASON
}

const NO_REASON = 'the provider gave no reason'
