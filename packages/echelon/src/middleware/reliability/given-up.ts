import type { ModelCall, MiddlewareHost } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'

/** What gives a model call up. */
export const signalOf = (call: ModelCall, run: MiddlewareHost): AbortSignal =>
  call.signal ?? run.signal

/** What came of a call that was given up. */
export const givenUp = (attempts: number): Failed => ({
  type: 'failed',
  error: { code: 'aborted', message: 'the call was given up', retryable: false, attempts },
})
