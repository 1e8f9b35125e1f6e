import { readRecordingFile } from '../../platform/recording/read-recording-file.ts'
import type { PricePoint } from './price-points.ts'
import { type Asked, keyOf } from './request.ts'
import { type Cleaner, cleaner } from './secrets.ts'
import { type ModelLine, type ReadLine, readLine, type RecordedCall } from './tape-line.ts'

/** Identifies a recorded call in a list. */
export interface CallName {
  /** Provider key and model id. */
  readonly model: string
  /** Its number on the tape, from 1. */
  readonly n: number
}

/**
 * The calls of a recording. Each is used once; equal requests are answered in the order they began.
 */
export class ModelTape {
  readonly path: string
  /** A problem with the file that does not prevent its use, as a sentence. */
  readonly warning: string | undefined
  readonly models: readonly ModelLine[]
  readonly calls: readonly RecordedCall[]
  readonly #prices: ReadonlyMap<string, readonly PricePoint[]>
  readonly #byKey: ReadonlyMap<string, readonly RecordedCall[]>
  readonly #used = new Set<RecordedCall>()

  /** Redacts a request before it is looked up. */
  readonly clean: Cleaner

  /** Use `readModelTape`. */
  constructor(
    path: string,
    lines: readonly ReadLine[],
    { warning, clean = cleaner() }: { readonly warning?: string; readonly clean?: Cleaner } = {},
  ) {
    this.path = path
    this.warning = warning
    this.clean = clean
    this.models = lines.filter((line) => line.kind === 'model')
    this.calls = lines.filter((line) => line.kind === 'call').sort((a, b) => a.n - b.n)
    this.#prices = Map.groupBy(
      lines.filter((line) => line.kind === 'price'),
      ({ model }) => model,
    )
    // Cleaned and keyed again, so that tapes with older rules or manual edits still match.
    this.#byKey = Map.groupBy(this.calls, (call) =>
      keyOf({ ...call, request: clean(call.request) }),
    )
  }

  /** All recorded answers to this exact request, including used ones. */
  answersTo(asked: Asked): readonly RecordedCall[] {
    return this.#byKey.get(keyOf(asked)) ?? []
  }

  /** Takes the next answer to this exact request; undefined when none is left. */
  take(asked: Asked): RecordedCall | undefined {
    const next = this.answersTo(asked).find((call) => !this.#used.has(call))
    if (next !== undefined) this.#used.add(next)
    return next
  }

  pricesOf(model: string): readonly PricePoint[] {
    return this.#prices.get(model) ?? []
  }

  /** Recorded calls that have not been requested yet. */
  unused(): readonly CallName[] {
    const unused = this.calls.filter((call) => !this.#used.has(call))
    return unused.map(({ model, n }) => ({ model, n }))
  }
}

/**
 * Reads a tape recorded with `startModelRecording`. An incomplete last line, as left by an
 * interrupted recording, is skipped with a `warning`.
 *
 * @throws EchelonError INVALID_INPUT, with the line number, when the file cannot be read or is not
 * a model recording of a known version
 */
export async function readModelTape(path: string): Promise<ModelTape> {
  const { lines, warning } = await readRecordingFile(path, 'models', readLine)
  return new ModelTape(path, lines, warning === undefined ? {} : { warning })
}
