import { bodiesOf, isRefusal, sentenceIn, statusOf } from '../../core/model/error-body.ts'
import { isRecord } from '../../core/value/json.ts'
import type { ErrorMeaning, NormalizeError } from '../../core/model/model.ts'
import type { Problem, ProblemCode } from '../../core/model/problem.ts'
import { inOneLine, unusableAnswer } from './unusable-answer.ts'

export { isRefusal }

/**
 * What a model provider threw, as a problem that agents and retries can decide on.
 *
 * @param normalize what the provider itself makes of it, asked first; what it leaves open is read by
 * the rules that hold for every server: names of errors, status codes, broken connections
 */
export function toProblem(error: unknown, attempts: number, normalize?: NormalizeError): Problem {
  const given = givenUp(error)
  const unusable = isRejection(error) ? undefined : unusableAnswer(error)
  const own = given === undefined ? normalize?.(error) : undefined
  // An error may hide in an answer of another form: the provider's words for it come first.
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
 * Whether no server can have seen the request: it was not written, or no connection came about.
 * Only the errors of a provider's own request count: what else a model does behind its interface may
 * have cost something before a connection of its own failed.
 */
export function wasNeverSent(error: unknown): boolean {
  if (!isRecord(error) || statusOf(error) !== 0) return false
  if (UNWRITTEN.has(error['name'])) return true
  const isRequest = error['name'] === 'AI_APICallError' || error['message'] === 'fetch failed'
  return isRequest && causesOf(error).some(isUnconnected)
}

/** The AI SDK's names for a request that it does not write at all. */
const UNWRITTEN: ReadonlySet<unknown> = new Set([
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_UnsupportedFunctionalityError',
])

/** What ends a connection before it is one: the name, the port, the certificate. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_SSL_WRONG_VERSION_NUMBER)$/

function isUnconnected({ code, syscall }: Readonly<Record<string, unknown>>): boolean {
  if (typeof code !== 'string') return false
  return NO_CONNECTION.test(code) || syscall === 'connect' || syscall === 'getaddrinfo'
}

const MOST_CAUSES = 5

/** The error and what it says it comes of, outermost first. */
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

/** A provider may say of an unknown failure that it is worth another try; of a known one we know. */
const isRetryable = (error: unknown, code: ProblemCode): boolean =>
  RETRYABLE.has(code) || (code === 'unknown' && isRecord(error) && error['isRetryable'] === true)

/** What a timer or a caller did, so that no provider has a word in it. */
function givenUp(error: unknown): ProblemCode | undefined {
  const name = isRecord(error) ? error['name'] : undefined
  if (name === 'AbortError') return 'aborted'
  return name === 'TimeoutError' ? 'timeout' : undefined
}

function codeOf(error: unknown): ProblemCode {
  if (!isRecord(error)) return 'unknown'
  // A package that looks for its key itself says so when it is called.
  if (error['name'] === 'AI_LoadAPIKeyError') return 'auth'
  const status = statusOf(error)
  // A success in name whose body broke off, or is no answer, failed on the way.
  if (status >= 300) return STATUS_CODES[status] ?? (status >= 500 ? 'unavailable' : 'unknown')
  // Without a status nothing came back: a refused connection, or an answer that broke off.
  return BROKEN_OFF.has(error['name']) || brokeOnTheWay(error) ? 'unavailable' : 'unknown'
}

/** The AI SDK's names for a call without an answer, and for one whose end is missing. */
const BROKEN_OFF: ReadonlySet<unknown> = new Set([
  'AI_APICallError',
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
])

/** The machine's words for a connection that failed, where a provider passes them on. */
const BROKEN_WAY =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_\w+)$/

/** `fetch` puts those words into the cause of its own error. */
function brokeOnTheWay(error: Readonly<Record<string, unknown>>): boolean {
  return [error, error['cause']].some((one) => {
    const code = isRecord(one) ? one['code'] : undefined
    return typeof code === 'string' && BROKEN_WAY.test(code)
  })
}

/** Whether nobody listens where the request went. */
const isUnanswered = (error: Readonly<Record<string, unknown>>): boolean =>
  [error, error['cause']].some((one) => isRecord(one) && one['code'] === 'ECONNREFUSED')

/** Where the request went, without what may be secret: credentials, path and query. */
function addressOf({ url }: Readonly<Record<string, unknown>>): string {
  const known = typeof url === 'string' ? URL.parse(url) : null
  return known === null ? 'its address' : known.origin
}

/** `retry-after-ms`, else `retry-after` in seconds; dates are the providers' to reckon. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined
  const headers = isRecord(error['responseHeaders']) ? error['responseHeaders'] : {}
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** A status alone says little: what the body says of it comes first. */
function messageOf(error: unknown, own: ErrorMeaning | undefined): string {
  if (!isRecord(error)) return typeof error === 'string' && error !== '' ? error : NO_REASON
  if (isUnanswered(error)) return `nothing answers at ${addressOf(error)}; is the server running?`
  const inBody = isRejection(error) ? bodiesOf(error).map(sentenceIn) : []
  const all = [own?.message, ...inBody, sentenceIn(error)]
  return all.find((sentence) => sentence !== undefined && sentence !== '') ?? NO_REASON
}

/** In UTF-16 units: what a server says may be a page, or a megabyte. */
const LONGEST_MESSAGE = 2000

/** Cut between two words: half a secret would not be recognized as one. */
function shortened(message: string): string {
  const line = inOneLine(message.slice(0, 2 * LONGEST_MESSAGE))
  if (line.length <= LONGEST_MESSAGE && message.length <= 2 * LONGEST_MESSAGE)
    return line || NO_REASON
  const end = line.lastIndexOf(' ', LONGEST_MESSAGE)
  return end > 0 ? `${line.slice(0, end)} …` : NO_REASON
}

const NO_REASON = 'the provider gave no reason'
