import type { ModelCall, MiddlewareRun } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'

/** Aborts a model call. */
export const signalOf = (call: ModelCall, run: MiddlewareRun): AbortSignal =>
  call.signal ?? run.signal

/** The outcome of an aborted call. */
export const abortedCall = (attempts: number): Failed => ({
  type: 'failed',
  error: { code: 'aborted', message: 'the call was given up', retryable: false, attempts },
})
