import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { z } from 'zod'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { AgentSettings } from '../../packages/echelon/src/agents/chat/agent-options.ts'
import { createAgent, defineTool } from '../../packages/echelon/src/chat.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import { cascade, type CascadeOptions } from '../../packages/echelon/src/middleware.ts'
import { recordRun, replayRecording } from '../../packages/echelon/src/replay.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime.ts'
import {
  type Attempt,
  proved,
  refuted,
  scored,
  silent,
  type Verifier,
  type VerifierEffect,
} from '../../packages/echelon/src/verify.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  apiError,
  asBound,
  middlewareContract,
  promptText,
  type ScriptedAnswer,
  scriptedModel,
} from 'echelon/testing'
import { add, asksToAdd, eventsOf, isError, model, source } from './kit.ts'

const [SMALL, BIG] = ['a/small', 'b/big'] as const

/** Takes an answer that says so, and doubts any other. */
const honest: Verifier & { readonly seen: Attempt[] } = {
  name: 'honest',
  features: [],
  seen: [],
  verify(attempt) {
    this.seen.push(attempt)
    const { answer } = attempt
    const text = answer.type === 'json' ? JSON.stringify(answer.value) : (answer.text ?? '')
    if (text.includes('surely')) return proved('it is sure')
    if (text.includes('wrong')) return refuted('it contradicts itself')
    if (text.includes('unclear')) return silent('nothing is known')
    return scored(text.includes('maybe') ? 0.3 : 0.9, 'it sounds right')
  },
}

const OPTIONS: CascadeOptions = { verify: honest, accept: 0.8 }

interface Ladder {
  readonly small: readonly ScriptedAnswer[]
  readonly big?: readonly ScriptedAnswer[]
  readonly options?: Partial<CascadeOptions>
  readonly settings?: AgentSettings
}

function agentOf({ small, big = [], options, settings }: Ladder) {
  const registry = source({ [SMALL]: model(small, SMALL), [BIG]: model(big, BIG) })
  const use = [cascade([SMALL, BIG], { ...OPTIONS, ...options })] as const
  return createAgent({ model: model([], 'x/unused'), registry, use, ...settings })
}

const shownIn = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === 'text-delta') return [event.delta]
    return event.type === 'text-drop' ? ['(dropped)'] : []
  })

