import { createDecider } from 'echelon'
import { replayRecording } from 'echelon/replay'
import type { AnyDefinition, Started } from 'echelon/runtime'
import type { About } from '../record/about.ts'
import { speakerIn } from './run-again.ts'
import type { Io } from '../io.ts'

/** The definition of a recorded run, of which only pure functions are called. */
export async function definitionFor(
  io: Io,
  path: string,
  about: About,
  started: Started,
): Promise<AnyDefinition | undefined> {
  if (about.command === 'decide') {
    return (await createDecider({ settings: about.settings })).definitionFor(started)
  }
  const { agent } = await speakerIn(io, await replayRecording(path), about)
  return agent.definition
}
