import { readRecordingFile } from '../../host/recording/read-recording-file.ts'
import type { PricePoint } from './price-points.ts'
import { type Asked, keyOf } from './request.ts'
import { type Cleaner, cleaner } from './secrets.ts'
import { type ModelLine, type ReadLine, readLine, type RecordedCall } from './tape-line.ts'

/** A recorded call, as a list names it. */
export interface CallName {
  /** Provider key and model id. */
  readonly model: string
  /** Its number on the tape, from 1 on. */
  readonly n: number
}

/** The calls of a recording. Each is given once: in the order in which equal ones began. */
export class ModelTape {
  readonly path: string
  /** A sentence on what is wrong with the file, though it can be used. */
  readonly warning: string | undefined
  readonly models: readonly ModelLine[]
  readonly calls: readonly RecordedCall[]
  readonly #prices: ReadonlyMap<string, readonly PricePoint[]>
  readonly #byKey: ReadonlyMap<string, readonly RecordedCall[]>
  readonly #used = new Set<RecordedCall>()

  /** What is taken out of a request before it is looked for. */
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
    // Cleaned and reckoned anew, so that a tape of older rules, or mended by hand, is found too.
    this.#byKey = Map.groupBy(this.calls, (call) =>
      keyOf({ ...call, request: clean(call.request) }),
    )
  }

  /** Every recorded answer to this very request, given already or not. */
  answersTo(asked: Asked): readonly RecordedCall[] {
    return this.#byKey.get(keyOf(asked)) ?? []
  }

  /** The next answer to this very request; nothing when there is none left. */
  take(asked: Asked): RecordedCall | undefined {
    const next = this.answersTo(asked).find((call) => !this.#used.has(call))
    if (next !== undefined) this.#used.add(next)
    return next
  }

  pricesOf(model: string): readonly PricePoint[] {
    return this.#prices.get(model) ?? []
  }

  /** Recorded calls that nobody has asked for yet. */
  unused(): readonly CallName[] {
    const unused = this.calls.filter((call) => !this.#used.has(call))
    return unused.map(({ model, n }) => ({ model, n }))
  }
}

/**
 * Reads what was recorded with `startModelRecording`. Skips a last line that is not complete, as an
 * interrupted recording leaves it, with a `warning`.
 *
 * @throws EchelonError INVALID_INPUT, with the number of the line, when the file cannot be read or
 * is no recording of models that this version knows
 */
export async function readModelTape(path: string): Promise<ModelTape> {
  const { lines, warning } = await readRecordingFile(path, 'models', readLine)
  return new ModelTape(path, lines, warning === undefined ? {} : { warning })
}
