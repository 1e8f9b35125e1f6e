import type { RunStatus } from 'echelon/internal/store'

/** The status that a stored one shows as. */
export function statusOf(stored: string, asks: boolean, isLive: boolean): RunStatus {
  if (stored === 'finished' || stored === 'canceled') return stored
  if (asks || stored === 'suspended') return 'waiting'
  return isLive ? 'running' : 'interrupted'
}

/** The stored statuses that may show as one of these. */
export function rowStatuses(wanted: readonly RunStatus[]): readonly string[] {
  const rows = wanted.flatMap((status) => {
    if (status === 'finished' || status === 'canceled') return [status]
    // A suspended run always waits; any other run waits if it has asked something.
    return status === 'waiting' ? ['open', 'suspended', 'left'] : ['open', 'left']
  })
  return [...new Set(rows)]
}
