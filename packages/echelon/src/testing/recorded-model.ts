import { existsSync, renameSync, rmSync } from 'node:fs'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { EchelonError } from '../core/value/error.ts'
import { type AnyLanguageModel, asLanguageModel } from '../core/model/language-model.ts'
import type { BoundModel, Provider } from '../core/model/model.ts'
import { asBound } from './scripted-model.ts'

/** Which model is recorded, and when. */
export interface RecordedModelOptions {
  /**
   * The model that is asked while it is recorded, or how to come by it: a replay has no need of it,
   * nor of its key and package.
   */
  readonly model: Recordable | (() => Recordable | Promise<Recordable>)
  /**
   * Whether the model is asked, and the file written anew; such as `process.env['RECORD'] === '1'`.
   * Default false: what is not in the file fails.
   */
  readonly record?: boolean
}

type Recordable = BoundModel | AnyLanguageModel

/** A model whose answers come from a file, or go to it. Give it to an agent as its `model`. */
export interface RecordedModel extends BoundModel {
  /** Whether the real model is asked. */
  readonly records: boolean
  /**
   * Call it last. A recording is complete from here on; the file that it replaces was kept until now.
   * @throws EchelonError UNEXPECTED_CALL where a replay was not asked for everything that was
   * recorded; INVALID_CONFIG for a recording that could not be written
   */
  assertComplete(): void
}

/** A registry as far as it is needed here. */
interface Source {
  keys(): readonly string[]
  list(): Promise<readonly Pick<Provider, 'key' | 'summary' | 'models'>[]>
  resolve(name: string): Promise<BoundModel>
  register(provider: unknown): void
}

/** What records and replays: functions of `echelon/providers`. */
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
  if (record) return await recording(tapes, file, asOne(await loaded(model)))
  if (!existsSync(file)) {
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no recording ${file}; make it once with record: true, and commit it`,
    )
  }
  return await replaying(tapes, file)
}

async function recording<Recording extends AnyRecording, Tape extends AnyTape>(
  tapes: Tapes<Recording, Tape>,
  file: string,
  bound: BoundModel,
): Promise<RecordedModel> {
  // The file that there was stays until the new one is complete.
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
      `${file} holds ${tape.models.length} models, and one is needed; record each to a file of its own`,
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
        `nobody asked for the recorded answers ${left.join(', ')} of ${file}; record anew if less is asked by now`,
        { details: { file, left } },
      )
    },
  }
}

const loaded = async (model: RecordedModelOptions['model']): Promise<Recordable> =>
  typeof model === 'function' ? await model() : model

const asOne = (model: Recordable): BoundModel =>
  'price' in model ? model : priceless(asLanguageModel(model))

/** What it costs nobody has said. */
const priceless = (model: LanguageModelV4): BoundModel => ({ ...asBound(model), price: () => null })

/** A registry of one model. */
const only = (bound: BoundModel): Source => ({
  keys: () => [],
  list: () => Promise.resolve([]),
  resolve: () => Promise.resolve(bound),
  register: () => undefined,
})
