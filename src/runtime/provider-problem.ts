import { isRecord } from '../core/json.ts'
import type { NormalizeError } from '../core/model.ts'
import type { Problem, ProblemCode } from '../core/problem.ts'
import { codeOfDetails, codeOfWords, waitOfDetails } from './provider-words.ts'

/**
 * What a model provider threw, as a problem that agents and retries can decide on. Reads the shape
 * of the AI SDK's `APICallError` rather than its class, so that two copies of the package, or an
 * error that crossed a wire, are understood alike.
 */
export function toProblem(error: unknown, attempts: number, _normalize?: NormalizeError): Problem {
  const { code, retryable } = classify(error)
  const wait = retryAfterMs(error)
  return {
    code,
    message: messageOf(error),
    retryable,
    attempts,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

/** Whether a server answered with an error status. */
export const isRejection = (error: unknown): boolean => statusOf(error) >= 400

/** Whether a server refused the request, so that it did nothing for it. */
export const isRefusal = (error: unknown): boolean => isRejection(error) && statusOf(error) < 500

function statusOf(error: unknown): number {
  const status = isRecord(error) ? error['statusCode'] : undefined
  return typeof status === 'number' ? status : 0
}

/** A provider's own words for a cause, which its status code alone does not tell. */
const PROVIDER_CODES: Readonly<Record<string, ProblemCode>> = {
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  model_not_found: 'not-found',
  context_length_exceeded: 'context-length',
  invalid_api_key: 'auth',
  content_filter: 'content-filter',
  rate_limit_exceeded: 'rate-limit',
  // A word of a provider of ours: it asked where nobody listens, and knows now where to ask.
  interface_switched: 'unavailable',
  // Types rather than codes: all that an error inside a stream may have.
  rate_limit_error: 'rate-limit',
  server_error: 'unavailable',
  api_error: 'unavailable',
  overloaded_error: 'unavailable',
  timeout_error: 'timeout',
  billing_error: 'quota',
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

function classify(error: unknown): { readonly code: ProblemCode; readonly retryable: boolean } {
  const code = codeOf(error)
  // A provider may say of an unknown failure that it is worth another try; of a known one we know.
  const worthIt = code === 'unknown' && isRecord(error) && error['isRetryable'] === true
  return { code, retryable: RETRYABLE.has(code) || worthIt }
}

function codeOf(error: unknown): ProblemCode {
  if (!isRecord(error)) return 'unknown'
  if (error['name'] === 'AbortError') return 'aborted'
  if (error['name'] === 'TimeoutError') return 'timeout'
  const own = providerWords(error)
  if (own !== undefined) return own.code
  const status = error['statusCode']
  // A success in name whose body broke off, or is no answer, failed on the way.
  const isCut = typeof status === 'number' && status < 300
  if (typeof status === 'number' && !isCut) {
    return STATUS_CODES[status] ?? (status >= 500 ? 'unavailable' : 'unknown')
  }
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

/** What the provider itself said, as far as it is a cause that we know. */
interface ProviderWords {
  readonly code: ProblemCode
  readonly message: string | undefined
}

function providerWords(error: Readonly<Record<string, unknown>>): ProviderWords | undefined {
  for (const said of placesOf(error)) {
    const code = knownCode(said) ?? codeOfDetails(said)
    if (code !== undefined) return { code, message: sentenceOf(said) }
  }
  if (!isRefusal(error)) return undefined
  // Prose is read last, and only where the server refused: what fails may say anything.
  for (const message of placesOf(error).map(sentenceOf)) {
    const code = message === undefined ? undefined : codeOfWords(message)
    if (code !== undefined) return { code, message }
  }
  return undefined
}

/** What people may read; a few servers have no object around it. */
const sentenceOf = ({ message, error }: Readonly<Record<string, unknown>>): string | undefined =>
  [message, error].find((one): one is string => typeof one === 'string' && one !== '')

function knownCode(said: Readonly<Record<string, unknown>>): ProblemCode | undefined {
  for (const field of ['code', 'type']) {
    const code = said[field]
    if (typeof code === 'string' && Object.hasOwn(PROVIDER_CODES, code)) return PROVIDER_CODES[code]
  }
  return undefined
}

/** Where an SDK may put it: what it read of the error, the body that it could not read. */
const placesOf = (
  error: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] =>
  [error['data'], asJson(error['responseBody']), error].map(innermost)

/** An error may lie in an object of its own, and that one in an answer that failed. */
function innermost(place: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(place)) return {}
  const answer = isRecord(place['response']) ? place['response'] : place
  return isRecord(answer['error']) ? answer['error'] : place
}

function asJson(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** `retry-after-ms`, else `retry-after` in seconds, else what the body says; dates are the providers' to reckon. */
function retryAfterMs(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined
  const headers = isRecord(error['responseHeaders']) ? error['responseHeaders'] : {}
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000
  return placesOf(error)
    .map(waitOfDetails)
    .find((wait) => wait !== undefined)
}

/** A status alone says little: what the body says of it comes first. */
function messageOf(error: unknown): string {
  if (!isRecord(error)) return typeof error === 'string' && error !== '' ? error : NO_REASON
  if (isUnanswered(error)) return `nothing answers at ${addressOf(error)}; is the server running?`
  const inBody = isRejection(error) ? placesOf(error).map(sentenceOf) : []
  const all = [providerWords(error)?.message, ...inBody, sentenceOf(error)]
  return all.find((sentence) => sentence !== undefined) ?? NO_REASON
}

const NO_REASON = 'the provider gave no reason'
