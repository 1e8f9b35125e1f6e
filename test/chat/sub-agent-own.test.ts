import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { LogRecord } from '../../packages/echelon/src/core/observability/log.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import {
  apiError,
  asBound,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, agentWith, asksToAdd, eventsOf, model, source } from './kit.ts'

const AS_TOOL = { name: 'ask_expert', description: 'knows sums' }
const ASKS_EXPERT = { toolCalls: [{ tool: 'ask_expert', input: { task: 'what is 2 + 3?' } }] }

describe('an agent used as a tool keeps what it was built with', () => {
  test('its model wrappers and their service container', async () => {
    const expert = createAgent({
      name: 'expert',
      model: model(['unwrapped']),
      services: { inner: scriptedModel(['from the container']) },
      wrapModel: [(_model, { inner }) => inner],
    })
    const agent = createAgent({
      model: model(['unwrapped']),
      services: { outer: scriptedModel([ASKS_EXPERT, 'done']) },
      wrapModel: [(_model, { outer }) => outer],
      tools: [expert.asTool(AS_TOOL)],
    })
    const { messages } = await agent.run('2 + 3?').result
    assert.match(JSON.stringify(messages), /from the container/)
  })

  test('its registry, if its middleware requests a model by name', async () => {
    const models = source({ 'q/other': model(['from the registry'], 'q/other') })
    const elsewhere = defineMiddleware({
      name: 'elsewhere',
      generate: (call, next) => next({ ...call, model: 'q/other' }),
    })
    const expert = createAgent({
      name: 'expert',
      model: model(['mine']),
      registry: models,
      use: [elsewhere()],
    })
    const agent = agentWith([ASKS_EXPERT, 'done'], { tools: [expert.asTool(AS_TOOL)] })
    const { messages } = await agent.run('2 + 3?').result
    assert.match(JSON.stringify(messages), /from the registry/)
  })

  test('its error handling', async () => {
    const busy = { error: apiError(503) }
    const expert = agentWith([busy, 'at the second try'], {
      name: 'expert',
      errorHandling: { retries: 1, baseMs: 0, factor: 1, jitter: 0 },
    })
    const agent = agentWith([ASKS_EXPERT, 'done'], {
      errorHandling: { retries: 0, baseMs: 0, factor: 1, jitter: 0 },
      tools: [expert.asTool(AS_TOOL)],
    })
    const { messages } = await agent.run('2 + 3?').result
    assert.match(JSON.stringify(messages), /at the second try/)
  })
})

describe('events about a sub-agent', () => {
  test('never show its key to listeners, neither during the run nor later', async () => {
    const key = 'a-key-of-the-expert-0123'
    const expert = createAgent({
      name: 'expert',
      model: { provider: 'p', model: 'm', apiKey: key },
      registry: source({ 'p/m': model([`my key is ${key}`], 'p/m') }),
    })
    const agent = agentWith([ASKS_EXPERT, 'done'], { tools: [expert.asTool(AS_TOOL)] })
    const events = await eventsOf(agent.run('2 + 3?'))
    assert.match(JSON.stringify(events), /my key is/)
    assert.doesNotMatch(JSON.stringify(events), new RegExp(key))
  })
})

describe("a sub-agent's listener", () => {
  test('receives events of its own work only', async () => {
    const heard: RunEvent[] = []
    const expert = agentWith(['five'], { name: 'expert', telemetry: (event) => heard.push(event) })
    const agent = agentWith([ASKS_EXPERT, 'done'], { tools: [expert.asTool(AS_TOOL)] })
    await agent.run('2 + 3?').result
    assert.deepEqual(heard.map(placeOf), ['step-start 1.0/', 'step-end 1.0/'])
  })

  test('that also listens to the caller receives everything once', async () => {
    const records: string[] = []
    const events: RunEvent[] = []
    const logging = ({ message }: LogRecord): void => void records.push(message)
    const telemetry = (event: RunEvent): void => void events.push(event)
    const expert = agentWith(['five'], { name: 'expert', telemetry, logging })
    const agent = agentWith([ASKS_EXPERT, 'done'], {
      telemetry,
      logging,
      tools: [expert.asTool(AS_TOOL)],
    })
    await agent.run('2 + 3?').result
    const steps = events.filter(({ type }) => type === 'step-start')
    assert.deepEqual(steps.map(placeOf), [
      'step-start ',
      'step-start ',
      'step-start 1.0/',
      'step-start ',
    ])
    assert.equal(records.filter((message) => message === 'step begun').length, 4)
  })
})

const placeOf = (event: RunEvent): string =>
  `${event.type} ${'path' in event ? event.path : '(nowhere)'}`

