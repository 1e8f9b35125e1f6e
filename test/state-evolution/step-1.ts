import { z } from 'zod'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Middleware } from '../../packages/echelon/src/core/extension/defined-middleware.ts'

interface Errors {
  readonly consecutiveErrors: number
}

/** The first version: consecutive errors, as a whole number. */
export const breaker: () => Middleware<'circuitBreaker', Errors> = defineMiddleware({
  name: 'circuitBreaker',
  state: {
    version: 1,
    scope: 'session',
    schema: z.object({ consecutiveErrors: z.int() }),
    initial: { consecutiveErrors: 0 },
  },
})

const middlewares: readonly Middleware[] = [breaker()]
export default middlewares
