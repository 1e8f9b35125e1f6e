import type { RunStatus } from './run-store.ts'

/** Whether a run has ended and is never resumed, whatever its result. */
export const hasEnded = ({ status }: { readonly status: RunStatus }): boolean =>
  status === 'finished' || status === 'canceled' || status === 'failed'
