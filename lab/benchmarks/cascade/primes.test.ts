import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { primeFigures } from './primes.ts'

async function folderOf(context: TestContext, rows: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'primes-'))
  context.after(() => rm(folder, { recursive: true }))
  const text = rows.map((row) => JSON.stringify(row)).join('\n')
  await writeFile(join(folder, 'esc_prime.jsonl'), text)
  return folder
}

const row = (number: number, gold: string, says: string | null): object => ({
  question: `Is ${number} a prime number? Think step by step, then answer yes or no.`,
  gold,
  answers: { model: { says, cost_usd: 0.5 } },
})

suite('the cascade on prime numbers', () => {
  test('measures the decision agent and the recorded models on the same questions', async (context) => {
    const rows = [row(211, 'yes', 'yes'), row(221, 'no', 'yes'), row(223, 'yes', null)]
    const printed = await primeFigures(await folderOf(context, rows))
    assert.match(printed, /^echelon, offline +1\.000 ± \.000 +0 +0 +0\.0 % +0\.0000 /m)
    assert.match(printed, /^model, recorded +\.333 ± \.\d+ +1 +1 +- +1\.5000$/m)
  })

  test('counts an answer other than the one in the file as wrong', async (context) => {
    const printed = await primeFigures(await folderOf(context, [row(221, 'yes', 'yes')]))
    assert.match(printed, /^echelon, offline +\.000 ± \.000 +1 +0 /m)
  })

  test('says when the data is absent, or of another form', async (context) => {
    assert.equal(await primeFigures('/nowhere'), 'esc_prime.jsonl: absent: skipped')
    const other = await folderOf(context, [{ prompt: 'x' }])
    await assert.rejects(primeFigures(other), /its keys are: prompt/)
  })
})
