import type { DeciderOptions } from 'echelon'
import type { CallName } from 'echelon/providers'
import { EchelonError } from 'echelon/internal/value'
import { clean } from '../terminal/clean.ts'
import type { Io } from '../io.ts'

/** Values of `--record-models` and `--replay-models`. */
export interface TapeOptions {
  readonly recordModels?: string
  readonly replayModels?: string
}

type Models = Pick<DeciderOptions, 'registry'>

/** Runs work with recorded, replayed or plain models, and reports problems of the file. */
export async function onTape<Result>(
  io: Io,
  { recordModels, replayModels }: TapeOptions,
  work: (models: Models) => Promise<Result>,
): Promise<Result> {
  if (recordModels !== undefined && replayModels !== undefined) {
    const message =
      '--record-models and --replay-models cannot be combined; a replay calls no model to record'
    throw new EchelonError('INVALID_INPUT', message)
  }
  if (recordModels !== undefined) return await recorded(io, recordModels, work)
  return replayModels === undefined ? await work({}) : await replayed(io, replayModels, work)
}

async function recorded<Result>(
  io: Io,
  file: string,
  work: (models: Models) => Promise<Result>,
): Promise<Result> {
  const { createRegistry, recordingRegistry, standardProviders, startModelRecording } =
    await import('echelon/providers')
  const recording = startModelRecording(file)
  try {
    return await work({ registry: recordingRegistry(createRegistry(standardProviders), recording) })
  } finally {
    say(io, recording.close())
  }
}

async function replayed<Result>(
  io: Io,
  file: string,
  work: (models: Models) => Promise<Result>,
): Promise<Result> {
  const { readModelTape, replayingRegistry } = await import('echelon/providers')
  const tape = await readModelTape(file)
  say(io, tape.warning)
  const result = await work({ registry: replayingRegistry(tape) })
  say(io, unused(file, tape.unused()))
  return result
}

/** Most calls to name; further ones are counted. */
const NAMED = 3

function unused(file: string, calls: readonly CallName[]): string | undefined {
  if (calls.length === 0) return undefined
  const named = calls.slice(0, NAMED).map(({ model, n }) => `call ${n} of ${model}`)
  const more = calls.length > NAMED ? [`${calls.length - NAMED} more`] : []
  return `${file} holds answers that were never requested: ${[...named, ...more].join(', ')}`
}

function say(io: Io, text: string | undefined): void {
  if (text !== undefined) io.stderr.write(`echelon: ${clean(text)}\n`)
}
