import type { SteeredRun } from 'echelon/replay'

/** Has a signal cancel a run that is recorded, so that the cancel is on record too. */
export function cancelBy(signal: AbortSignal, run: Pick<SteeredRun, 'cancel'>): () => void {
  const cancel = (): void => run.cancel()
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}
