import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowOf, type Table, withLast, withRow } from './bounded-table.ts'

type Answer = 'always' | 'never'

const answered = (table: Table<Answer>, names: readonly string[], answer: Answer): Table<Answer> =>
  names.reduce((rows, name) => withRow(rows, name, answer, (row) => row === 'never'), table)

const named = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

test('drops the least recently changed row', () => {
  const table = answered({}, named('a', 31), 'always')
  assert.deepEqual(Object.keys(table), named('a', 31).slice(1))
})

test('keeps the order for numeric, long and unusual names', () => {
  for (const name of ['7', 'Ada Lovelace', '名', 'x'.repeat(65), '__proto__']) {
    const others = [...named('', 3), 'a', 'b']
    const table = [name, ...others, name, 'c'].reduce<Table<number>>(
      (rows, one, at) => withLast(rows, one, at, 3),
      {},
    )
    assert.deepEqual([rowOf(table, 'b'), rowOf(table, name), rowOf(table, 'c')], [5, 6, 7], name)
    assert.equal(Object.keys(table).length, 3)
  }
})

test('never drops rows that must stay for others', () => {
  const first = answered({}, ['first'], 'never')
  const full = answered(first, named('a', 60), 'always')
  assert.equal(full['first'], 'never')
  assert.equal(Object.keys(full).length, 30)
  const ruledOut = answered(full, named('n', 40), 'never')
  assert.equal(ruledOut['first'], 'never')
  assert.deepEqual(Object.keys(ruledOut), ['first', ...named('n', 40)])
})

test('keeps at most 50 rows that must stay, under 4 KB', () => {
  const long = named('n'.repeat(60), 80)
  const table = answered({}, long, 'never')
  assert.equal(Object.keys(table).length, 50)
  assert.ok(JSON.stringify({ answers: table }).length < 4096)
})
