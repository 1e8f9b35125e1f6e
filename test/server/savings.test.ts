import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent } from 'echelon'
import { createClient } from 'echelon/client'
import { cascade } from 'echelon/middleware'
import { asBound, scriptedModel } from 'echelon/testing'
import { proved, refuted, type Verifier } from 'echelon/verify'
import { type PriceOf, serveChat } from '@echelon/server'
import { scripted, serving, type Store } from './served.ts'

/** US dollars of a token. */
const SMALL = 0.001
const BIG = 0.01

const priced = (name: string, price: number, script: Parameters<typeof scriptedModel>[0]) =>
  asBound(scriptedModel(script), name, ({ input, output }) => price * (input + output))

/** Takes every answer but one that says that it is wrong. */
const honest: Verifier = {
  name: 'honest',
  features: [],
  verify: ({ answer }) =>
    JSON.stringify(answer).includes('wrong') ? refuted('it says so') : proved('it is sure'),
}

/** An agent that asks a small model, and a big one if the answer of that is refuted. */
function ladder(store: Store, small: readonly string[], big: readonly string[]) {
  const models = [priced('test/small', SMALL, small), priced('test/big', BIG, big)] as const
  const agent = createAgent({
    name: 'ladder',
    model: models[0],
    store,
    use: [cascade(models, { verify: honest, accept: 0.5 })],
  })
  return serveChat(agent, { description: 'Asks two.', models: ['test/small', 'test/big'] })
}

const listed: PriceOf = async (model, { input, output }) =>
  model === 'test/big' ? BIG * (input + output) : null

test('an accepted small answer saves the difference to the big model, and a promotion costs what the small one took', async (t) => {
  const { url } = await serving(
    t,
    (store) => [ladder(store, ['One.', 'wrong'], ['Two.']), scripted(store, ['Alone.'])],
    { priceOf: listed },
  )
  const client = createClient({ url })
  const run = async (agent: string) => {
    const { id } = await client.runs.start({ agent, input: 'A number' })
    return (await client.runs.end(id)).end
  }
  const accepted = await run('ladder')
  assert.deepEqual([accepted?.rungs.length, accepted?.escalated], [1, false])
  const tokens = (accepted?.input_tokens ?? 0) + (accepted?.output_tokens ?? 0)
  const first = await client.costs({ by: 'agent' })
  assert.ok(tokens > 0)
  near(first.saved.otherwise, BIG * tokens)
  near(first.saved.amount, (BIG - SMALL) * tokens)
  assert.deepEqual([first.saved.runs, first.saved.left_out], [1, 0])
  const promoted = await run('ladder')
  assert.equal(promoted?.escalated, true)
  const small = promoted.rungs.find(({ model }) => model === 'test/small')
  const second = await client.costs({ by: 'agent' })
  near(second.saved.amount, first.saved.amount - (small?.cost ?? 0))
  await run('chat')
  const { saved, rows } = await client.costs({ by: 'agent' })
  assert.deepEqual([saved.runs, saved.left_out], [2, 0], 'a run of one model is not compared')
  near(rows.find(({ key }) => key === 'ladder')?.saved ?? 0, saved.amount)
  assert.equal(rows.find(({ key }) => key === 'chat')?.saved, 0)
  assert.match(saved.method, /as if the biggest model had used them/)
})

test('a run whose biggest model has no known price is left out and counted', async (t) => {
  const { url } = await serving(t, (store) => [ladder(store, ['One.'], [])], {
    priceOf: async () => null,
  })
  const client = createClient({ url })
  const { id } = await client.runs.start({ agent: 'ladder', input: 'A number' })
  await client.runs.end(id)
  const { saved } = await client.costs()
  assert.deepEqual([saved.amount, saved.runs, saved.left_out], [0, 0, 1])
})

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)
}
