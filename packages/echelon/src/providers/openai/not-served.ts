import { APICallError } from '@ai-sdk/provider'
import { isRecord } from '../../core/value/json.ts'
import type { SpokenApi } from './models.ts'

/**
 * Whether a server says that it has no such interface, or none for this model: a path that is not
 * found, unless it is the model that is not found. Servers of open models say that in words alone.
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

/** What was tried for a model, and what is left. */
interface Attempted {
  readonly modelId: string
  /** The interface that the server does not serve. */
  readonly api: SpokenApi
  /** What is spoken from now on, if there is something left. */
  readonly next: SpokenApi | undefined
  /** All that was guessed and is not served; nothing where the interface was set or has answered. */
  readonly tried: readonly SpokenApi[]
}

/** A word of ours among the providers': the runtime tries again what failed for this cause. */
const SWITCHED = 'interface_switched'

/** The same error in a sentence that says what to do; worth another try where something is left. */
export function notServed(error: APICallError, attempted: Attempted): APICallError {
  const { next } = attempted
  const message = sentence(error, attempted)
  // What a server says of an error comes before the message around it, so ours stands there too.
  const said = isRecord(error.data) && isRecord(error.data['error']) ? error.data['error'] : {}
  const isRetryable = next !== undefined
  return new APICallError({
    message,
    url: error.url,
    requestBodyValues: {},
    cause: error,
    statusCode: error.statusCode ?? 404,
    isRetryable,
    data: { error: { ...said, message, ...(isRetryable ? { code: SWITCHED } : {}) } },
  })
}

function sentence(error: APICallError, { modelId, api, next, tried }: Attempted): string {
  const said = `status ${error.statusCode}: ${error.message}`
  if (next !== undefined) {
    return `${modelId} is not served through ${NAMES[api]} here (${said}); from now on it is asked through ${NAMES[next]}`
  }
  if (tried.length > 1) {
    const all = tried.map((one) => NAMES[one]).join(' nor through ')
    return `${modelId} is served neither through ${all} here (${said}); check the base URL and the model`
  }
  const others = Object.keys(NAMES).filter((name) => name !== api)
  return `${modelId} is not served through ${NAMES[api]} here (${said}); set api to ${others.join(' or ')}`
}

const NAMES: Readonly<Record<SpokenApi, string>> = {
  chat: 'chat completions',
  responses: 'responses',
  completions: 'completions',
}
