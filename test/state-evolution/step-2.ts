import { z } from 'zod'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Middleware } from '../../packages/echelon/src/core/extension/defined-middleware.ts'

interface Errors {
  readonly consecutiveErrors: number
  readonly reason: string
}

/** A new optional field: not a breaking change, so the version stays. */
export const breaker: () => Middleware<'circuitBreaker', Errors> = defineMiddleware({
  name: 'circuitBreaker',
  state: {
    version: 1,
    scope: 'session',
    schema: z.object({ consecutiveErrors: z.int(), reason: z.string().default('none') }),
    initial: { consecutiveErrors: 0, reason: 'none' },
  },
})

const middlewares: readonly Middleware[] = [breaker()]
export default middlewares
