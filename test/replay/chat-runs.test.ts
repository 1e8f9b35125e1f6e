import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createAgent, defineTool, type Tool, ToolError } from 'echelon/chat'
import { defineMiddleware, timeout } from 'echelon/middleware'
import { recordRun } from 'echelon/replay'
import {
  apiError,
  asBound,
  type ScriptedAnswer,
  scriptedModel,
  startModelServer,
} from 'echelon/testing'
import { z } from 'zod'
import { assertExact, converse, folderFor, recordAndReplay } from './replayed.ts'

const model = (...answers: readonly ScriptedAnswer[]) =>
  asBound(scriptedModel([...answers]), 'test/scripted', () => 0.25)

const calls = (...tools: readonly (readonly [string, Record<string, string>])[]) => ({
  toolCalls: tools.map(([tool, input]) => ({ tool, input })),
})

/** Looks a name up after a delay, and counts its real calls. */
function lookup(name: string, ms: number): Tool & { readonly ran: () => number } {
  let ran = 0
  const tool = defineTool({
    name,
    description: 'looks up',
    input: z.object({ q: z.string() }),
    async run({ q }, context) {
      ran++
      context.progress({ looking: q, at: context.at })
      await wait(ms)
      return { [q]: `${name} knows ${q}` }
    },
  })
  return { ...tool, ran: () => ran }
}

const fileIn = (t: TestContext): string => join(folderFor(t), 'run.jsonl')

test('[C-34] parallel tools, streaming and retries replay exactly, and no tool runs again', async (t) => {
  const tools = [lookup('slow', 12), lookup('fast', 3), lookup('instant', 0)]
  const ran = await recordAndReplay(
    fileIn(t),
    () => ({
      model: model(
        { error: apiError(503) },
        calls(
          ['slow', { q: 'a' }],
          ['fast', { q: 'b' }],
          ['instant', { q: 'c' }],
          ['fast', { q: 'd' }],
        ),
        { text: ['All ', 'is ', 'well.'], delayMs: 5 },
        'And again.',
      ),
      tools,
      errorHandling: { retries: 1, baseMs: 1 },
    }),
    { said: ['Look it all up.', 'Once more.'] },
  )
  assertExact(ran)
  assert.equal(ran.was[0]?.end.text, 'All is well.')
  assert.deepEqual(
    tools.map((tool) => tool.ran()),
    [1, 2, 1],
  )
  assert.equal(ran.is[0]?.events.filter(({ type }) => type === 'tool-progress').length, 4)
})

test('tools of middleware are replayed like those of the agent', async (t) => {
  const told = lookup('told', 1)
  const bringing = defineMiddleware({ name: 'bringing', tools: [told] })()
  const ran = await recordAndReplay(
    fileIn(t),
    () => ({ model: model(calls(['told', { q: 'a' }]), 'Told.'), use: [bringing] }),
    { said: ['Tell me.'] },
  )
  assertExact(ran)
  assert.equal(told.ran(), 1)
})

test('invalid arguments and thrown errors are recorded', async (t) => {
  const fails = defineTool({
    name: 'fails',
    description: 'fails',
    input: z.object({ how: z.enum(['plain', 'coded', 'nothing']) }),
    run({ how }) {
      if (how === 'nothing') return JSON.parse('[1]').at(1)
      if (how === 'coded') throw new ToolError('RATE_LIMIT', 'slow down')
      throw new Error('no')
    },
  })
  const ran = await recordAndReplay(fileIn(t), () => ({
    model: model(
      calls(
        ['fails', { how: 'nothing' }],
        ['fails', { how: 'plain' }],
        ['fails', { how: 'coded' }],
        ['fails', { how: 'oddly' }],
      ),
      'It failed.',
    ),
    tools: [fails],
  }))
  assertExact(ran)
})

test('an unknown outcome of an acting tool is unknown in a replay too', async (t) => {
  const pay = defineTool({
    name: 'pay',
    description: 'pays',
    input: z.object({}),
    does: 'acts',
    run() {
      throw new ToolError('NET_TIMEOUT', 'the answer got lost', { mayHaveActed: true })
    },
  })
  const ran = await recordAndReplay(fileIn(t), () => ({
    model: model(calls(['pay', {}]), 'I cannot tell.'),
    tools: [pay],
  }))
  assertExact(ran)
  assert.match(JSON.stringify(ran), /"type":"unknown"/)
})

