import { z } from 'zod'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Middleware } from '../../packages/echelon/src/core/extension/defined-middleware.ts'
import { migration } from '../../packages/echelon/src/core/state/state-migration.ts'

interface Errors {
  readonly consecutiveErrors: string
  readonly reason: string
}

/** Another type, for numbers too large for a number: a breaking change, so the version is raised. */
export const breaker: () => Middleware<'circuitBreaker', Errors> = defineMiddleware({
  name: 'circuitBreaker',
  state: {
    version: 2,
    scope: 'session',
    schema: z.object({ consecutiveErrors: z.string(), reason: z.string().default('none') }),
    initial: { consecutiveErrors: '0', reason: 'none' },
    migrate: {
      1: migration(
        z.object({ consecutiveErrors: z.int(), reason: z.string().default('none') }),
        (old) => ({ ...old, consecutiveErrors: old.consecutiveErrors.toFixed(0) }),
      ),
    },
  },
})

const middlewares: readonly Middleware[] = [breaker()]
export default middlewares
