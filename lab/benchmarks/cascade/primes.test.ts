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

  test('proves recorded answers with the calculator, and promotes the rest', async (context) => {
    const told = (number: number, small: string, big: string): object => ({
      question: `Is ${number} a prime number? Think step by step, then answer yes or no.`,
      gold: number === 221 ? 'no' : 'yes',
      answers: {
        'gpt-3.5-turbo-0613': { says: small, text: `Let me see.\n\n[${small}]` },
        'gpt-4-0314': { says: big, text: `[${big}]` },
      },
    })
    const rows = [told(211, 'yes', 'no'), told(221, 'yes', 'no'), told(223, 'no', 'no')]
    const printed = await primeFigures(await folderOf(context, rows))
    assert.match(printed, /^plan on .*: proved 1 of 3, wrongly 0$/m)
    assert.match(printed, /promoted to gpt-4-0314 2, of which 0 were right; then right \.667$/m)
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
