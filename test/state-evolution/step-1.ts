import { z } from 'zod'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Layer } from '../../packages/echelon/src/core/extension/middleware.ts'

interface Errors {
  readonly consecutiveErrors: number
}

/** The first version: errors in a row, as a whole number. */
export const breaker: () => Layer<'circuitBreaker', Errors> = defineMiddleware({
  name: 'circuitBreaker',
  state: {
    version: 1,
    scope: 'session',
    schema: z.object({ consecutiveErrors: z.int() }),
    initial: { consecutiveErrors: 0 },
  },
})

const layers: readonly Layer[] = [breaker()]
export default layers
