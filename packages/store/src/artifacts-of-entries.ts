import type { Artifact, ToolOutcome } from 'echelon/internal/tool'
import type { Entry, Observation } from 'echelon/runtime'

/** The files that tools created, from entries. One may be mentioned twice. */
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
