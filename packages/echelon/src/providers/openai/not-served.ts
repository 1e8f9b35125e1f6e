import { APICallError } from '@ai-sdk/provider'
import { isRecord } from '../../core/value/json.ts'
import type { SpokenApi } from './models.ts'

/**
 * Whether a server reports that it lacks this interface, in general or for this model: the path was
 * not found, rather than the model. Servers of open models say that only in the message.
 */
export function isNotServed(error: unknown): error is APICallError {
  if (!APICallError.isInstance(error)) return false
  const { statusCode = 0, message } = error
  if (NAMES_INTERFACE.test(message)) return statusCode === 400 || statusCode === 404
  if (statusCode !== 404 && statusCode !== 405) return false
  return !saysCode(error, 'model_not_found') && !NAMES_MODEL.test(message)
}

const NAMES_INTERFACE = /\bv1\/(?:chat\/completions|completions|responses)\b/
const NAMES_MODEL = /\bmodel\b.*(?:not found|does not exist)/i

function saysCode({ data }: APICallError, code: string): boolean {
  return isRecord(data) && isRecord(data['error']) && data['error']['code'] === code
}

/** An attempt through an interface, and what is left to try. */
interface Attempted {
  readonly modelId: string
  /** The interface that the server does not serve. */
  readonly api: SpokenApi
  /** The interface for later calls, if one is left. */
  readonly next: SpokenApi | undefined
  /** All guesses that are not served; empty when the interface was set or has answered before. */
  readonly tried: readonly SpokenApi[]
}

/** Our own error code among the providers': the runtime retries it. */
const SWITCHED = 'interface_switched'

/** The same error with a message that says what to do; retryable if another interface is left. */
export function notServed(error: APICallError, attempted: Attempted): APICallError {
  const { next } = attempted
  const message = sentence(error, attempted)
  // The body's error takes precedence over the message, so our message is set there too.
  const body = isRecord(error.data) && isRecord(error.data['error']) ? error.data['error'] : {}
  const isRetryable = next !== undefined
  return new APICallError({
    message,
    url: error.url,
    requestBodyValues: {},
    cause: error,
    statusCode: error.statusCode ?? 404,
    isRetryable,
    data: { error: { ...body, message, ...(isRetryable ? { code: SWITCHED } : {}) } },
  })
}

function sentence(error: APICallError, { modelId, api, next, tried }: Attempted): string {
  const status = `status ${error.statusCode}: ${error.message}`
  if (next !== undefined) {
    return `${modelId} is not served through ${NAMES[api]} here (${status}); later calls use ${NAMES[next]}`
  }
  if (tried.length > 1) {
    const all = tried.map((one) => NAMES[one]).join(' nor through ')
    return `${modelId} is served neither through ${all} here (${status}); check the base URL and the model`
  }
  const others = Object.keys(NAMES).filter((name) => name !== api)
  return `${modelId} is not served through ${NAMES[api]} here (${status}); set api to ${others.join(' or ')}`
}

const NAMES: Readonly<Record<SpokenApi, string>> = {
  chat: 'chat completions',
  responses: 'responses',
  completions: 'completions',
}