test('approvals and questions of a tool get the recorded answers, at once or later', async (t) => {
  let acted = 0
  const pay = defineTool({
    name: 'pay',
    description: 'pays',
    input: z.object({ to: z.string() }),
    does: 'acts',
    needsApproval: true,
    async run({ to }, { ask }) {
      acted++
      return { to, note: (await ask?.('What for?')) ?? null }
    },
  })
  const tools = [pay, lookup('slow', 8)]
  const ran = await recordAndReplay(
    fileIn(t),
    () => ({
      model: model(
        calls(['slow', { q: 'a' }], ['pay', { to: 'Ada' }], ['pay', { to: 'Bob' }]),
        'Paid.',
      ),
      tools,
    }),
    {
      caller(event, run) {
        if (event.type !== 'request-open') return
        const about = JSON.stringify(event.about)
        if (about.includes('What for?')) setTimeout(() => run.respond(event.request, 'lunch'), 3)
        else run.respond(event.request, about.includes('Bob') ? 'never' : 'once')
      },
    },
  )
  assertExact(ran)
  assert.equal(acted, 1)
  assert.ok(
    ran.is[0]?.events.some((event) => event.type === 'request-close' && event.reply === 'lunch'),
  )
})

test('a sub-agent is recorded with its own setup, and neither its models nor its tools are called again', async (t) => {
  const tool = lookup('prices', 2)
  let models = 0
  const options = () => {
    const inner = createAgent({
      name: 'buyer',
      model: model(() => {
        models++
        return calls(['prices', { q: 'lamp' }])
      }, 'A lamp costs 5.'),
      tools: [tool],
    })
    return {
      model: model(calls(['ask_buyer', { task: 'price of a lamp' }]), 'It costs 5.'),
      tools: [inner.asTool({ name: 'ask_buyer', description: 'knows prices' })],
    }
  }
  const ran = await recordAndReplay(fileIn(t), options)
  assertExact(ran)
  assert.equal(ran.was[0]?.end.text, 'It costs 5.')
  assert.deepEqual([models, tool.ran()], [1, 1])
})

test('a late model, a cancel and user input come at their recorded times', async (t) => {
  const late = await recordAndReplay(fileIn(t), () => ({
    model: model({ text: 'too late', delayMs: 60 }),
    use: [timeout({ modelMs: 5 })],
    errorHandling: { retries: 0 },
  }))
  assertExact(late)
  assert.equal(late.was[0]?.end.reason, 'timeout')
  const canceled = await recordAndReplay(
    fileIn(t),
    () => ({
      model: model(calls(['slow', { q: 'a' }]), 'Never said.'),
      tools: [lookup('slow', 40)],
    }),
    {
      caller(event, run) {
        if (event.type === 'tool-progress') setTimeout(() => run.cancel(), 2)
      },
    },
  )
  assertExact(canceled)
  assert.equal(canceled.was[0]?.end.status, 'canceled')
  const heard = await recordAndReplay(
    fileIn(t),
    () => ({
      model: model(calls(['slow', { q: 'a' }]), 'Shorter.'),
      tools: [lookup('slow', 6)],
    }),
    {
      caller(event, run) {
        if (event.type === 'tool-progress') run.hear('Make it short.')
      },
    },
  )
  assertExact(heard)
})

test('the file is readable only by its owner, and contains no provider key, given or configured', async (t) => {
  const file = fileIn(t)
  const [given, configured] = ['live', 'conf'].map((kind) =>
    ['sk', kind, 'abcdefghijklmnop'].join('-'),
  )
  assert.ok(given !== undefined && configured !== undefined)
  const server = await startModelServer([
    {
      type: 'reply',
      text: [`Your keys are ${given.slice(0, 9)}`, `${given.slice(9)} and ${configured}.`],
    },
  ])
  t.after(() => server.close())
  process.env['OPENAI_API_KEY'] = configured
  t.after(() => delete process.env['OPENAI_API_KEY'])
  const recording = recordRun(file)
  const providers = { 'openai-compatible': { apiKey: given, baseUrl: server.baseUrl } }
  const [ran] = await converse(recording, { model: 'openai-compatible/any', providers }, {})
  assert.equal(recording.close(), undefined)
  assert.ok(ran?.end.text.includes(given))
  const text = readFileSync(file, 'utf8')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!text.includes(given) && !text.includes(configured))
  assert.match(text, /Your keys are \[redacted:secret\] and \[redacted:secret\]\./)
})
