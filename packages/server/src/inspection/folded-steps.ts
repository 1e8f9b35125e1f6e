import {
  type AnyDefinition,
  EchelonError,
  type Effect,
  type Finish,
  type Note,
  replayRun,
  stateAt,
} from 'echelon/runtime'
import { droppedIn } from 'echelon/internal/journal'
import type { InspectedRun } from './inspected-run.ts'

/** A step of the run itself, as its definition decides it again from the journal. */
export interface FoldedStep {
  readonly asked: Effect | Finish<unknown>
  readonly notes: readonly Note[]
  /** The state before it. */
  readonly before: unknown
  /** The state after it; absent while it is open. */
  readonly after?: unknown
}

/** The steps of a run by number, as far as its definition and the journal agree. */
export interface FoldedRun {
  readonly steps: ReadonlyMap<number, FoldedStep>
  /** The first step on record. */
  readonly first: number
  /** Why later steps are unknown; `null` if none is. */
  readonly unknown: string | null
}

/** Folds a run again: no model, no tool, no cost. */
export function foldSteps(run: InspectedRun): FoldedRun {
  const { definition, entries } = run
  const first = droppedIn(entries)?.snapshot.seq ?? 0
  const steps = new Map<number, FoldedStep>()
  if (definition === undefined) {
    return { steps, first, unknown: 'the agent of this run is not served here' }
  }
  try {
    fold(run, definition, steps, first)
    return { steps, first, unknown: null }
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    return { steps, first, unknown: run.redact(error.message) }
  }
}

function fold(
  { entries, history, hasEnded }: InspectedRun,
  definition: AnyDefinition,
  steps: Map<number, FoldedStep>,
  first: number,
): void {
  let before = stateAt(definition, entries, first, { history })
  let seq = first
  for (const step of replayRun(definition, entries, { history })) {
    const { asked, moved } = step
    steps.set(step.seq, { asked, notes: moved.notes ?? [], before, after: moved.state })
    before = moved.state
    seq = step.seq + 1
  }
  if (hasEnded) return
  const asked = definition.next(before)
  if (asked.type !== 'finish') steps.set(seq, { asked, notes: [], before })
}
