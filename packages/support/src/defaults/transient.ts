import { isRecord } from 'echelon/internal/value'
import { ToolError } from 'echelon/internal/tool'

/** Error codes of a network or an overloaded server: Node's, and undici's. */
const OF_THE_NETWORK =
  /^(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EPIPE|EAI_AGAIN|ENETDOWN|ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT))$/

const SQLITE_BUSY = 5

/** Whether an error may pass: a network failure, or a busy resource. */
export function isTransient(error: unknown, depth = 4): boolean {
  if (error instanceof ToolError) return error.code === 'NET_TIMEOUT' || error.code === 'RATE_LIMIT'
  if (!(error instanceof Error) || depth === 0) return false
  if (error.name === 'TimeoutError') return true
  const told: object = error
  const { code, errcode } = isRecord(told) ? told : {}
  if (OF_THE_NETWORK.test(String(code)) || errcode === SQLITE_BUSY) return true
  // The error of `fetch` itself says nothing; its cause does.
  return isTransient(error.cause, depth - 1)
}
