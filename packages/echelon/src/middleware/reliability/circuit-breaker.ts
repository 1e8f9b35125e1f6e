import { canonicalJson } from '../../core/value/canonical-json.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { digestText } from '../../core/value/digest.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { ToolCall } from '../../core/tool/tool.ts'
import { isCount, isTable, rowOf, type Table, withRow } from './bounded-table.ts'
import { type Known, knownOptions, wholeFrom } from '../option-check.ts'

export interface CircuitBreakerOptions {
  /** Maximum consecutive calls of a tool with the same arguments. Default 3. */
  readonly limit?: number
  /** Where consecutive calls are counted: the conversation or one run. Default `session`. */
  readonly within?: 'session' | 'run'
}

/** Consecutive calls of each tool with the same arguments. */
export interface CircuitBreakerState {
  /** The run that called last. */
  readonly run: string
  readonly tools: Table<SameCalls>
}

interface SameCalls {
  /** Digest of the arguments, independent of field order. */
  readonly last: string
  readonly count: number
}

/**
 * Stops a model that repeats itself: a call above the limit with the same arguments is not made, and
 * the model is told what to do instead. Other arguments close the circuit again. Emits `trip`.
 * Remembers the thirty tools called last.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function circuitBreaker(
  options: CircuitBreakerOptions = {},
): Middleware<'circuitBreaker', CircuitBreakerState> {
  knownOptions('circuitBreaker', options, OPTIONS)
  const { limit = 3, within = 'session' } = options
  wholeFrom(1, 'circuitBreaker', { limit })
  return defineMiddleware({
    name: 'circuitBreaker',
    namespace: 'echelon',
    state: { scope: 'session', version: 1, schema: SCHEMA, initial: INITIAL },
    async tool(call, next, context) {
      const run = digestText(context.run.runId).toString(36)
      const { state } = context
      const tools = within === 'run' && state.run !== run ? {} : state.tools
      const last = digestText(canonicalJson(call.input)).toString(36)
      const before = rowOf(tools, call.tool)
      const count = before?.last === last ? before.count + 1 : 1
      if (count > limit) {
        context.emit('trip', { tool: call.tool, count: limit })
        return tooOften(call, limit)
      }
      // Before the call, so that calls of one batch count each other.
      context.update(() => ({ run, tools: withRow(tools, call.tool, { last, count }) }))
      return next(call)
    },
  })()
}

const OPTIONS: Known<CircuitBreakerOptions> = { limit: true, within: ['session', 'run'] }

const tooOften = (
  { tool }: ToolCall,
  limit: number,
): { type: 'error'; code: 'TOOL_ERROR'; message: string } => ({
  type: 'error',
  code: 'TOOL_ERROR',
  message: `${tool} was not called: it was called ${limit} times in a row with these arguments; use what it answered, call it with others, or answer without it`,
})

const INITIAL: CircuitBreakerState = { run: '', tools: {} }

const isSameCalls = (row: unknown): row is SameCalls =>
  isRecord(row) && typeof row['last'] === 'string' && isCount(row['count'])

const SCHEMA = guardedSchema(
  {
    type: 'object',
    properties: {
      run: { type: 'string' },
      tools: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { last: { type: 'string' }, count: { type: 'integer', minimum: 0 } },
          required: ['last', 'count'],
        },
      },
    },
    required: ['run', 'tools'],
  },
  (value): value is CircuitBreakerState =>
    isRecord(value) && typeof value['run'] === 'string' && isTable(value['tools'], isSameCalls),
)
