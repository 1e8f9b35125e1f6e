import { EchelonError } from '../../core/error.ts'
import { isRecord } from '../../core/json.ts'
import { readGivenText } from '../../host/given-file.ts'
import type { PricePoint } from './price-points.ts'
import { type Asked, keyOf } from './request.ts'
import { type Cleaner, cleaner } from './secrets.ts'
import { HEADER, type ModelLine, type ReadLine, readLine, type RecordedCall } from './tape-line.ts'

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
 * Reads what was recorded with `startModelRecording`. A last line that is not complete, as an
 * interrupted recording leaves it, is passed over with a `warning`.
 *
 * @throws EchelonError INVALID_INPUT, with the number of the line, when the file cannot be read or
 * is no tape that this version knows.
 */
export async function readModelTape(path: string): Promise<ModelTape> {
  const text = await textOf(path)
  if (text === '') throw damaged(path, 'it is empty, since no model was called')
  const rows = text.split('\n')
  const isTorn = parsed(rows.at(-1) ?? '') === undefined
  // Every line ends with a line break, so that most often nothing stands after the last one.
  const last = isTorn ? (rows.pop() ?? '') : ''
  const [header, ...lines] = rows.map(parsed)
  checkHeader(path, header)
  const read = lines.flatMap((value, index) => {
    if (rows[index + 1]?.trim() === '') return []
    const line = readLine(value)
    if (line !== undefined) return [line]
    throw damaged(path, `line ${index + 2} holds nothing that a recording writes`)
  })
  if (last.trim() === '') return new ModelTape(path, read)
  const warning = `line ${rows.length + 1} of ${path} is not complete, since its recording was interrupted; the lines before it are used`
  return new ModelTape(path, read, { warning })
}

/** A longer file is not even read: no text of JavaScript holds more. */
const MOST_BYTES = 512 * 1024 * 1024 - 32

async function textOf(path: string): Promise<string> {
  try {
    return await readGivenText(path, MOST_BYTES)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_INPUT',
      `the recording ${path} cannot be read (${reason}); name a file that --record-models wrote`,
      { cause },
    )
  }
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row)
  } catch {
    return undefined
  }
}

function checkHeader(path: string, value: unknown): void {
  if (!isRecord(value) || value['kind'] !== HEADER.kind) {
    throw damaged(path, 'line 1 is not the beginning of a recording')
  }
  if (value['version'] !== HEADER.version) {
    const version = JSON.stringify(value['version'])
    throw damaged(path, `line 1 names version ${version}, and version ${HEADER.version} is known`)
  }
}

const damaged = (path: string, what: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `${path} cannot be replayed: ${what}; record it anew with --record-models`,
  )
