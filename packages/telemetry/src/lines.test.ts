import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { LONGEST_LINE } from 'echelon/internal/audit'
import { linesFromEnd, linesOf } from './lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-lines-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'text')

interface Told {
  readonly text: string
  readonly complete: boolean
}

/** The expected result of both readers. */
function linesIn(text: string): readonly Told[] {
  const parts = text.split('\n')
  const last = parts.pop() ?? ''
  const whole = parts.map((part) => ({ text: part, complete: true }))
  return last === '' ? whole : [...whole, { text: last, complete: false }]
}

function backwards(size: number, downTo?: number): readonly (Told & { start: number })[] {
  const file = openSync(path, 'r')
  try {
    return Array.from(linesFromEnd(file, size, downTo), ({ bytes, complete, start }) => ({
      text: bytes.toString('latin1'),
      complete,
      start,
    }))
  } finally {
    closeSync(file)
  }
}

// Some longer than a read block, so that lines cross block boundaries.
const texts = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\u00e4') }) },
      { weight: 1, arbitrary: fc.nat(150_000).map((length) => 'x'.repeat(length)) },
    ),
  )
  .map((lines) => lines.join('\n'))

test('property: reading forwards and backwards gives the same lines', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), async (text, ends) => {
      const whole = ends && text !== '' ? `${text}\n` : text
      writeFileSync(path, whole, 'latin1')
      const expected = linesIn(whole)
      const forth: Told[] = []
      for await (const { bytes, complete, number } of linesOf(path)) {
        forth.push({ text: bytes.toString('latin1'), complete })
        assert.equal(number, forth.length)
      }
      assert.deepEqual(forth, expected)
      const back = backwards(whole.length)
      assert.deepEqual(
        back.map(({ text, complete }) => ({ text, complete })),
        expected.toReversed(),
      )
      for (const { text, start } of back) assert.ok(whole.startsWith(text, start))
      const from = back[2]?.start
      if (from !== undefined) assert.deepEqual(backwards(whole.length, from), back.slice(0, 3))
    }),
    { numRuns: 60 },
  )
})

test('reading stops at a given size', async () => {
  writeFileSync(path, 'one\ntwo\nthree\n')
  const read: string[] = []
  for await (const { bytes } of linesOf(path, 8)) read.push(bytes.toString())
  assert.deepEqual(read, ['one', 'two'])
})

test('a huge line is not kept in memory: it is truncated or refused', async () => {
  writeFileSync(path, `a\n${'x'.repeat(4 * LONGEST_LINE)}\nb\n`)
  const lengths: number[] = []
  for await (const { bytes } of linesOf(path)) lengths.push(bytes.length)
  assert.equal(lengths.length, 3)
  assert.ok((lengths[1] ?? 0) <= LONGEST_LINE + 64 * 1024)
  assert.throws(() => backwards(4 * LONGEST_LINE), /not a records file/)
})
