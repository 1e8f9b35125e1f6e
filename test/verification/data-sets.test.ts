/**
 * Questions from public data sets: how many are verified, and that none is verified wrongly. The data sets are
 * read from the folder in `ECHELON_DATA`, by default `../shared/data` relative to the repository; a missing one is
 * skipped with a message.
 */
import { deepEqual, ok } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type DataRow, readDataFile } from '../../lab/benchmarks/tools/data-file.ts'
import { isRecord } from '../../packages/echelon/src/core/value/json.ts'
import { share } from '../share.ts'
import { acceptedBy, TODAY } from './judge.ts'

const folder =
  process.env['ECHELON_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))

/** A row as a question, with a judgment of what could be verified for it. */
interface Row {
  readonly id: string
  readonly text: string
  readonly today: string
  readonly right: string
  readonly isRight: (answer: string) => boolean
}

/** Rows whose gold answer is provably wrong; the verified answers are right. */
const WRONG_GOLDS: Readonly<Record<string, readonly [right: string, why: string]>> = {
  'svamp-897': ['252', '28 + 14 packages of 6 pieces each are 252 pieces; the gold, 7, is 42 / 6'],
  'duckling-951': [
    '2/15',
    'with spaces around the mark, `2 / 15` is a division; the corpus knows dates only',
  ],
  'duckling-953': [
    '-13',
    'with spaces around the mark, `2 - 15` is a subtraction; the corpus knows dates only',
  ],
  'duckling-1128': [
    '2014-01-20',
    'the gold says that no day is named, for the sake of a misplaced apostrophe; people read the holiday',
  ],
}

const text = (row: DataRow, name: string): string => {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}

const isNumber =
  (gold: string) =>
  (answer: string): boolean => {
    const [n = '', d = '1'] = gold.split('/')
    const right = Number(n.replaceAll(',', '')) / Number(d)
    return Math.abs(Number(answer) - right) <= 1e-9 * Math.max(1, Math.abs(right))
  }

const word = (row: DataRow): Row => ({
  id: text(row, 'id'),
  text: text(row, 'question'),
  today: TODAY,
  right: text(row, 'answer'),
  isRight: isNumber(text(row, 'answer')),
})

const calculation = (row: DataRow): Row => ({
  id: text(row, 'id'),
  text: `What is ${text(row, 'expr')}?`,
  today: TODAY,
  right: text(row, 'value'),
  isRight: isNumber(text(row, 'value')),
})

/** The precision of a gold date: only the month of `2013-02-01` may be meant. */
const GRAINS: Readonly<Record<string, number>> = {
  second: 10,
  minute: 10,
  hour: 10,
  day: 10,
  month: 7,
  year: 4,
}

/** A day is right if it is the point's own, or lies in the intended month, year or interval. */
function duckling(row: DataRow): Row {
  const length = text(row, 'kind') === 'point' ? GRAINS[text(row, 'grain')] : undefined
  const gold = length === undefined ? undefined : text(row, 'value').slice(0, length)
  const { from, to } = isRecord(row['value']) ? row['value'] : {}
  const isWithin = (answer: string): boolean =>
    typeof from === 'string' &&
    typeof to === 'string' &&
    from.slice(0, 10) <= answer &&
    answer < to.slice(0, 10)
  return {
    id: text(row, 'id'),
    text: text(row, 'text'),
    today: text(row, 'reference').slice(0, 10),
    right: gold ?? `${text(row, 'kind')}, ${text(row, 'grain')}`,
    isRight: (answer) =>
      isDate(answer) && (gold === undefined ? isWithin(answer) : answer.startsWith(gold)),
  }
}

const isDate = (answer: string): boolean => /^\d{4}-\d\d-\d\d$/.test(answer)

/** One result, of type date: any of its values is right. */
function recognizers(row: DataRow): Row {
  const results = Array.isArray(row['Results']) ? row['Results'].filter(isRecord) : []
  const values = results.flatMap(valuesOf)
  const context = row['Context']
  const today = isRecord(context) ? text(context, 'ReferenceDateTime') : ''
  return {
    id: text(row, 'id'),
    text: text(row, 'Input'),
    today: today === '' ? TODAY : today.slice(0, 10),
    right: values.join(' or '),
    isRight: (answer) => results.length === 1 && values.includes(answer),
  }
}

function valuesOf(result: DataRow): readonly string[] {
  const resolution = result['Resolution']
  const values = isRecord(resolution) ? resolution['values'] : undefined
  return Array.isArray(values) ? values.filter(isRecord).map((value) => text(value, 'value')) : []
}

const SETS: readonly (readonly [file: string, toRow: (row: DataRow) => Row])[] = [
  ['word_svamp.jsonl', word],
  ['word_gsm8k.jsonl', word],
  ['math_svamp.jsonl', word],
  ['calc_gsm8k.jsonl', calculation],
  ['dates_duckling_en.jsonl', duckling],
  ['dates_recognizers_en.jsonl', recognizers],
]

const isRightAnswer = ({ id, isRight }: Row, answer: string): boolean => {
  const [corrected] = WRONG_GOLDS[id] ?? []
  return (
    isRight(answer) ||
    answer === corrected ||
    (corrected !== undefined && isNumber(corrected)(answer))
  )
}

/** Number of questions of one set that `npm test` asks. */
const MOST = 300

suite('questions of other data sets', () => {
  for (const [file, toRow] of SETS) {
    test(`[DD-8] verify no wrong answer: ${file}`, async (t) => {
      const data = await readDataFile(folder, file)
      if (data === undefined) return t.skip(`${file} is not in ${folder}; set ECHELON_DATA`)
      const rows = share(data.rows, MOST).map(toRow)
      ok(
        rows.every((row) => row.text !== ''),
        `${file} has a row without a question`,
      )
      const judged = rows.map((row) => ({ row, accepted: acceptedBy(row.text, row.today) }))
      const checked = judged.filter(({ accepted }) => accepted.length > 0)
      const wrong = checked.filter(({ row, accepted }) =>
        accepted.some((answer) => !isRightAnswer(row, answer)),
      )
      const right = checked.length - wrong.length
      t.diagnostic(
        `${file}: ${rows.length} questions, ${right} verified right, ${rows.length - checked.length} not checked, ${wrong.length} verified wrong`,
      )
      deepEqual(
        wrong.map(
          ({ row, accepted }) =>
            `${row.id}: ${row.text} right: ${row.right}; could be verified: ${accepted.join(', ')}`,
        ),
        [],
      )
    })
  }
})
