import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import fastJsonPatch, { type Operation } from 'fast-json-patch'
import { defineTool } from 'echelon'
import { type Client, ClientError, createClient, type StepView } from 'echelon/client'
import { createAssistant } from '@echelon/assist'
import { hashToken, newToken, serveAssistant } from '@echelon/server'
import { z } from 'zod'
import { demoSupport } from './a2a/a2a-served.ts'
import { decider, scripted, serving, type Store } from './served.ts'

async function clientOf(
  t: TestContext,
  agentsOn: Parameters<typeof serving>[1],
): Promise<{ client: Client; store: Store }> {
  const { url, store } = await serving(t, agentsOn)
  return { client: createClient({ url }), store }
}

async function decided(t: TestContext, input = 'What is 15 * 23?') {
  const { client, store } = await clientOf(t, async (kept) => [await decider(kept)])
  const { id } = await client.runs.start({ agent: 'decide', input })
  await client.runs.end(id)
  return { client, store, id }
}

const ofRoot = (steps: readonly StepView[]) => steps.filter(({ path }) => path === '')

test('the steps of a run tell what was asked, of whom, what it took, and what was noted', async (t) => {
  const { client, id } = await decided(t)
  const { steps, models, unknown, next, first } = await client.runs.steps(id)
  assert.deepEqual([unknown, next, first], [null, null, 0])
  assert.deepEqual(models, { small: 'offline/small', big: 'offline/big' })
  const asks = steps.find(({ effect }) => effect === 'generate')
  assert.deepEqual([asks?.targets, asks?.role], [['offline/small'], 'small'])
  assert.equal(asks?.reserved['calls.small'], 1)
  assert.equal(asks.spent['calls.small'], 1)
  assert.ok((asks.spent['output.small'] ?? 0) > 0)
  const acts = steps.find(({ effect }) => effect === 'call-tools')
  assert.deepEqual(acts?.targets, ['calculator'])
  assert.ok(steps.every((step) => step.closed_at !== null && step.closed_at >= step.opened_at))
  const stages = steps.flatMap(({ notes }) => notes.map(({ stage }) => stage))
  assert.ok(stages.length > 0)
  const events = []
  for await (const { event } of client.runs.events(id)) events.push(event)
  const noted = events.flatMap((event) => (event.type === 'note' ? event.note.stage : []))
  assert.deepEqual(
    stages,
    noted.filter((stage) => stages.includes(stage)),
    'the notes are those of the events',
  )
})

test('the patch of each step leads from the state before it to the state after it', async (t) => {
  const { client, id } = await decided(t)
  const { steps } = await client.runs.steps(id)
  let last: unknown
  for (const { seq, changed } of ofRoot(steps)) {
    const { before, after, changes, step, unknown } = await client.runs.step(id, seq)
    assert.equal(unknown, null)
    assert.equal(step.seq, seq)
    if (last !== undefined) assert.deepEqual(before, last)
    const patch: Operation[] = JSON.parse(JSON.stringify(changes))
    const patched: unknown = fastJsonPatch.applyPatch(structuredClone(before), patch).newDocument
    assert.deepEqual(patched, after)
    assert.deepEqual(
      changed,
      changes.map(({ op, path }) => ({ op, path })),
    )
    last = after
  }
  assert.ok(JSON.stringify(last).includes('345'))
  await assert.rejects(client.runs.step(id, 999), { status: 404 })
})

test('journal, model calls and steps come in pages', async (t) => {
  const { client, store, id } = await decided(t)
  const entries = await Promise.resolve(store.runs.read(id))
  const read: unknown[] = []
  for (let after: number | null = 0; after !== null;) {
    const page = await client.runs.journal(id, { after, limit: 3 })
    assert.ok(page.entries.length <= 3)
    read.push(...page.entries.map(({ entry }) => entry['type']))
    after = page.next
  }
  assert.deepEqual(
    read,
    entries.map(({ type }) => type),
  )
  const { calls } = await client.runs.messages(id, { limit: 1 })
  assert.equal(calls.length, 1)
  assert.equal(calls[0]?.model, 'offline/small')
  assert.match(JSON.stringify(calls[0]?.prompt), /15 \* 23/)
  assert.equal(calls[0]?.seen?.type, 'generated')
  const [first, second] = [
    await client.runs.steps(id, { limit: 1 }),
    await client.runs.steps(id, { after: 1, limit: 1 }),
  ]
  assert.equal(first.next, 1)
  assert.deepEqual([first.steps[0]?.seq, second.steps[0]?.seq], [0, 1])
})

test('the ledger adds up: what is left is the limit without what is spent', async (t) => {
  const { client, id } = await decided(t)
  const { limits, spent, reserved, left, models, inherited } = await client.runs.ledger(id)
  assert.deepEqual([reserved, inherited], [{}, {}])
  for (const [counter, limit] of Object.entries(limits)) {
    assert.equal(left[counter], Math.max(0, limit - (spent[counter] ?? 0)), counter)
  }
  const { end } = await client.runs.get(id)
  const small = models.find(({ role }) => role === 'small')
  assert.deepEqual(
    [small?.model, small?.calls, small?.input_tokens],
    ['offline/small', end?.rungs[0]?.calls, end?.input_tokens],
  )
  const { steps } = await client.runs.steps(id)
  const sum = steps.reduce((all, step) => all + (step.spent['tokens'] ?? 0), 0)
  assert.equal(sum, spent['tokens'])
})

