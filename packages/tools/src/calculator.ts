import { z } from 'zod'
import type { Schema } from 'echelon/internal/schema'
import { defineTool } from 'echelon/internal/tool'
import type { Tool } from 'echelon/chat'
import { workerModule } from 'echelon/internal/platform'
import { isolate, TURN_AND_WORK_MS } from 'echelon/internal/isolate'

/** At most 2000 characters. */
export type CalculatorInput = { readonly expr: string }

const input: Schema<CalculatorInput> = z.strictObject({
  expr: z
    .string()
    .min(1)
    .max(2000)
    .describe('An arithmetic expression, such as (1,250 - 12.5) * 25% or sqrt(2) ^ 3'),
})

/** Loading mathjs takes about 40 MB; an ordinary expression takes microseconds. */
const evaluation = isolate<CalculatorInput, string>({
  name: 'calculator',
  module: workerModule(import.meta.url, './calculator/answer.ts'),
  memoryMb: 128,
  timeoutMs: 500,
  maxInput: 16_384,
})

/**
 * `calculator(expr)`: exact arithmetic, as `{ value, kind: 'data' }` with the value as text (see
 * `evaluate` for how numbers are read and printed). Rational numbers stay fractions until the
 * result is rounded once, to 50 digits, unless it is a whole number of at most 1,000 digits.
 * Irrational values are computed at least twice, with more digits each time. `isPrime(n)` as the
 * whole expression gives `yes` or `no`, for numbers of up to 24 digits. Needs the package mathjs.
 * Fails with INVALID_ARGS for input that is not arithmetic, is ambiguous or has no finite value,
 * and with TOOL_ERROR for an expression that exceeds 0.5 s or 128 MB.
 */
export const calculator: Tool<CalculatorInput> = defineTool({
  name: 'calculator',
  description:
    'Evaluates an arithmetic expression exactly. Knows + - * / ^ % and !, brackets, per cent, sqrt, ' +
    'abs, round, min, max, log and the like, pi and e; isPrime(n) gives yes or no. No variables, no equations, no units.',
  input,
  timeoutMs: TURN_AND_WORK_MS,
  run: async ({ expr }, { signal }) => ({
    value: await evaluation.run({ expr }, signal),
    kind: 'data',
  }),
})
