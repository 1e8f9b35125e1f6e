import { deepEqual, ok, rejects } from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { benchDates } from './dates.ts'

const RECOGNIZERS = 'dates_recognizers_en.jsonl'
const DUCKLING = 'dates_duckling_en.jsonl'

/** The figures of the first row with counts: rows, counted, right, wrong. */
async function figures(file: string, rows: readonly unknown[]): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dates-'))
  try {
    await writeFile(join(folder, file), rows.map((row) => JSON.stringify(row)).join('\n'))
    const found = (await benchDates(folder)).filter(({ counted }) => counted > 0)
    const [row] = found
    ok(row !== undefined && row.seconds >= 0)
    return [row.rows, row.counted, row.right, row.wrong ?? NaN]
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('absent sets are skipped and say so', async () => {
  const rows = await benchDates(join(tmpdir(), 'no-such-folder'))
  deepEqual(
    rows.map(({ counted, note }) => [counted, note]),
    [
      [0, 'absent: skipped'],
      [0, 'absent: skipped'],
    ],
  )
})

test('reads the form of DateParser specs', async () => {
  const row = (Input: string, type: string, future: string, past: string): unknown => ({
    Input,
    Context: { ReferenceDateTime: '2025-09-08T00:00:00' },
    Results: [
      {
        Text: Input,
        Type: type,
        Value: {
          Timex: '2000-01-01',
          FutureResolution: { date: future },
          PastResolution: { date: past },
        },
        Start: 0,
        Length: 3,
      },
    ],
  })
  deepEqual(
    await figures(RECOGNIZERS, [
      row('back on Sep 12', 'date', '2025-09-12', '2024-09-12'),
      row('back on Sep 13', 'date', '2026-09-13', '2024-09-13'),
      row('back at 3pm', 'time', '2025-09-08', '2025-09-08'),
    ]),
    [3, 2, 1, 1],
  )
})

test('reads the form of DateTimeModel specs', async () => {
  const row = (Input: string, TypeName: string, ...values: unknown[]): unknown => ({
    Input,
    Context: { ReferenceDateTime: '2025-09-08T16:12:00' },
    Results: [{ Text: Input, TypeName, Resolution: { values } }],
  })
  const value = (value: string): unknown => ({ timex: 'XXXX-09-12', type: 'date', value })
  const two = row('Friday', 'datetimeV2.date', value('2025-09-05'), value('2025-09-12'))
  const range = { type: 'daterange', start: '2025-09-15', end: '2025-09-22' }
  deepEqual(
    await figures(RECOGNIZERS, [
      two,
      row('03/04/2025', 'datetimeV2.date', value('2025-03-04')),
      row('next week', 'datetimeV2.daterange', range),
    ]),
    [3, 2, 2, 0],
  )
})

test('reads flat rows of several namings', async () => {
  deepEqual(
    await figures(RECOGNIZERS, [
      { input: 'tomorrow', reference: '2025-09-08T00:00:00', values: ['2025-09-09'] },
      { text: 'tomorrow', ref: '2025-09-08', expected: '2025-09-09' },
      { query: 'tomorrow', context: '2025-09-08', dates: ['2025-09-09', '2024-01-01'] },
      { query: 'tomorrow', today: '2025-09-08', answer: '2025-09-10' },
      { Input: 'Friday', Reference: '2025-09-08', past: '2025-09-05', future: '2025-09-12' },
    ]),
    [5, 5, 4, 1],
  )
})

test('of Duckling only days count, and refusing is not right', async () => {
  deepEqual(
    await figures(DUCKLING, [
      { text: 'tomorrow', value: '2013-02-13T00:00:00.000-02:00', grain: 'day' },
      { text: 'next week', value: '2013-02-18T00:00:00.000-02:00', grain: 'week' },
      { text: '3/4/2013', reference: '2013-02-12T04:30:00', date: '2013-03-04', grain: 'Day' },
      { text: 'lent', value: { from: '2013-02-13', to: '2013-03-30' }, grain: 'day' },
    ]),
    [4, 2, 1, 0],
  )
})

test('phrases without a holiday have a row of their own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dates-'))
  const rows = [
    { text: 'tomorrow', value: '2013-02-13' },
    { text: 'the day after', value: '2013-02-13' },
    { text: 'christmas', value: '2013-12-24', holiday: 'Christmas' },
  ]
  await writeFile(join(folder, DUCKLING), rows.map((row) => JSON.stringify(row)).join('\n'))
  const [, all, plain] = await benchDates(folder)
  await rm(folder, { recursive: true })
  deepEqual([all?.set, all?.counted, all?.right, all?.wrong], ['dates: duckling', 3, 1, 1])
  deepEqual(
    [plain?.set, plain?.counted, plain?.right, plain?.wrong],
    ['dates: duckling, no holiday', 2, 1, 0],
  )
})

test('a file of unknown form is refused with its keys', async () => {
  await rejects(figures(DUCKLING, [{ satz: 'morgen', datum: '2013-02-13' }]), {
    code: 'INVALID_INPUT',
    message: /its keys are: satz, datum;/,
  })
})