test('a run that waits tells its open step, what it asks, and what it reserved', async (t) => {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ amount: z.number() }),
    does: 'acts',
    needsApproval: true,
    run: () => 'paid',
  })
  const { client } = await clientOf(t, (store) => [
    scripted(store, [{ toolCalls: [{ tool: 'pay', input: { amount: 5 } }] }, 'Paid.'], {
      tools: [pay],
    }),
  ])
  const { id } = await client.runs.start({ agent: 'chat', input: 'Pay 5' })
  for await (const { event } of client.runs.events(id)) if (event.type === 'request-open') break
  const { steps } = await client.runs.steps(id)
  const open = steps.at(-1)
  assert.deepEqual(
    [open?.effect, open?.targets, open?.closed_at, open?.seen],
    ['call-tools', ['pay'], null, null],
  )
  const [approval] = await client.approvals.list()
  assert.equal(open?.asked[0]?.id, approval?.request)
  assert.ok(approval !== undefined)
  await client.approvals.answer(approval, { choice: 'once' })
  await client.runs.end(id)
  const after = (await client.runs.steps(id)).steps.find(({ seq }) => seq === open?.seq)
  assert.deepEqual([after?.asked[0]?.reply, after?.closed_at === null], ['once', false])
})

test('the assistant and the support agent can be looked into as well', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { client } = await clientOf(t, async (store) => [
    serveAssistant(createAssistant({ store }), { maxCost: 0 }),
    await demoSupport(store, folder),
  ])
  for (const [agent, input] of [
    ['assist', 'Should I move to another town?'],
    ['support', 'Where is my order O-12345?'],
  ] as const) {
    const { id } = await client.runs.start({ agent, input, session: 's' })
    const { end } = await client.runs.end(id)
    assert.deepEqual([end?.cost, end?.input_tokens, end?.rungs], [0, 0, []], agent)
    const { steps, unknown } = await client.runs.steps(id)
    assert.equal(unknown, null, agent)
    assert.ok(
      ofRoot(steps).every(({ effect }) => effect !== null),
      agent,
    )
    assert.ok(
      steps.some(({ notes }) => notes.length > 0),
      agent,
    )
    assert.notEqual((await client.runs.step(id, 1)).after, null, agent)
  }
})

test('what looks into a run is redacted, and is its user`s alone', async (t) => {
  const [ada, bob] = [newToken(), newToken()]
  const { url } = await serving(t, async (store) => [scripted(store, ['Noted.'])], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada) },
      { name: 'bob', sha256: hashToken(bob) },
    ],
  })
  const [mine, other] = [createClient({ url, token: ada }), createClient({ url, token: bob })]
  const secret = 'sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH'
  const input = `Write to ann.smith@example.org with the key ${secret}`
  const { id } = await mine.runs.start({ agent: 'chat', input })
  await mine.runs.end(id)
  const views = [
    (client: Client) => client.runs.steps(id),
    (client: Client) => client.runs.step(id, 0),
    (client: Client) => client.runs.journal(id),
    (client: Client) => client.runs.messages(id),
    (client: Client) => client.runs.ledger(id),
  ]
  for (const view of views) {
    const text = JSON.stringify(await view(mine))
    assert.ok(!text.includes(secret) && !text.includes('ann.smith@example.org'), text)
    await assert.rejects(
      view(other),
      (error) => error instanceof ClientError && error.status === 404,
    )
  }
})

test('a fork starts from a step with another model, and counts its own cost alone', async (t) => {
  const { client } = await clientOf(t, async (store) => [
    await decider(store),
    scripted(store, ['Once.', 'Twice.']),
  ])
  const { id } = await client.runs.start({ agent: 'decide', input: 'What is 15 * 23?' })
  await client.runs.end(id)
  const { steps } = await client.runs.steps(id)
  const at = steps.find(({ effect }) => effect === 'generate')?.seq ?? 0
  const fork = await client.runs.fork(id, { at, models: { small: 'offline/big' } })
  assert.equal(fork.forked_from, id)
  const { end } = await client.runs.end(fork.id)
  assert.deepEqual([end?.text, end?.rungs[0]?.model], ['345', 'offline/big'])
  await assert.rejects(client.runs.fork(id, { at, models: { none: 'offline/big' } }), {
    status: 400,
  })
  const told = await client.runs.start({ agent: 'chat', input: 'Hi' })
  const { end: first } = await client.runs.end(told.id)
  assert.ok((first?.cost ?? 0) > 0)
  const whole = await client.runs.steps(told.id)
  const again = await client.runs.fork(told.id, { at: whole.steps.length })
  const { end: nothing } = await client.runs.end(again.id)
  assert.deepEqual([nothing?.text, nothing?.cost, nothing?.input_tokens], ['Once.', 0, 0])
  const { inherited, spent } = await client.runs.ledger(again.id)
  assert.equal(inherited['money'], spent['money'])
  const { rows } = await client.costs({ by: 'agent' })
  assert.equal(rows.find(({ key }) => key === 'chat')?.cost, first?.cost)
})
