import { type LabeledText, train, type Trained } from 'echelon/internal/classify'
import { readDataFile } from '../tools/data-file.ts'
import { type LabeledRows, labeledRows } from './labeled-rows.ts'
import { type Measured, trainPlain } from './plain-baseline.ts'

/** Measurements of one reader on one dataset: shares from 0 to 1, `null` if not available. */
export interface IntentFigures {
  readonly set: string
  readonly reader: string
  /** Share of in-scope rows that are read correctly and not rejected. */
  readonly accuracy: number | null
  /** Share of out-of-scope rows that are rejected. */
  readonly outOfScope: number | null
  /** Accuracy on the surest 85 % of the in-scope rows, rejected or not. */
  readonly surest: number | null
  readonly seconds: number | null
  readonly note?: string
}

/** Published results of a plain linear n-gram model. */
const SETS = [
  {
    file: 'intent_clinc150.jsonl',
    anchor: { accuracy: 0.911, outOfScope: 0.371, surest: 0.964 },
  },
  {
    file: 'intent_banking77.jsonl',
    anchor: { accuracy: 0.904, outOfScope: null, surest: 0.956 },
  },
] as const

/** In-scope accuracy that rejecting may cost, on held-out rows. */
const MOST_LOST = 0.0145
/** Readings with this accuracy are never rejected. */
const SURE_ENOUGH = 0.7
const SUREST = 0.85

/**
 * Measures the embedded classifier on the data sets of a folder, beside a plain baseline trained on the
 * same rows, and the anchors.
 * @throws EchelonError INVALID_INPUT for a file that cannot be used
 */
export async function intentFigures(folder: string): Promise<readonly IntentFigures[]> {
  const figures: IntentFigures[] = []
  for (const { file, anchor } of SETS) {
    const data = await readDataFile(folder, file)
    if (data !== undefined) figures.push(...measureSet(file, labeledRows(data)))
    else figures.push({ ...nothing(file, 'embedded'), note: 'absent: skipped' })
    figures.push({ set: file, reader: 'anchor', ...anchor, seconds: null })
  }
  return figures
}

const nothing = (set: string, reader: string): IntentFigures => ({
  set,
  reader,
  accuracy: null,
  outOfScope: null,
  surest: null,
  seconds: null,
})

/** The embedded classifier and the plain baseline on one set. */
function measureSet(set: string, rows: LabeledRows): readonly IntentFigures[] {
  const note = `${rows.train.length} rows learned, ${rows.test.length} read; ${rows.parted}`
  const [embedded, seconds] = timed(() => embeddedReader(rows))
  const [plain, plainSeconds] = timed(() => trainPlain(rows.train))
  return [
    { set, reader: 'embedded', ...measured(embedded, rows.test), seconds, note },
    { set, reader: 'plain, here', ...measured(plain, rows.test), seconds: plainSeconds },
  ]
}

/** Chooses the threshold for rejecting; without out-of-scope rows nothing is rejected. */
function embeddedReader(rows: LabeledRows): Measured {
  const { validate } = rows
  const trained = train(rows.train, validate.length > 0 ? { heldOut: validate } : {})
  const held = validate.length > 0 ? validate : rows.train
  if ([...held, ...rows.test].every(({ label }) => label !== null)) return trained
  const inScope = held.filter(({ label }) => label !== null).length / held.length
  const threshold = thresholdOf(trained, inScope)
  return {
    classify(text) {
      const { label, confidence } = trained.classify(text)
      return { label: confidence < threshold ? null : label, confidence }
    },
  }
}

/** @param inScope share of what was held out that asks for something known */
function thresholdOf({ heldOut }: Trained, inScope: number): number {
  const rights = heldOut.filter(({ right }) => right).map(({ confidence }) => confidence)
  const affordable =
    rights.toSorted((a, b) => a - b)[Math.floor(MOST_LOST * inScope * heldOut.length)] ?? 0
  return Math.min(affordable, SURE_ENOUGH)
}

type Shares = Pick<IntentFigures, 'accuracy' | 'outOfScope' | 'surest'>

function measured(reader: Measured, test: readonly LabeledText[]): Shares {
  const read = test.map(({ text, label }) => ({ label, ...found(reader, text) }))
  const inside = read.filter(({ label }) => label !== null)
  const surest = inside
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, Math.round(SUREST * inside.length))
  return {
    accuracy: share(inside, ({ label, taken }) => taken === label),
    outOfScope: share(
      read.filter(({ label }) => label === null),
      ({ taken }) => taken === null,
    ),
    surest: share(surest, ({ label, taken }) => taken === label),
  }
}

const found = (
  reader: Measured,
  text: string,
): { readonly taken: string | null; readonly confidence: number } => {
  const { label, confidence } = reader.classify(text)
  return { taken: label, confidence }
}

function share<Each>(all: readonly Each[], isSo: (each: Each) => boolean): number | null {
  return all.length === 0 ? null : all.filter(isSo).length / all.length
}

function timed<Result>(work: () => Result): readonly [Result, number] {
  const start = performance.now()
  const result = work()
  return [result, (performance.now() - start) / 1000]
}

const HEAD = ['data set', 'reader', 'in scope', 'out of scope', 'surest 85 %', 'seconds', 'note']

/** The figures in columns. */
export function printIntentFigures(figures: readonly IntentFigures[]): string {
  const cells = [HEAD, ...figures.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const cellsOf = (figures: IntentFigures): readonly string[] => [
  figures.set,
  figures.reader,
  printed(figures.accuracy),
  printed(figures.outOfScope),
  printed(figures.surest),
  figures.seconds === null ? '-' : figures.seconds.toFixed(1),
  figures.note ?? '',
]

const printed = (share: number | null): string => (share === null ? '-' : share.toFixed(3))
