import type { Span, TraceContext, TracedRun } from '../../core/observability/tracing.ts'
import type { Branch } from '../branch.ts'
import { type Guard, guardedRun } from './guarded-trace.ts'
import type { Tree } from '../tree.ts'

/** The origin of a run's trace. */
interface TraceOrigin {
  readonly parent?: TraceContext | undefined
  readonly earlier?: string | undefined
}

/** Starts the trace of a run, if it is traced. */
export function beginTrace(branch: Branch, agent: string, origin?: TraceOrigin): void {
  const { tree, path, session, services } = branch
  const { tracing } = services
  if (tracing === undefined) return
  const run: TracedRun = {
    runId: tree.runId,
    agent,
    path,
    session,
    parent: origin?.parent,
    earlier: origin?.earlier,
    limits: tree.ledger.limits,
    spent: () => tree.ledger.snapshot(),
    isCanceled: () => tree.isCanceled,
    hasTool: (name) => branch.tools.find(name) !== undefined,
    redact: (value) => tree.redact(value),
  }
  const guard = guardOf(tree)
  const span = guard(() => tracing.begin(run))
  branch.trace = span && guardedRun(span, guard)
}

/** Logs once per run that its trace is incomplete. */
function guardOf(tree: Tree): Guard {
  let isTold = false
  return (tell) => {
    try {
      return tell()
    } catch (error) {
      if (!isTold) void warnOf(tree, error).catch(ignore)
      isTold = true
      return undefined
    }
  }
}

async function warnOf({ audience }: Tree, error: unknown): Promise<void> {
  // Listeners that subscribe in the first tick still receive it.
  await Promise.resolve()
  const reason = error instanceof Error ? error.message : String(error)
  const message = `tracing threw (${reason}), so the trace of the run is incomplete; fix the tracer or the setup of OpenTelemetry: it must not throw`
  audience.tell({ type: 'log', level: 'warning', message })
}

const ignore = (): undefined => undefined

/** Runs work within a span, which ends with the work's outcome. */
export async function traced<Told, End extends Told>(
  span: Span<Told>,
  work: () => End | Promise<End>,
): Promise<End> {
  try {
    const end = await span.within(work)
    span.end(end)
    return end
  } catch (error) {
    span.fail(error)
    throw error
  }
}
