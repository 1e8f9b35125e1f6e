import { canonicalJson } from '../../core/value/canonical-json.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { digestText } from '../../core/value/digest.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Layer } from '../../core/extension/middleware.ts'
import type { ToolCall } from '../../core/tool/tool.ts'
import { isCount, isTable, rowOf, type Table, withRow } from './bounded-table.ts'
import { type Known, knownOptions, wholeFrom } from '../option-check.ts'

export interface CircuitBreakerOptions {
  /** How often in a row a tool may be called with the same arguments. Default 3. */
  readonly limit?: number
  /** Where calls are in a row: the conversation, or one run of it. Default `session`. */
  readonly within?: 'session' | 'run'
}

/** How often in a row each tool was called with the same arguments. */
export interface CircuitBreakerState {
  /** Of the run that called last. */
  readonly run: string
  readonly tools: Table<SameCalls>
}

interface SameCalls {
  /** Digest of the arguments, fields in whatever order. */
  readonly last: string
  readonly count: number
}

/**
 * Stops a model that repeats itself: a call that would be one too many with the same arguments is
 * not made, and the model is told what to do instead. Other arguments close the circuit again.
 * Tells `trip`. Of tools it remembers the thirty that were called last.
 * @throws EchelonError INVALID_CONFIG for an option that cannot work
 */
export function circuitBreaker(
  options: CircuitBreakerOptions = {},
): Layer<'circuitBreaker', CircuitBreakerState> {
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
      // Before the call, so that those of one batch count one another.
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
