import type { LabeledText } from 'echelon/internal/classify'
import { type DataFile, type DataRow, pick } from '../tools/data-file.ts'

/** A dataset of labeled texts; out-of-scope texts have the label `null`. */
export interface LabeledRows {
  readonly train: readonly LabeledText[]
  /** Empty if the set has no such part. */
  readonly validate: readonly LabeledText[]
  readonly test: readonly LabeledText[]
  /** A description of the split. */
  readonly parted: string
}

const TEXT = ['text', 'utterance', 'query', 'sentence', 'question', 'input']
const LABEL = ['intent', 'label', 'category', 'intent_name', 'label_text', 'class']
const PART = ['split', 'set', 'subset', 'partition', 'part']

type Part = 'train' | 'validate' | 'test'
type Row = LabeledText & { readonly part: Part | null }

/**
 * Splits a data set as its rows say. If it has no test rows, every fifth row of each label is held out.
 * @throws EchelonError INVALID_INPUT for a set without a text and a label in any row
 */
export function labeledRows(data: DataFile): LabeledRows {
  const rows = data.rows.flatMap(toRow)
  if (rows.length === 0) throw data.unusable('a text and its intent')
  const of = (part: Part): readonly Row[] => rows.filter((row) => row.part === part)
  if (of('test').length > 0 && of('train').length > 0) {
    return {
      train: of('train'),
      validate: of('validate'),
      test: of('test'),
      parted: 'its own split',
    }
  }
  const seen = new Map<string | null, number>()
  const held = rows.map(({ label }) => {
    const count = (seen.get(label) ?? 0) + 1
    seen.set(label, count)
    return count % 5 === 0
  })
  return {
    train: rows.filter((_, index) => held[index] !== true),
    validate: [],
    test: rows.filter((_, index) => held[index] === true),
    parted: 'every fifth held out',
  }
}

function toRow(row: DataRow): readonly Row[] {
  const [text, label, part] = [pick(row, TEXT), pick(row, LABEL), pick(row, PART)]
  if (typeof text !== 'string' || text.trim() === '') return []
  const named = typeof label === 'string' || typeof label === 'number' ? String(label) : null
  const split = typeof part === 'string' ? part.toLowerCase() : ''
  const outside =
    OUTSIDE.test(named ?? '') || OUTSIDE.test(split) || pick(row, ['oos', 'is_oos']) === true
  if (named === null && !outside && label !== null) return []
  return [{ text, label: outside ? null : named, part: partOf(split) }]
}

/** Out of scope: as a label (`oos`), or within the name of a part (`oos_test`). */
const OUTSIDE = /^(?:oos|ood|out[_ -]?of[_ -]?(?:scope|domain)|none)(?:[_ -]|$)|[_ -](?:oos|ood)$/i

function partOf(split: string): Part | null {
  if (/train/.test(split)) return 'train'
  if (/val|dev/.test(split)) return 'validate'
  return /test|eval/.test(split) ? 'test' : null
}
