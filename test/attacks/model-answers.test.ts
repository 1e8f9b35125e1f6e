import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { z } from 'zod'
import { createAssistant } from '@echelon/assist'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { createRegistry } from '../../packages/echelon/src/providers.ts'
import { openStore } from '@echelon/store'
import { createSupportAgent } from '@echelon/support'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { type Lie, LIES } from './model-answers/lies.ts'
import { tried } from './tried.ts'

/*
 * Every call of a run gets the same lie, through the public API. However long or broken the answer is, the
 * run ends in time proportional to its length, and reports how it ended.
 */
const MOST_MS = 5000
/** Allowance for the rest of a run: journal, calls, events. */
const A_MEGABYTE_MS = 6000

const model = (answer: ScriptedAnswer) => asBound(scriptedModel([], { beyond: answer }))

async function within(lie: Lie, run: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  const taken = (user + system) / 1000
  const most = MOST_MS + (lie.length / 1e6) * A_MEGABYTE_MS
  assert.ok(taken < most, `it took ${taken.toFixed(0)} ms of ${most.toFixed(0)}`)
}

/** Undefined if the answer is longer than its call allowed: the model call then fails. */
async function answered<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result
  } catch (error) {
    if (error instanceof EchelonError && error.code === 'MODEL_FAILED') return undefined
    throw error
  }
}

const named = ({ name }: Lie): string => name

const add = defineTool({
  name: 'add',
  description: 'adds',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => a + b,
})

suite('model answers that lie or block', () => {
  test('the decision agent verifies none of them, and ends', async (t) => {
    const registry = createRegistry({})
    await tried(t, {
      cases: LIES,
      named,
      hold: (lie) =>
        within(lie, async () => {
          const decider = await createDecider({
            small: 'a/small',
            big: 'a/big',
            registry: { ...registry, resolve: async () => model(lie.answer) },
          })
          const result = await answered(decider.runCase('What is 15 * 23?'))
          if (result === undefined) return
          assert.match(result.finish_reason, /^[a-z_]+$/)
          assert.equal(result.verified, lie.isRight === true && result.answer === '345')
          assert.ok(result.explanation !== '' && result.explanation.length < 5000)
          assert.ok(result.counters.llm_calls_small + result.counters.llm_calls_big <= 8)
        }),
    })
  })

  test('the chat agent makes no call that its tools do not accept, and ends', async (t) => {
    await tried(t, {
      cases: LIES,
      named,
      hold: (lie) =>
        within(lie, async () => {
          const agent = createAgent({ model: model(lie.answer), tools: [add], maxIterations: 3 })
          const end = await answered(agent.run('What is 15 + 23?').result)
          if (end === undefined) return
          assert.equal(end.status, 'finished')
          assert.notEqual(end.reason, '')
        }),
    })
  })

  test('no object is read from them that does not fit its schema', async (t) => {
    const output = z.strictObject({ city: z.string().max(100), days: z.array(z.number()).max(100) })
    await tried(t, {
      cases: LIES,
      named,
      hold: (lie) =>
        within(lie, async () => {
          const agent = createAgent({ model: model(lie.answer), maxIterations: 3 })
          const end = await agent.run('A trip?', { output }).result.catch((error: unknown) => error)
          assert.ok(typeof end === 'object' && end !== null && 'code' in end, 'it was taken')
          assert.ok(end.code === 'NO_OUTPUT' || end.code === 'MODEL_FAILED', String(end.code))
        }),
    })
  })

  test('the assistant answers or asks, and ends', async (t) => {
    await tried(t, {
      cases: LIES,
      named,
      hold: (lie) =>
        within(lie, async () => {
          const assistant = createAssistant({
            model: model(lie.answer),
            store: await openStore(':memory:'),
          })
          const end = await answered(assistant.run('Should I found a company?').result)
          if (end === undefined) return
          assert.equal(typeof end.text, 'string')
          assert.ok(Array.isArray(end.why))
        }),
    })
  })

  test('the support agent does nothing that they say, and ends', async (t) => {
    const message = { text: 'a thing of mine needs looking into', customerId: 'C-001' }
    // The first message of a process trains the embedded reader, which no lie makes longer.
    await (await createSupportAgent()).resolve(message, 'session-1')
    await tried(t, {
      cases: LIES,
      named,
      hold: (lie) =>
        within(lie, async () => {
          const agent = await createSupportAgent({
            llmProvider: model(lie.answer),
          })
          const response = await agent.resolve(message, 'session-1')
          assert.ok(response.text.length > 0 && response.text.length < 5000)
          const done = response.execution?.steps ?? []
          assert.ok(!JSON.stringify(done).includes('refund'), JSON.stringify(done).slice(0, 200))
        }),
    })
  })

  test('there are more than forty of them', () => {
    assert.ok(LIES.length > 40, String(LIES.length))
  })
})
