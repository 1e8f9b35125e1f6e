import type { ModelSpan, RunSpan, Span, ToolSpan } from '../../core/observability/tracing.ts'

/** Calls the trace; returns undefined if it throws. */
export type Guard = <Value>(tell: () => Value) => Value | undefined

/**
 * Wraps a trace so that it never throws: a broken tracer or span processor must neither end the run nor
 * keep a tool's outcome off the record.
 */
export const guardedRun = (span: RunSpan, guard: Guard): RunSpan => ({
  ...guardedSpan(span, guard),
  model(call) {
    const made = guard(() => span.model(call))
    return made && guardedModel(made, guard)
  },
  tool(called) {
    const made = guard(() => span.tool(called))
    return made && guardedTool(made, guard)
  },
  wait(what) {
    const made = guard(() => span.wait(what))
    return made && guardedSpan(made, guard)
  },
  saw: (seen, asked) => guard(() => span.saw(seen, asked)),
  note: (note) => guard(() => span.note(note)),
  told: (middleware, event) => guard(() => span.told(middleware, event)),
})

const guardedModel = (span: ModelSpan, guard: Guard): ModelSpan => ({
  ...guardedSpan(span, guard),
  headers: guard(() => span.headers),
  spoke: () => guard(() => span.spoke()),
  answered: (by) => guard(() => span.answered(by)),
  retry: (problem, waitMs) => guard(() => span.retry(problem, waitMs)),
})

const guardedTool = (span: ToolSpan, guard: Guard): ToolSpan => ({
  ...guardedSpan(span, guard),
  retry: (code, waitMs) => guard(() => span.retry(code, waitMs)),
})

function guardedSpan<End>(span: Span<End>, guard: Guard): Span<End> {
  return {
    traceparent: guard(() => span.traceparent),
    within<Value>(work: () => Value): Value {
      let isBegun = false
      const begin = (): Value => {
        isBegun = true
        return work()
      }
      try {
        return span.within(begin)
      } catch (error) {
        // Errors of the work itself are rethrown.
        if (isBegun) throw error
        guard(() => {
          throw error
        })
        return work()
      }
    },
    end: (end) => guard(() => span.end(end)),
    fail: (error) => guard(() => span.fail(error)),
  }
}
