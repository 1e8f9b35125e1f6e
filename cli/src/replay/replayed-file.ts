import { EchelonError } from 'echelon/runtime'
import type { CaseResult } from 'echelon/decide'
import { type Likeness, replayRecording, type RunRecord } from 'echelon/replay'
import { type About, readAbout } from '../record/about.ts'
import { beginningOf, type Beginnings, pictureOf, type PicturedRun } from './picture.ts'
import { caseAgain, chatAgain, type Hear } from './run-again.ts'
import type { Io } from '../io.ts'

/** A recording that was run again from itself alone. */
export interface ReplayedFile {
  readonly record: RunRecord
  /** Nothing for one that another program made, which cannot be run again here. */
  readonly about: About | undefined
  readonly runs: readonly PicturedRun[]
  /** Nothing where it could not be run again. */
  readonly likeness: Likeness | undefined
  /** Why it could not go on to its end. */
  readonly problem: string | undefined
  /** The answer of a case. */
  readonly result: CaseResult | undefined
}

/** Runs a recording again, and pictures it. */
export async function replayFile(io: Io, path: string): Promise<ReplayedFile> {
  const replay = await replayRecording(path)
  const { record } = replay
  const about = readAbout(path, record.about)
  const began = new Map<string, Beginnings extends ReadonlyMap<string, infer One> ? One : never>()
  const hear: Hear = (run, event) => {
    if (event.type === 'step-start') began.set(beginningOf(run, event), event)
  }
  let problem: string | undefined
  let result: CaseResult | undefined
  try {
    if (about?.command === 'decide') ({ result } = await caseAgain(replay, about, hear))
    else if (about?.command === 'chat') await chatAgain(io, replay, about, { hear })
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    problem = error.message
  }
  return {
    record,
    about,
    runs: pictureOf(record, began),
    likeness: about === undefined ? undefined : replay.likeness,
    problem,
    result,
  }
}