const toldIn = (events: readonly RunEvent[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === 'middleware' ? [{ event: event.event, data: event.data }] : [],
  )

describe('the cascade of a chat agent', () => {
  test('takes a supported answer of the small model, and calls it supported', async () => {
    const agent = agentOf({ small: [{ text: ['It is ', 'four.'] }] })
    const run = agent.run('2 + 2?')
    const events = await eventsOf(run)
    const { text, cost, state } = await run.result
    assert.equal(text, 'It is four.')
    assert.deepEqual(shownIn(events), ['It is ', 'four.'])
    assert.equal(cost, 15)
    const answer = {
      model: SMALL,
      status: 'supported',
      confidence: 0.9,
      evidence: 'it sounds right',
      promotions: 0,
    }
    assert.deepEqual(toldIn(events), [{ event: 'answered', data: { ...answer, accept: 0.8 } }])
    assert.deepEqual(state.middleware.cascade, {
      proved: 0,
      supported: 1,
      unsupported: 0,
      unchecked: 0,
      promotions: 0,
      last: answer,
    })
  })

  test('promotes an answer that is not supported, with the evidence and without the answer', async () => {
    const big = scriptedModel(['It is surely four.'])
    const registry = source({
      [SMALL]: model(['maybe five'], SMALL),
      [BIG]: asBound(big, BIG, ({ input, output }) => input + output),
    })
    const use = [cascade([SMALL, BIG], OPTIONS)]
    const run = createAgent({ model: model([]), registry, use }).run('2 + 2?')
    const events = await eventsOf(run)
    const { text, cost, messages } = await run.result
    assert.equal(text, 'It is surely four.')
    assert.deepEqual([cost, run.spent['calls.main']], [30, 2])
    assert.deepEqual(shownIn(events), ['It is surely four.'])
    assert.deepEqual(toldIn(events)[0], {
      event: 'promoted',
      data: {
        from: SMALL,
        to: BIG,
        status: 'unsupported',
        confidence: 0.3,
        evidence: 'it sounds right',
        accept: 0.8,
        told: '(An earlier draft of your next message was not accepted: it sounds right. Write it anew, and do not mention the draft.)',
      },
    })
    const [call] = big.calls
    const asked = call === undefined ? '' : promptText(call)
    assert.match(asked, /not accepted: it sounds right\. Write it anew/)
    assert.ok(!asked.includes('five'))
    assert.equal(messages.length, 2)
  })

  test('leaves the prompt as it is where evidence is not to be passed on', async () => {
    const asked: string[] = []
    const agent = agentOf({
      small: ['wrong'],
      big: [
        (call) => {
          asked.push(promptText(call))
          return 'surely'
        },
      ],
      options: { passEvidence: false },
    })
    await agent.run('Well?').result
    assert.deepEqual(asked, ['user: Well?'])
  })

  test('judges tool calls before they are made, and each step begins on the small model', async () => {
    const calls: unknown[] = []
    const pay = defineTool({
      name: 'pay',
      description: 'sends money',
      does: 'acts',
      input: z.object({ euros: z.number() }),
      run: ({ euros }) => {
        calls.push(euros)
        return 'paid'
      },
    })
    const paysWith = (euros: number, text: string): ScriptedAnswer => ({
      text,
      toolCalls: [{ tool: 'pay', input: { euros } }],
    })
    honest.seen.length = 0
    const agent = agentOf({
      small: [paysWith(2000, 'wrong'), 'surely done'],
      big: [paysWith(20, 'surely')],
      settings: { tools: [pay] },
    })
    const run = agent.run('Pay 20 euros.')
    const { text, state } = await run.result
    assert.deepEqual([text, calls], ['surely done', [20]])
    assert.equal(state.middleware.cascade.promotions, 1)
    const [first, , last] = honest.seen
    assert.deepEqual(first?.answer.type === 'calls' && first.answer.calls[0]?.input, {
      euros: 2000,
    })
    assert.deepEqual(
      first?.task.tools?.map(({ name }) => name),
      ['pay'],
    )
    assert.deepEqual(
      last?.made.map(({ call, outcome }) => [call.input, outcome]),
      [[{ euros: 20 }, { type: 'ok', value: 'paid' }]],
    )
  })

  test('shows a draft and takes it back on request', async () => {
    const agent = agentOf({
      small: [{ text: ['maybe ', 'five'] }],
      big: [{ text: ['surely ', 'four'] }],
      options: { show: 'draft' },
    })
    const run = agent.run('2 + 2?')
    const events = await eventsOf(run)
    assert.deepEqual(shownIn(events), ['maybe ', 'five', '(dropped)', 'surely ', 'four'])
    assert.equal((await run.result).text, 'surely four')
  })

  test('promotes a model that fails, and an answer that is cut off or empty', async () => {
    const cases: readonly ScriptedAnswer[] = [
      { error: apiError(503) },
      { error: new Error('cut'), after: ['surely '] },
      { text: 'surely', finishReason: 'length' },
      '',
    ]
    for (const small of cases) {
      const agent = agentOf({
        small: [small],
        big: ['maybe'],
        settings: { errorHandling: { retries: 0 } },
      })
      const run = agent.run('Well?')
      const events = await eventsOf(run)
      const { text, state } = await run.result
      assert.deepEqual([text, shownIn(events)], ['maybe', ['maybe']])
      const { last } = state.middleware.cascade
      assert.deepEqual([last?.status, last?.confidence], ['unsupported', 0.3])
    }
  })

  test('never returns a draft that was not accepted when the budget refuses the promotion', async () => {
    const agent = agentOf({ small: ['maybe'], big: ['surely'], settings: { limits: { calls: 1 } } })
    const run = agent.run('Well?')
    const events = await eventsOf(run)
    const { text, reason } = await run.result
    assert.deepEqual([text, reason, shownIn(events)], ['', 'budget:calls.main', []])
  })

  test('judges JSON against its schema', async () => {
    honest.seen.length = 0
    const agent = createAgent({
      model: model([]),
      registry: source({
        [SMALL]: model(['{"name":"wrong"}'], SMALL),
        [BIG]: model(['{"name":"Ada, surely"}'], BIG),
      }),
      use: [cascade([SMALL, BIG], OPTIONS)],
      output: z.object({ name: z.string() }),
    })
    const { output } = await agent.run('Who?').result
    assert.deepEqual(output, { name: 'Ada, surely' })
    const [first] = honest.seen
    assert.deepEqual(
      [first?.answer, first?.task.wanted.kind],
      [{ type: 'json', value: { name: 'wrong' } }, 'json'],
    )
  })

  test('refuses a ladder of one model, an invalid threshold, and unknown options', () => {
    const wrong: readonly [readonly string[], object, RegExp][] = [
      [[SMALL], {}, /name at least two models/],
      [[SMALL, BIG], { accept: 2 }, /accept cannot be 2/],
      [[SMALL, BIG], { acept: 1 }, /no option acept.*accept/],
      [[SMALL, BIG], { unchecked: 'maybe' }, /unchecked/],
    ]
    for (const [models, options, says] of wrong) {
      assert.throws(
        () => cascade(models, { ...OPTIONS, ...options }),
        isError('INVALID_CONFIG', says),
      )
    }
  })
})

/** Asks for these effects, and takes an answer by what came of them. */
const asking = (effects: readonly VerifierEffect[], good: RegExp): Verifier => ({
  name: 'asking',
  features: [],
  verify: (_, observed) =>
    observed.length < effects.length
      ? { verdict: 'ask', effects }
      : scored(good.test(JSON.stringify(observed)) ? 0.9 : 0.1, 'others were asked'),
})

const OPINION = {
  type: 'generate',
  role: 'opinion',
  messages: Thread.of([userMessage('What is 2 + 2?')]),
  maxTokens: 50,
} as const

describe('what a verifier asks for in a cascade', () => {
  test('is metered as calls of the run, is not shown, and leaves a shown draft alone', async () => {
    for (const show of ['accepted', 'draft'] as const) {
      const registry = source({
        [SMALL]: model([{ text: ['It is ', 'four'] }], SMALL),
        [BIG]: model([], BIG),
        'c/other': model([{ text: ['four ', 'too'] }], 'c/other'),
      })
      const verify = asking([OPINION], /four too/)
      const use = [
        cascade([SMALL, BIG], { verify, accept: 0.8, show, ask: { opinion: 'c/other' } }),
      ]
      const run = createAgent({ model: model([]), registry, use }).run('2 + 2?')
      const events = await eventsOf(run)
      const { text, cost } = await run.result
      assert.deepEqual([text, cost, run.spent['calls.main']], ['It is four', 30, 2])
      assert.deepEqual(shownIn(events), ['It is ', 'four'])
    }
  })

  test('may be an answer of the small model itself', async () => {
    const agent = agentOf({
      small: ['four', 'four again'],
      options: { verify: asking([{ ...OPINION, role: 'small' }], /four again/) },
    })
    assert.equal((await agent.run('2 + 2?').result).text, 'four')
  })

  test('is refused within the limits of the run, and told to the verifier', async () => {
    const agent = agentOf({
      small: ['four'],
      big: ['surely four'],
      options: { verify: asking([OPINION], /never/), ask: { opinion: SMALL } },
      settings: { limits: { calls: 1 } },
    })
    const run = agent.run('2 + 2?')
    assert.equal((await run.result).reason, 'budget:calls.main')
    assert.equal(run.spent['calls.main'], 1)
  })

  test('may be calls of tools that only read, counted as checks', async () => {
    const deleted: string[] = []
    const drop = defineTool({
      name: 'drop',
      description: 'deletes a file',
      does: 'acts',
      input: z.object({}),
      run: () => {
        deleted.push('file')
        return 'gone'
      },
    })
    const calls = ['add', 'drop', 'none'].map((tool) => ({
      id: `check-${tool}`,
      tool,
      input: tool === 'add' ? { a: 2, b: 2 } : {},
    }))
    const observed = /"value":4.*"type":"denied".*UNKNOWN_TOOL/
    const agent = agentOf({
      small: ['four'],
      options: { verify: asking([{ type: 'call-tools', calls }], observed) },
      settings: { tools: [add, drop] },
    })
    const run = agent.run('2 + 2?')
    assert.equal((await run.result).text, 'four')
    assert.deepEqual([run.spent['checks'], deleted], [1, []])
  })

  test('is not asked for the answer of the last model, which stays unchecked', async () => {
    const agent = agentOf({
      small: ['five', 'other'],
      big: ['four'],
      options: { verify: asking([{ ...OPINION, role: 'small' }], /never/) },
    })
    const { text, state } = await agent.run('2 + 2?').result
    assert.equal(text, 'four')
    assert.equal(state.middleware.cascade.last?.status, 'unchecked')
  })

  test('without a model for its role promotes, and says what to name', async () => {
    const agent = agentOf({
      small: ['five'],
      big: ['four'],
      options: { verify: asking([OPINION], /name one with ask: \{ opinion:/) },
    })
    // The verifier read the sentence, and took it for support.
    assert.equal((await agent.run('2 + 2?').result).text, 'five')
  })
})

describe('a cascade that is resumed', () => {
  const agentOn = (journal: Journal, small: readonly ScriptedAnswer[], big: ScriptedAnswer) =>
    agentOf({
      small,
      big: [big],
      settings: {
        journal,
        tools: [add],
        limits: { money: 3000, tokens: 3000, calls: 6 },
        configureOptions: (options) => ({ ...options, maxTokens: 100 }),
      },
    })

  test('asks for no answer that is on record', async () => {
    const journal = new MemoryJournal()
    const agent = agentOn(journal, [asksToAdd(1, 2), 'maybe'], 'surely three')
    const run = agent.run('1 + 2?')
    const { text, state } = await run.result
    const resumed = await agent.resume(run.id)
    const again = await resumed.result
    assert.deepEqual([again.text, text], ['surely three', 'surely three'])
    assert.deepEqual(again.state, state)
    assert.equal(resumed.spent['calls.main'], 3)
  })

  test('starts an interrupted step on the small model, with what was in flight charged in full', async () => {
    const kept: Entry[] = []
    let isDead = false
    const journal: Journal = {
      append: (_, entries) => {
        if (isDead) throw new Error('the process is gone')
        kept.push(...entries)
      },
      read: () => kept,
    }
    const run = agentOn(journal, ['maybe'], { text: 'late', delayMs: 60_000 }).run('1 + 2?')
    const opened = (): Entry[] => kept.filter(({ type }) => type === 'opened')
    while (opened().length < 2) await new Promise((resolve) => setImmediate(resolve))
    isDead = true
    run.cancel()
    await assert.rejects(run.result, isError('JOURNAL_FAILED'))
    isDead = false
    const resumed = await agentOn(journal, ['maybe'], 'surely three').resume(run.id)
    assert.equal((await resumed.result).text, 'surely three')
    assert.equal(resumed.spent['calls.main'], 4)
    const held = opened().map((entry) => (entry.type === 'opened' && entry.hold['money']) || 0)
    const [draft = 0, promoted = 0] = held
    assert.equal(resumed.spent['money'], draft + promoted + 30)
  })

  test('stops when it is canceled during a promotion', async () => {
    const agent: Agent<object> = agentOf({
      small: ['maybe'],
      big: [{ text: 'late', delayMs: 60_000 }],
    })
    const run = agent.run('Well?')
    for await (const event of run) {
      if (event.type === 'middleware') setImmediate(() => run.cancel())
    }
    assert.equal((await run.result).reason, 'canceled')
  })
})

describe('the contract of middleware holds for the cascade', () => {
  for (const { name, holds } of middlewareContract(() => cascade([SMALL, BIG], OPTIONS))) {
    test(name, holds)
  }
})

test('a recorded cascade is replayed without a model', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cascade-'))
  try {
    const file = join(folder, 'run.jsonl')
    const use = [cascade([SMALL, BIG], OPTIONS)]
    const settings = (small: readonly ScriptedAnswer[], big: readonly ScriptedAnswer[]) => ({
      model: model([], 'x/unused'),
      registry: source({ [SMALL]: model(small, SMALL), [BIG]: model(big, BIG) }),
      tools: [add],
    })
    const recording = recordRun(file)
    const given = settings([asksToAdd(1, 2), 'maybe'], ['surely three'])
    const agent = createAgent({ ...recording.forAgent(given), use })
    const first = await recording.watch(agent.run('1 + 2?')).result
    assert.equal(recording.close(), undefined)
    const replay = await replayRecording(file)
    const again = createAgent({ ...replay.forAgent(settings([], [])), use })
    const second = await replay.watch(again.run('1 + 2?')).result
    assert.deepEqual([second.text, second.cost], [first.text, first.cost])
    assert.deepEqual(second.state, first.state)
    assert.equal(first.state.middleware.cascade.promotions, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
