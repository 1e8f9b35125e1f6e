import type { Artifact } from '../core/artifact.ts'
import type { Entry } from '../core/journal.ts'
import type { Observation } from '../core/observation.ts'
import type { ToolOutcome } from '../core/tool-call.ts'

/** The files that tools made, as entries tell of them; one may be told of twice. */
export const artifactsOfEntries = (entries: readonly Entry[]): readonly Artifact[] =>
  entries.flatMap((entry) => {
    if (entry.type === 'settled') return madeBy(entry.outcome)
    return entry.type === 'closed' ? seenMade(entry.seen) : []
  })

function seenMade(seen: Observation): readonly Artifact[] {
  if (seen.type === 'tools-called') return seen.outcomes.flatMap(madeBy)
  return seen.type === 'together' ? seen.observations.flatMap(seenMade) : []
}

const madeBy = (outcome: ToolOutcome): readonly Artifact[] =>
  outcome.type === 'ok' ? (outcome.artifacts ?? []) : []
