import { within } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareRun, ToolRequest } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'
import { signalOf } from './given-up.ts'
import { atLeast, type Known, knownOptions } from '../option-check.ts'

export interface TimeoutOptions {
  /** Timeout of a model call, in milliseconds. Default 60,000; `Infinity` disables it. */
  readonly modelMs?: number
  /**
   * Timeout of a tool call with its retries, in milliseconds. Default 30,000; `Infinity` disables it. A
   * tool that delegates to another agent has no timeout, unless `tools` names it.
   */
  readonly toolMs?: number
  /** Timeouts of single tools, by name. */
  readonly tools?: Readonly<Record<string, number>>
}

const OPTIONS: Known<TimeoutOptions> = { modelMs: true, toolMs: true, tools: true }

/**
 * Aborts calls that take too long. It times everything inside this middleware: outside `retry` it limits all
 * attempts together, inside `retry` each one. A late model call fails as `timeout`, which can be
 * retried; a late tool call as `NET_TIMEOUT`, or with an unknown outcome if the tool acts.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function timeout(options: TimeoutOptions = {}): Middleware<'timeout', undefined> {
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

  function usual(call: ToolRequest, run: MiddlewareRun): number {
    return run.tool(call.tool)?.delegates === true ? Infinity : toolMs
  }
}

/** If the run ends first, its own limit applies and is reported. */
const isOurs = (ms: number, run: MiddlewareRun): boolean => Number.isFinite(ms) && ms < run.msLeft

/**
 * Runs work with a timeout. Late work is aborted and gets one tick of the clock to report its outcome.
 */
async function limited<Outcome>(
  start: (own: AbortSignal) => Promise<Outcome>,
  ms: number,
  { clock }: MiddlewareRun,
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

function lateTool({ tool }: ToolRequest, ms: number, run: MiddlewareRun): ToolOutcome {
  const message = `${tool} took longer than ${ms / 1000} s`
  return run.tool(tool)?.does === 'acts'
    ? { type: 'unknown', message: `${message}, was given up, and may have acted` }
    : { type: 'error', code: 'NET_TIMEOUT', message }
}
