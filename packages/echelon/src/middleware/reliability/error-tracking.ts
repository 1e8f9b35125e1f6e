import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { digestText } from '../../core/value/digest.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext } from '../../core/extension/middleware.ts'
import type { Refused } from '../../core/agent/observation.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'
import { isCount, rowName } from './bounded-table.ts'
import { type Known, knownOptions, wholeFrom } from '../option-check.ts'

export interface ErrorTrackingOptions {
  /** Consecutive errors, of models or of tools, that emit `limit`. Default 3. */
  readonly limit?: number
  /**
   * Consecutive errors, of models and tools together, after which the run may make no more model calls.
   * Default: no limit.
   */
  readonly max?: number
}

/** The errors of a conversation. */
export interface ErrorTrackingState {
  /** Digest of the run of the consecutive errors. */
  readonly run: string
  /** Consecutive failed model calls. */
  readonly models: number
  /** Consecutive failed calls of any tools. */
  readonly tools: number
  /** Errors of both since the conversation began. */
  readonly total: number
  readonly last: LastError | null
}

/** The most recent error. */
export interface LastError {
  readonly of: 'model' | 'tool'
  readonly name: string
  readonly code: string
  /** Its first 200 characters. */
  readonly message: string
}

/**
 * Counts errors. An answer resets the model count, a successful tool call the tool count, and a new run
 * both; denied and refused calls are not errors. Emits `error` each time, and `limit` when a count
 * reaches it.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function errorTracking(
  options: ErrorTrackingOptions = {},
): Middleware<'errorTracking', ErrorTrackingState> {
  knownOptions('errorTracking', options, OPTIONS)
  const { limit = 3, max } = options
  wholeFrom(1, 'errorTracking', { limit, max })
  return defineMiddleware({
    name: 'errorTracking',
    namespace: 'echelon',
    state: { scope: 'session', version: 1, schema: SCHEMA, initial: INITIAL },
    async generate(call, next, context) {
      beginRun(context)
      const { models, tools } = context.state
      if (max !== undefined && models + tools >= max) return tooMany(models + tools)
      const outcome = await next(call)
      if (outcome.type === 'generated') endRow(context, 'models')
      if (outcome.type === 'failed') {
        const { code, message } = outcome.error
        note(context, 'models', limit, { of: 'model', name: calledModel(call), code, message })
      }
      return outcome
    },
    async tool(call, next, context) {
      beginRun(context)
      const outcome = await next(call)
      if (outcome.type === 'ok') endRow(context, 'tools')
      const wrong = errorOf(outcome)
      if (wrong !== undefined) {
        note(context, 'tools', limit, { of: 'tool', name: call.tool, ...wrong })
      }
      return outcome
    },
  })()
}

const OPTIONS: Known<ErrorTrackingOptions> = { limit: true, max: true }

type Context = MiddlewareContext<ErrorTrackingState>
type Row = 'models' | 'tools'

function errorOf(outcome: ToolOutcome): Pick<LastError, 'code' | 'message'> | undefined {
  if (outcome.type === 'error') return outcome
  return outcome.type === 'unknown' ? { code: 'unknown', message: outcome.message } : undefined
}

/** Counts per run; otherwise a conversation could not continue after `max`. */
function beginRun({ state, update, run }: Context): void {
  const id = digestText(run.runId).toString(36)
  if (state.run !== id) update((before) => ({ ...before, run: id, models: 0, tools: 0 }))
}

function endRow({ state, update }: Context, row: Row): void {
  if (state[row] > 0) update((before) => ({ ...before, [row]: 0 }))
}

function note(context: Context, row: Row, limit: number, error: LastError): void {
  const { of, name, code } = error
  const count = context.state[row] + 1
  const last = { of, name: rowName(name), code, message: cut(error.message) }
  context.update((before) => ({ ...before, [row]: count, total: before.total + 1, last }))
  context.emit('error', { of, name, code, count })
  if (count === limit) context.emit('limit', { of, count })
}

/** Removes half a surrogate pair at the end. */
const cut = (message: string): string => message.slice(0, 200).toWellFormed()

const tooMany = (count: number): Refused => ({
  type: 'refused',
  by: 'policy',
  limit: 'errors',
  message: `${count} errors in a row: the run is allowed no more model calls`,
})

const INITIAL: ErrorTrackingState = { run: '', models: 0, tools: 0, total: 0, last: null }

const isLast = (value: unknown): value is LastError =>
  isRecord(value) &&
  (value['of'] === 'model' || value['of'] === 'tool') &&
  ['name', 'code', 'message'].every((field) => typeof value[field] === 'string')

const COUNT = { type: 'integer', minimum: 0 }
const TEXT = { type: 'string' }

const SCHEMA = guardedSchema(
  {
    type: 'object',
    properties: {
      run: TEXT,
      models: COUNT,
      tools: COUNT,
      total: COUNT,
      last: {
        type: ['object', 'null'],
        properties: { of: { enum: ['model', 'tool'] }, name: TEXT, code: TEXT, message: TEXT },
        required: ['of', 'name', 'code', 'message'],
      },
    },
    required: ['run', 'models', 'tools', 'total', 'last'],
  },
  (value): value is ErrorTrackingState =>
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    ['models', 'tools', 'total'].every((field) => isCount(value[field])) &&
    (value['last'] === null || isLast(value['last'])),
)
