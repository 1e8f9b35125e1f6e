import type { Entry, Path } from '../core/journal.ts'
import type { ToolOutcome } from '../core/tool.ts'

/** A request that was put on record. */
export interface OpenRequest {
  readonly id: string
  readonly at: number
  readonly hash: string | undefined
}

/** What a crash left open in the step it hit. */
export interface OpenStep {
  readonly intended: ReadonlySet<number>
  readonly settled: ReadonlyMap<number, ToolOutcome>
  /** By call; that of the agent itself under `undefined`. */
  readonly requests: ReadonlyMap<number | undefined, OpenRequest>
}

/** What is on record of a step that was begun and not closed. */
export function openStep(entries: readonly Entry[], path: Path, seq: number): OpenStep {
  const intended = new Set<number>()
  const settled = new Map<number, ToolOutcome>()
  const requests = new Map<number | undefined, OpenRequest>()
  for (const entry of entries) {
    if (!('seq' in entry) || entry.seq !== seq || entry.path !== path) continue
    if (entry.type === 'intended') intended.add(entry.call)
    else if (entry.type === 'settled') settled.set(entry.call, entry.outcome)
    else if (entry.type === 'requested') {
      requests.set(entry.call, { id: entry.request, at: entry.at, hash: entry.hash })
    }
  }
  return { intended, settled, requests }
}
