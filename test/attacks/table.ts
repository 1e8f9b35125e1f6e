import type { EventData } from 'node:test'

/** The events of `node --test` that carry results. */
export type Event =
  | { readonly type: 'test:pass'; readonly data: EventData.TestPass }
  | { readonly type: 'test:fail'; readonly data: EventData.TestFail }
  | { readonly type: 'test:diagnostic'; readonly data: EventData.TestDiagnostic }

interface Row {
  name: string
  tried: number
  failed: number
  readonly problems: string[]
}

const COUNTS = /^tried (\d+), failed (\d+)$/

/**
 * Reporter for `node --test`: a row for each suite of `test/attacks/`, with how many cases were tried and
 * how many got through. A test that reports no numbers (`tried.ts` does) counts as one case.
 */
export default async function* table(
  events: AsyncIterable<Event> | Iterable<Event>,
): AsyncGenerator<string> {
  const rows = new Map<string, Row>()
  for await (const { type, data } of events) {
    const file = data.file ?? ''
    const row = rows.get(file) ?? { name: file, tried: 0, failed: 0, problems: [] }
    rows.set(file, row)
    if (type === 'test:diagnostic') addCounts(row, data.message)
    else if (type === 'test:pass' || type === 'test:fail') addTest(row, data, type === 'test:fail')
  }
  const whole = [...rows.values()].filter(({ tried }) => tried > 0)
  for (const { name, problems } of whole) {
    for (const problem of problems) yield `${name}: ${problem}\n`
  }
  yield* drawn(whole.toSorted((a, b) => a.name.localeCompare(b.name)))
}

/** Numbers that a test reports replace the one that it was counted as. */
function addCounts(row: Row, message: string): void {
  const [, tried, failed] = COUNTS.exec(message) ?? []
  if (tried === undefined || failed === undefined) return
  row.tried += Number(tried) - 1
  row.failed += Number(failed) - (Number(failed) > 0 ? 1 : 0)
}

function addTest(row: Row, data: EventData.TestPass | EventData.TestFail, isFailed: boolean): void {
  if (data.details.type === 'suite') {
    if (data.nesting === 0) row.name = data.name
    return
  }
  if (data.skip !== undefined) return
  row.tried++
  if (!isFailed) return
  row.failed++
  const error = 'error' in data.details ? data.details.error : undefined
  row.problems.push(`${data.name}\n${String(error?.cause ?? error)}`)
}

function* drawn(rows: readonly Row[]): Generator<string> {
  const width = Math.max(...rows.map(({ name }) => name.length), 6)
  const line = (name: string, tried: string, failed: string): string =>
    `${name.padEnd(width)}  ${tried.padStart(6)}  ${failed.padStart(6)}\n`
  yield line('attack', 'tried', 'failed')
  for (const { name, tried, failed } of rows) yield line(name, String(tried), String(failed))
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const failed = sum((row) => row.failed)
  yield line('all', String(sum((row) => row.tried)), String(failed))
  yield `\n${sum((row) => row.tried) - failed} passed, ${failed} failed\n`
}
