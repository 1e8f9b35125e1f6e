import type { RunStatus } from 'echelon/internal/store'

type EndedStatus = Extract<RunStatus, 'finished' | 'canceled' | 'failed'>

/** The statuses of ended runs, as they are stored and shown. */
export const ENDED: readonly EndedStatus[] = ['finished', 'canceled', 'failed']

/** The same as a list in SQL. */
export const ENDED_SQL: string = `(${ENDED.map((status) => `'${status}'`).join(', ')})`

/** Whether a stored status is that of an ended run. */
export const isEndedStatus = (stored: unknown): stored is EndedStatus =>
  ENDED.some((status) => status === stored)

/** The status that a stored one shows as. */
export function statusOf(stored: string, asks: boolean, isLive: boolean): RunStatus {
  if (isEndedStatus(stored)) return stored
  if (asks || stored === 'suspended') return 'waiting'
  return isLive ? 'running' : 'interrupted'
}

/** The stored statuses that may show as one of these. */
export function rowStatuses(wanted: readonly RunStatus[]): readonly string[] {
  const rows = wanted.flatMap((status) => {
    if (isEndedStatus(status)) return [status]
    // A suspended run always waits; any other run waits if it has asked something.
    return status === 'waiting' ? ['open', 'suspended', 'left'] : ['open', 'left']
  })
  return [...new Set(rows)]
}
