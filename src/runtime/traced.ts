import type { Span, TraceContext } from '../core/tracing.ts'
import type { Branch } from './branch.ts'

/** Where a trace of a run comes from. */
interface TraceOrigin {
  readonly parent?: TraceContext | undefined
  readonly earlier?: string | undefined
}

/** Begins the trace of a run, where it is traced. */
export function beginTrace(branch: Branch, agent: string, origin?: TraceOrigin): void {
  const { tree, path, session, services } = branch
  branch.trace = services.tracing?.begin({
    runId: tree.runId,
    agent,
    path,
    session,
    parent: origin?.parent,
    earlier: origin?.earlier,
    limits: tree.ledger.limits,
    spent: () => tree.ledger.snapshot(),
    isCanceled: () => tree.isCanceled,
    redact: (value) => tree.redact(value),
  })
}

/** Work within a span, which ends with what came of it. */
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
