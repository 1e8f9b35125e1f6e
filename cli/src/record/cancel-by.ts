import type { SteeredRun } from 'echelon/replay'

/** Cancels a recorded run when a signal aborts, so that the cancel is recorded too. */
export function cancelBy(signal: AbortSignal, run: Pick<SteeredRun, 'cancel'>): () => void {
  const cancel = (): void => run.cancel()
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}
