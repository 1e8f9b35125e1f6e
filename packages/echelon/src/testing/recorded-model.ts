import { existsSync, renameSync, rmSync } from 'node:fs'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { EchelonError } from '../core/value/error.ts'
import { type AnyLanguageModel, asLanguageModel } from '../core/model/language-model.ts'
import type { BoundModel, Provider } from '../core/model/model.ts'
import { asBound } from './scripted-model.ts'

/** The model to record, and when. */
export interface RecordedModelOptions {
  /**
   * The model used while recording, or a function that returns it. A replay does not need it, nor
   * its key and package.
   */
  readonly model: Recordable | (() => Recordable | Promise<Recordable>)
  /**
   * Whether to call the model and rewrite the file, for example `process.env['RECORD'] === '1'`.
   * Default false: a call that is not in the file fails.
   */
  readonly record?: boolean
}

type Recordable = BoundModel | AnyLanguageModel

/** A model with answers recorded to or replayed from a file. Pass it to an agent as its `model`. */
export interface RecordedModel extends BoundModel {
  /** Whether the real model is called. */
  readonly records: boolean
  /**
   * Call it last. It completes a recording; until then the replaced file is kept.
   * @throws EchelonError UNEXPECTED_CALL when a replay did not use all recorded answers;
   * INVALID_CONFIG for a recording that could not be written
   */
  assertComplete(): void
}

/** The part of a registry that is needed here. */
interface Source {
  keys(): readonly string[]
  list(): Promise<readonly Pick<Provider, 'key' | 'summary' | 'models'>[]>
  resolve(name: string): Promise<BoundModel>
  register(provider: unknown): void
}

/** The functions of `echelon/providers` that record and replay. */
export interface Tapes<Recording, Tape> {
  startModelRecording(file: string): Recording
  recordingRegistry(source: Source, recording: NoInfer<Recording>): Pick<Source, 'resolve'>
  readModelTape(file: string): Promise<Tape>
  replayingRegistry(tape: Tape): Pick<Source, 'resolve'>
}

interface AnyRecording {
  close(): string | undefined
}

interface AnyTape {
  readonly models: readonly { readonly name: string }[]
  unused(): readonly { readonly n: number }[]
}

/** The model for a file; see `recordedModel` of `echelon/testing`. */
export async function recordedModelWith<Recording extends AnyRecording, Tape extends AnyTape>(
  tapes: Tapes<Recording, Tape>,
  file: string,
  { model, record = false }: RecordedModelOptions,
): Promise<RecordedModel> {
  if (record) return await recording(tapes, file, toBound(await loaded(model)))
  if (!existsSync(file)) {
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no recording ${file}; create it once with record: true, and commit it`,
    )
  }
  return await replaying(tapes, file)
}

async function recording<Recording extends AnyRecording, Tape extends AnyTape>(
  tapes: Tapes<Recording, Tape>,
  file: string,
  bound: BoundModel,
): Promise<RecordedModel> {
  // The existing file is kept until the new one is complete.
  const draft = `${file}.recording`
  rmSync(draft, { force: true })
  const tape = tapes.startModelRecording(draft)
  const recorded = await tapes.recordingRegistry(only(bound), tape).resolve(bound.id)
  let open = true
  return {
    ...recorded,
    records: true,
    assertComplete() {
      if (!open) return
      open = false
      const problem = tape.close()
      if (problem !== undefined) throw new EchelonError('INVALID_CONFIG', problem)
      renameSync(draft, file)
    },
  }
}

async function replaying<Recording extends AnyRecording, Tape extends AnyTape>(
  tapes: Tapes<Recording, Tape>,
  file: string,
): Promise<RecordedModel> {
  const tape = await tapes.readModelTape(file)
  const [first] = tape.models
  if (first === undefined || tape.models.length > 1) {
    throw new EchelonError(
      'INVALID_INPUT',
      `${file} holds ${tape.models.length} models, but one is needed; record each to a separate file`,
    )
  }
  const replayed = await tapes.replayingRegistry(tape).resolve(first.name)
  return {
    ...replayed,
    records: false,
    assertComplete() {
      const left = tape.unused().map(({ n }) => n)
      if (left.length === 0) return
      throw new EchelonError(
        'UNEXPECTED_CALL',
        `the recorded answers ${left.join(', ')} of ${file} were not used; record again if fewer calls are made now`,
        { details: { file, left } },
      )
    },
  }
}

const loaded = async (model: RecordedModelOptions['model']): Promise<Recordable> =>
  typeof model === 'function' ? await model() : model

const toBound = (model: Recordable): BoundModel =>
  'price' in model ? model : priceless(asLanguageModel(model))

/** A model with an unknown price. */
const priceless = (model: LanguageModelV4): BoundModel => ({ ...asBound(model), price: () => null })

/** A registry of one model. */
const only = (bound: BoundModel): Source => ({
  keys: () => [],
  list: () => Promise.resolve([]),
  resolve: () => Promise.resolve(bound),
  register: () => undefined,
})
