import type { Entry, Path } from '../../core/journal/journal.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'

/** A recorded request. */
export interface OpenRequest {
  readonly id: string
  readonly at: number
  readonly hash: string | undefined
}

/** A step that a crash interrupted. */
export interface OpenStep {
  readonly intended: ReadonlySet<number>
  readonly settled: ReadonlyMap<number, ToolOutcome>
  /**
   * Calls that the recorded counters already include: those settled before a child run of this step closed
   * a step of its own, and the call that started that run. A resumed call is removed from the set, so that
   * it counts once.
   */
  readonly counted: Set<number>
  /** Approvals by call; the agent's own question under `undefined`. */
  readonly requests: ReadonlyMap<number | undefined, OpenRequest>
  /** Questions of tools, by request, with the time when they were first recorded. */
  readonly questions: ReadonlyMap<string, number>
}

/** Reads the entries of an unfinished step. */
export function openStep(entries: readonly Entry[], path: Path, seq: number): OpenStep {
  const intended = new Set<number>()
  const settled = new Map<number, ToolOutcome>()
  const counted = new Set<number>()
  const requests = new Map<number | undefined, OpenRequest>()
  const questions = new Map<string, number>()
  for (const entry of entries) {
    if (entry.type === 'closed') {
      for (const call of settled.keys()) counted.add(call)
      const caller = callerOf(entry.path, path, seq)
      if (caller !== undefined) counted.add(caller)
    }
    if (!('seq' in entry) || entry.seq !== seq || entry.path !== path) continue
    if (entry.type === 'intended') intended.add(entry.call)
    else if (entry.type === 'settled') settled.set(entry.call, entry.outcome)
    else if (entry.type === 'requested') {
      // An approval is bound to a hash; a question within a call has none.
      const isWithinCall = entry.call !== undefined && entry.hash === undefined
      if (!isWithinCall)
        requests.set(entry.call, { id: entry.request, at: entry.at, hash: entry.hash })
      else if (!questions.has(entry.request)) questions.set(entry.request, entry.at)
    }
  }
  return { intended, settled, counted, requests, questions }
}

/** Returns the call of a step that started the child run of a path, or one of its parents. */
function callerOf(inner: Path, path: Path, seq: number): number | undefined {
  const step = `${path}${seq}.`
  return inner.startsWith(step) ? Number.parseInt(inner.slice(step.length), 10) : undefined
}
