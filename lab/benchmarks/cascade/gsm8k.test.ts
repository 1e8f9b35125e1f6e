import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { gsm8kFigures } from './gsm8k.ts'

async function folderOf(
  context: TestContext,
  files: Readonly<Record<string, readonly object[]>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cascade-'))
  context.after(() => rm(folder, { recursive: true }))
  for (const [name, rows] of Object.entries(files)) {
    await writeFile(join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'))
  }
  return folder
}

/** Every third answer is wrong, and its calculation shows it. */
const ROWS = Array.from({ length: 60 }, (_, n) => {
  const right = n % 3 !== 0
  const stated = n * 7 + (right ? 0 : 1)
  return {
    id: `q${n}`,
    question: `A box holds ${n} rows of 7 jars. How many jars is that?`,
    gold: String(n * 7),
    small: { model: 's', text: `${n} * 7 = ${stated}.\n#### ${stated}`, ok_lastnum: right },
    big: { model: 'b', text: `${n * 7}`, ok_lastnum: true },
  }
})

suite('the cascade on GSM8K', () => {
  test('orders answers by their written calculations', async (context) => {
    const printed = await gsm8kFigures(await folderOf(context, { 'esc_gsm8k.jsonl': ROWS }))
    const apgr = /^echelon, own evidence +(\.\d+)/m.exec(printed)?.[1]
    const ideal = /^ideal verifier +(\.\d+)/m.exec(printed)?.[1]
    assert.ok(apgr !== undefined && apgr === ideal)
    assert.match(printed, /^steps refuted 0: 0 of 20 answers are right$/m)
    assert.match(printed, /^final answers graded as in the data: 120 of 120$/m)
    assert.doesNotMatch(printed, /opinions? \(|echelon, four/)
  })

  test('says when the data is absent, or of another form', async (context) => {
    assert.equal(await gsm8kFigures('/nowhere'), 'esc_gsm8k.jsonl: absent: skipped')
    const other = await folderOf(context, { 'esc_gsm8k.jsonl': [{ prompt: 'x' }] })
    await assert.rejects(gsm8kFigures(other), /its keys are: prompt/)
  })
})
