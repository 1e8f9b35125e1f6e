import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { createAgent } from '../packages/echelon/src/chat.ts'
import { asBound, recordedModel, scriptedModel } from 'echelon/testing'

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'calls.jsonl')
}

const price = () => 0.5
const real = (...answers: readonly string[]) => asBound(scriptedModel(answers), 'acme/fast', price)
const never = () => assert.fail('a replay calls no model')

async function recordedOnce(file: string): Promise<void> {
  const model = await recordedModel(file, { model: real('Lisbon.', 'Oslo.'), record: true })
  assert.equal(model.records, true)
  const agent = createAgent({ model })
  for (const country of ['Portugal', 'Norway']) await agent.run(`The capital of ${country}?`).result
  model.assertComplete()
  model.assertComplete()
}

describe('[C-34] a recorded model', () => {
  test('is called once, and then gives the same answer at the same price', async (t) => {
    const file = fileFor(t)
    await recordedOnce(file)
    const model = await recordedModel(file, { model: never })
    assert.deepEqual([model.id, model.records], ['acme/fast', false])
    const agent = createAgent({ model })
    const { text, cost } = await agent.run('The capital of Norway?').result
    assert.deepEqual([text, cost], ['Oslo.', 0.5])
    assert.throws(() => model.assertComplete(), {
      code: 'UNEXPECTED_CALL',
      message: /recorded answers 1 of/,
    })
    await agent.run('The capital of Portugal?').result
    model.assertComplete()
  })

  test('ends a run that requests something else, and shows the nearest request', async (t) => {
    const file = fileFor(t)
    await recordedOnce(file)
    const model = await recordedModel(file, { model: never })
    const changed = createAgent({ model, instructions: 'Be brief.' })
    await assert.rejects(async () => await changed.run('The capital of Norway?').result, {
      code: 'UNRECORDED_CALL',
      message: /nearest is call \d.*Be brief/s,
    })
  })

  test('keeps the old recording until the next one is complete', async (t) => {
    const file = fileFor(t)
    await recordedOnce(file)
    const before = readFileSync(file, 'utf8')
    const again = { model: () => real('Porto.'), record: true }
    const first = await recordedModel(file, again)
    await createAgent({ model: first }).run('The capital of Portugal?').result
    assert.equal(readFileSync(file, 'utf8'), before)
    // The test failed here; what it left does not hinder the next one.
    const second = await recordedModel(file, again)
    await createAgent({ model: second }).run('The capital of Portugal?').result
    second.assertComplete()
    assert.match(readFileSync(file, 'utf8'), /Porto/)
    assert.deepEqual(readdirSync(join(file, '..')), ['calls.jsonl'])
  })

  test('needs a file for one model', async (t) => {
    const file = fileFor(t)
    await assert.rejects(recordedModel(file, { model: never }), {
      code: 'INVALID_INPUT',
      message: /no recording .*; create it once with record: true/,
    })
    await recordedOnce(file)
    const lines = readFileSync(file, 'utf8')
    const line = lines.split('\n').find((one) => one.includes('"kind":"model"')) ?? ''
    writeFileSync(file, `${lines}${line.replaceAll('acme/fast', 'acme/other')}\n`)
    await assert.rejects(recordedModel(file, { model: never }), {
      code: 'INVALID_INPUT',
      message: /holds 2 models/,
    })
    assert.ok(!existsSync(`${file}.recording`))
  })

  test('accepts any AI SDK model, with an unknown price', async (t) => {
    const file = fileFor(t)
    const model = await recordedModel(file, { model: scriptedModel(['yes']), record: true })
    const { cost } = await createAgent({ model }).run('Well?').result
    assert.equal(cost, null)
  })
})
