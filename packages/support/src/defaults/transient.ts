import { isRecord } from 'echelon/internal/value'
import { ToolError } from 'echelon/internal/tool'

/** What the network, or a server that has too much to do, fails with: Node's names, and undici's. */
const OF_THE_NETWORK =
  /^(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EPIPE|EAI_AGAIN|ENETDOWN|ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT))$/

const SQLITE_BUSY = 5

/** Whether what was thrown may not be thrown another time: a network that failed, somebody who was busy. */
export function isTransient(error: unknown, depth = 4): boolean {
  if (error instanceof ToolError) return error.code === 'NET_TIMEOUT' || error.code === 'RATE_LIMIT'
  if (!(error instanceof Error) || depth === 0) return false
  if (error.name === 'TimeoutError') return true
  const told: object = error
  const { code, errcode } = isRecord(told) ? told : {}
  if (OF_THE_NETWORK.test(String(code)) || errcode === SQLITE_BUSY) return true
  // What `fetch` throws says nothing itself.
  return isTransient(error.cause, depth - 1)
}
