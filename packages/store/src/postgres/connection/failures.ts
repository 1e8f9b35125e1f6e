/** Codes of PostgreSQL (five characters) and of sockets. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const LOST_SOCKETS: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])

/** Shut down or starting; too many clients; a transaction that was idle for too long. */
const LOST_CODES: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '25P03',
])

/** Messages of the client about a lost connection that have no code. */
const LOST_WORDS =
  /connection terminated|connection ended|not queryable|timeout exceeded|connection error/i

/** Whether the server went away. A later try may reach it. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (LOST_SOCKETS.has(code) || LOST_CODES.has(code) || code.startsWith('08')) return true
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost)
  return code === '' && error instanceof Error && LOST_WORDS.test(error.message)
}

/** Serialization failure, deadlock, lock timeout, and a row that another inserted first. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '23505'])

/** Whether another transaction came between. The same work can be done again from its beginning. */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error))
