import { within } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import type { Layer, MiddlewareHost, ToolRequest } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'
import { signalOf } from './given-up.ts'
import { atLeast, type Known, knownOptions } from '../option-check.ts'

export interface TimeoutOptions {
  /** The longest that a model call may take, in milliseconds. Default 60,000; `Infinity` is no limit. */
  readonly modelMs?: number
  /**
   * The longest that a tool call may take, in milliseconds, its retries included. Default 30,000;
   * `Infinity` is no limit. A tool that delegates to another agent has none, unless `tools` names it.
   */
  readonly toolMs?: number
  /** For tools that need more or less, by name. */
  readonly tools?: Readonly<Record<string, number>>
}

const OPTIONS: Known<TimeoutOptions> = { modelMs: true, toolMs: true, tools: true }

/**
 * Gives up what takes too long: all that this layer surrounds, so that outside of `retry` it limits
 * the tries together, and inside each one. A late model call fails as `timeout`, which may be tried
 * again; a late tool call as `NET_TIMEOUT`, and of one that acts nobody knows what it did.
 * @throws EchelonError INVALID_CONFIG for an option that cannot work
 */
export function timeout(options: TimeoutOptions = {}): Layer<'timeout', undefined> {
  knownOptions('timeout', options, OPTIONS)
  const { modelMs = 60_000, toolMs = 30_000, tools = {} } = options
  atLeast(1, 'timeout', { modelMs, toolMs, ...tools })
  return defineMiddleware({
    name: 'timeout',
    namespace: 'echelon',
    async generate(call, next, { run }) {
      if (!isOurs(modelMs, run)) return next(call)
      const start = (own: AbortSignal): ReturnType<typeof next> =>
        next({ ...call, signal: AbortSignal.any([signalOf(call, run), own]) })
      const { isLate, outcome } = await limited(start, modelMs, run)
      if (isLate && outcome?.type !== 'generated') {
        return late(calledModel(call), modelMs, outcome?.type === 'failed' ? outcome : undefined)
      }
      return outcome ?? late(calledModel(call), modelMs)
    },
    async tool(call, next, { run }) {
      const ms = Object.hasOwn(tools, call.tool) ? (tools[call.tool] ?? toolMs) : usual(call, run)
      if (!isOurs(ms, run)) return next(call)
      const start = (own: AbortSignal): ReturnType<typeof next> =>
        next({ ...call, signal: call.signal ? AbortSignal.any([call.signal, own]) : own })
      const { isLate, outcome } = await limited(start, ms, run)
      return outcome === undefined || (isLate && outcome.type === 'error')
        ? lateTool(call, ms, run)
        : outcome
    },
  })()

  function usual(call: ToolRequest, run: MiddlewareHost): number {
    return run.tool(call.tool)?.delegates === true ? Infinity : toolMs
  }
}

/** Where the run ends first, its own limit holds, and says so. */
const isOurs = (ms: number, run: MiddlewareHost): boolean => Number.isFinite(ms) && ms < run.msLeft

/** Work within a time. Late work is given up, and has a turn of the clock to say what it came to. */
async function limited<Outcome>(
  start: (own: AbortSignal) => Promise<Outcome>,
  ms: number,
  { clock }: MiddlewareHost,
): Promise<{ readonly isLate: boolean; readonly outcome: Outcome | undefined }> {
  const own = new AbortController()
  const work = start(own.signal)
  const outcome = await within(clock, ms, work)
  if (outcome !== undefined) return { isLate: false, outcome }
  own.abort()
  return { isLate: true, outcome: await within(clock, 0, work) }
}

const late = (model: string, ms: number, outcome?: Failed): Failed => ({
  type: 'failed',
  error: {
    code: 'timeout',
    message: `${model} did not answer within ${ms / 1000} s`,
    retryable: true,
    attempts: outcome?.error.attempts ?? 1,
  },
})

function lateTool({ tool }: ToolRequest, ms: number, run: MiddlewareHost): ToolOutcome {
  const message = `${tool} took longer than ${ms / 1000} s`
  return run.tool(tool)?.does === 'acts'
    ? { type: 'unknown', message: `${message}, was given up, and may have acted` }
    : { type: 'error', code: 'NET_TIMEOUT', message }
}
