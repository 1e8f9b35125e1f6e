import type { Examined } from 'echelon/runtime'
import { type StoreFacts, examineStore } from '@echelon/store'
import type { AgentsOfRuns } from './agents-of-runs.ts'
import { addSummaries, summaryOf, type Summary } from './show-checkpoints.ts'
import { examineStored } from './stored-checkpoint.ts'

/** What was found in the file of a store. */
export interface FileReport {
  readonly store: StoreFacts
  readonly summary: Summary
  /** Of which there is something to say: they would change, be refused, or could not be tried. */
  readonly checkpoints: readonly Examined[]
  /** More of those, which are only counted. */
  readonly omitted: number
}

/** A report is read by people; what is not in it is counted. */
const MOST_TOLD = 1000

/**
 * Tries all that a store's file keeps and has not ended. One run at a time is held in memory.
 * @throws EchelonError STORE_UNUSABLE for a file that is broken, newer or none of ours
 */
export async function examineFile(file: string, agents: AgentsOfRuns): Promise<FileReport> {
  const opened = examineStore(file)
  try {
    const store = await opened.facts()
    let summary = summaryOf([])
    const checkpoints: Examined[] = []
    let omitted = 0
    // What is read off broken pages says nothing of the code.
    if (store.damage.length > 0) return { store, summary, checkpoints, omitted }
    for (const stored of opened.checkpoints()) {
      const examined = await examineStored(stored, agents)
      summary = addSummaries(summary, summaryOf([examined]))
      if (!isTold(examined)) continue
      if (checkpoints.length < MOST_TOLD) checkpoints.push(examined)
      else omitted++
    }
    return { store, summary, checkpoints, omitted }
  } finally {
    opened.close()
  }
}

/** A conversation keeps no step, so that there is never more to try of it. */
const isTold = ({ kind, loads, changes, check }: Examined): boolean =>
  !loads || changes.length > 0 || (kind === 'run' && check.type === 'unchecked')
