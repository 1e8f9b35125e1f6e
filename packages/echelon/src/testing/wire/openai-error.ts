import type { JsonObject } from '../../core/value/json.ts'
import type { ServerStatus } from './script.ts'

/** The error body of OpenAI's interfaces. */
export function openaiError({
  status,
  message = `status ${status}`,
  code,
}: ServerStatus): JsonObject {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { message, type, param: null, code: code ?? null } }
}
