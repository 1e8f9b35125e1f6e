import { EchelonError } from 'echelon/runtime'
import type { CaseResult } from 'echelon/decide'
import { type Likeness, replayRecording, type LoadedRecording } from 'echelon/replay'
import { type About, readAbout } from '../record/about.ts'
import { beginningOf, type Beginnings, pictureOf, type PicturedRun } from './picture.ts'
import { caseAgain, chatAgain, type Hear } from './run-again.ts'
import type { Io } from '../io.ts'

/** A recording replayed from itself alone. */
export interface ReplayedFile {
  readonly record: LoadedRecording
  /** Undefined for a recording of another program, which cannot be replayed here. */
  readonly about: About | undefined
  readonly runs: readonly PicturedRun[]
  /** Undefined if it could not be replayed. */
  readonly likeness: Likeness | undefined
  /** Why the replay stopped early. */
  readonly problem: string | undefined
  /** The answer of a case. */
  readonly result: CaseResult | undefined
}

/** Replays a recording and lists its steps. */
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
