import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { dateVoteFigures } from './dates.ts'

/** A folder with these rows as the data set. */
async function folderWith(t: TestContext, rows: readonly unknown[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'votes-'))
  t.after(() => rm(folder, { recursive: true }))
  const lines = rows.map((row) => JSON.stringify(row)).join('\n')
  await writeFile(join(folder, 'esc_date_votes.jsonl'), lines)
  return folder
}

const byPrompt = (value: unknown): unknown => ({
  cot1: value,
  cot2: value,
  pot1: value,
  pot2: value,
})

const row = (id: string, small: readonly (string | null)[], big: string): unknown => ({
  id,
  story: id,
  gold: '03/04/2021',
  small: byPrompt(small),
  big_greedy: byPrompt(big),
})

test('votes that are clear are accepted, and all others escalate', async (t) => {
  const folder = await folderWith(t, [
    row('agreed', ['03/04/2021'], '03/05/2021'),
    row('none', [null], '03/04/2021'),
  ])
  const [, first = ''] = (await dateVoteFigures(folder)).split('\n')
  // The small model is right if it agrees with itself, the big one if the small one is silent.
  assert.match(first, /1\.000 ± .* 50\.0 ± /)
  assert.match(first, /\b1\.50\b/, 'two answers settle the first, one the second')
})

test('votes that agree on a wrong date are accepted, and count as wrong', async (t) => {
  const folder = await folderWith(t, [row('wrong', ['05/04/2021'], '03/04/2021')])
  const [, first = ''] = (await dateVoteFigures(folder)).split('\n')
  assert.match(first, /\.000 ± .* 0\.0 ± /)
})

test('an absent set is skipped, and one of another form is rejected', async (t) => {
  assert.match(await dateVoteFigures(join(tmpdir(), 'no-such-folder')), /absent: skipped/)
  await assert.rejects(dateVoteFigures(await folderWith(t, [{ id: 1 }])), { code: 'INVALID_INPUT' })
})
