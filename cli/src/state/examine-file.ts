import type { Examined } from 'echelon/runtime'
import { type StoreFacts, examineStore } from '@echelon/store'
import type { AgentsOfRuns } from './agents-of-runs.ts'
import { addSummaries, summaryOf, type Summary } from './show-checkpoints.ts'
import { examineStored } from './stored-checkpoint.ts'

/** Findings in a store file. */
export interface FileReport {
  readonly store: StoreFacts
  readonly summary: Summary
  /** Checkpoints that would change, be refused, or could not be checked. */
  readonly checkpoints: readonly Examined[]
  /** Number of further ones. */
  readonly omitted: number
}

/** Most checkpoints to list; further ones are counted. */
const MOST_LISTED = 1000

/**
 * Checks all unfinished runs and all conversations of a store file. Holds one run in memory at a time.
 * @throws EchelonError STORE_UNUSABLE for a file that is broken, newer or not a store
 */
export async function examineFile(file: string, agents: AgentsOfRuns): Promise<FileReport> {
  const opened = examineStore(file)
  try {
    const store = await opened.facts()
    let summary = summaryOf([])
    const checkpoints: Examined[] = []
    let omitted = 0
    // Data from broken pages says nothing about the code.
    if (store.damage.length > 0) return { store, summary, checkpoints, omitted }
    for (const stored of opened.checkpoints()) {
      const examined = await examineStored(stored, agents)
      summary = addSummaries(summary, summaryOf([examined]))
      if (!isListed(examined)) continue
      if (checkpoints.length < MOST_LISTED) checkpoints.push(examined)
      else omitted++
    }
    return { store, summary, checkpoints, omitted }
  } finally {
    opened.close()
  }
}

/** Whether to list a checkpoint. Conversations have no steps, so being unchecked is normal for them. */
const isListed = ({ kind, loads, changes, check }: Examined): boolean =>
  !loads || changes.length > 0 || (kind === 'run' && check.type === 'unchecked')
