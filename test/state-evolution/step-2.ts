import { z } from 'zod'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Layer } from '../../packages/echelon/src/core/extension/middleware.ts'

interface Errors {
  readonly consecutiveErrors: number
  readonly reason: string
}

/** One field more, which may be absent: no breaking change, the version stays. */
export const breaker: () => Layer<'circuitBreaker', Errors> = defineMiddleware({
  name: 'circuitBreaker',
  state: {
    version: 1,
    scope: 'session',
    schema: z.object({ consecutiveErrors: z.int(), reason: z.string().default('none') }),
    initial: { consecutiveErrors: 0, reason: 'none' },
  },
})

const layers: readonly Layer[] = [breaker()]
export default layers