describe('the turn of a sub-agent', () => {
  test('is not started if its rules deny it, and the caller reads why', async () => {
    const expert = agentWith(['never said'], {
      name: 'expert',
      permissions: { turn: ({ caller }) => (caller === 'ann' ? undefined : 'only ann may') },
    })
    const agent = agentWith([ASKS_EXPERT, 'it may not'], { tools: [expert.asTool(AS_TOOL)] })
    const { text, messages } = await agent.run('2 + 3?', { caller: 'bob' }).result
    assert.equal(text, 'it may not')
    assert.match(JSON.stringify(messages), /only ann may/)
    assert.doesNotMatch(JSON.stringify(messages), /never said/)
  })

  test('goes through its turn middleware', async () => {
    const scripted = scriptedModel(['five'])
    const expert = createAgent({
      name: 'expert',
      model: asBound(scripted),
      use: [shouting()],
    })
    const agent = agentWith([ASKS_EXPERT, 'done'], { tools: [expert.asTool(AS_TOOL)] })
    const { messages } = await agent.run('2 + 3?').result
    assert.match(JSON.stringify(scripted.calls[0]?.prompt), /please: what is 2/)
    assert.match(JSON.stringify(messages), /FIVE/)
  })

  test('returns its changed answer again when the run is resumed after it', async () => {
    const journal = new MemoryJournal()
    const expert = createAgent({ name: 'expert', model: model(['five']), use: [shouting()] })
    const tools = [expert.asTool(AS_TOOL)]
    await agentWith([ASKS_EXPERT, 'done'], { journal, tools }).run('2 + 3?', { runId: 'r' }).result
    const cut = cutAfter(journal, ({ type, path }) => type === 'ended' && path !== '')
    const again = agentWith(['done again'], { journal: cut, tools })
    const { text, messages } = await (await again.resume('r')).result
    assert.equal(text, 'done again')
    assert.match(JSON.stringify(messages), /FIVE/)
    const ends = cut.read('r').filter((entry) => entry.type === 'ended' && entry.path !== '')
    assert.equal(ends.length, 1)
  })
})

test('two concurrent sub-agents ask for approval one after the other', async () => {
  const guarded = defineTool({ ...add, needsApproval: true })
  const adder = (name: string): Tool =>
    agentWith([asksToAdd(1, 1), name], { name, tools: [guarded] }).asTool({ name, description: '' })
  const asksBoth = {
    toolCalls: ['one', 'two'].map((tool) => ({ tool, input: { task: 'add' } })),
  }
  const agent = agentWith([asksBoth, 'done'], { tools: [adder('one'), adder('two')] })
  const run = agent.run('add twice')
  const open: number[] = []
  for await (const event of run) {
    if (event.type !== 'request-open') continue
    // Time for another request to be made meanwhile.
    await setImmediate()
    open.push(run.requests.length)
    run.respond(event.request, 'once')
  }
  assert.deepEqual(open, [1, 1])
  assert.equal((await run.result).text, 'done')
})

test('a sub-agent resumed after a crash uses the model of its journal, not a newer one', async () => {
  const journal = new MemoryJournal()
  const [before, now] = ['p/before', 'p/now']
  const expertWith = (name: string): Tool =>
    createAgent({
      name: 'expert',
      model: name,
      tools: [add],
      registry: source({
        [before]: model([asksToAdd(2, 3), 'of before'], before),
        [now]: model(['of now'], now),
      }),
    }).asTool(AS_TOOL)
  const first = agentWith([ASKS_EXPERT, 'done'], { journal, tools: [expertWith(before)] })
  await first.run('2 + 3?', { runId: 'r' }).result
  const cut = cutAfter(journal, ({ type, path }) => type === 'started' && path !== '')
  const second = agentWith(['done'], { journal: cut, tools: [expertWith(now)] })
  const { messages } = await (await second.resume('r')).result
  assert.match(JSON.stringify(messages), /of before/)
  const models = cut
    .read('r')
    .flatMap((entry) =>
      entry.type === 'closed' && entry.path !== '' && entry.seen.type === 'generated'
        ? entry.seen.model
        : [],
    )
  assert.deepEqual(models, [before, before])
  assert.ok(cut.read('r').every(({ type }) => type !== 'bound'))
})

const shouting = defineMiddleware({
  name: 'shouting',
  async turn(turn, next) {
    const end = await next({ ...turn, messages: [userMessage('please: what is 2 + 3?')] })
    return { ...end, text: end.text.toUpperCase() }
  },
})

/** The state after a crash right after an entry of the run `r`. */
function cutAfter(
  journal: MemoryJournal,
  isLast: (entry: { readonly type: string; readonly path?: string | undefined }) => boolean,
): MemoryJournal {
  const entries = journal.read('r')
  const cut = new MemoryJournal()
  cut.append('r', entries.slice(0, entries.findIndex(isLast) + 1))
  return cut
}
