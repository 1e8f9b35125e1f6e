import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { openStore } from '@echelon/store'
import { apiError, type ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, agentWith, asksToAdd, eventsOf } from './kit.ts'

const ONCE = { errorHandling: { retries: 0 } }
const failing = (status: number, message?: string): ScriptedAnswer => ({
  error: apiError(status, message === undefined ? {} : { message }),
})

const failedWith =
  (problem: string, says: RegExp = /./) =>
  (error: unknown): boolean =>
    error instanceof EchelonError &&
    error.code === 'MODEL_FAILED' &&
    error.details['problem'] === problem &&
    says.test(error.message)

describe('a failed model call', () => {
  test('rejects the result with the problem, the model and what to do', async () => {
    const statuses = {
      401: ['auth', /set a valid API key for scripted$/],
      404: ['not-found', /check the name of the model/],
      503: ['unavailable', /try again later$/],
      402: ['quota', /add credit/],
    } as const
    for (const [status, [problem, says]] of Object.entries(statuses)) {
      const run = agentWith([failing(Number(status))], ONCE).run('hi')
      await assert.rejects(run.result, failedWith(problem, says))
      await assert.rejects(run.result, failedWith(problem, /^scripted\/one: /))
    }
  })

  test('rejects the result if the answer was withheld', async () => {
    const withheld = { text: ['no'], finishReason: 'content-filter' } as const
    const run = agentWith([withheld]).run('hi')
    await assert.rejects(run.result, failedWith('content-filter'))
    const { reason, text } = await run.outcome
    assert.deepEqual([reason, text], ['filter', 'no'])
  })

  test("is a value of the outcome, with the provider's own problem", async () => {
    const busy = { error: apiError(429, { headers: { 'retry-after': '7' } }) }
    const run = agentWith([busy], ONCE).run('hi')
    const { status, reason, problem, messages } = await run.outcome
    assert.deepEqual([status, reason], ['finished', 'rate-limit'])
    assert.deepEqual(
      [problem?.code, problem?.model, problem?.retryAfterMs],
      ['rate-limit', 'scripted/one', 7000],
    )
    assert.deepEqual(messages, [userMessage('hi')])
    await assert.rejects(run.result, failedWith('rate-limit', /try again in 7 s$/))
  })

  test("rejects the result after a tool has run, and the outcome keeps the tool's work", async () => {
    const run = agentWith([asksToAdd(2, 3), failing(503)], { ...ONCE, tools: [add] }).run('hi')
    await assert.rejects(run.result, failedWith('unavailable'))
    assert.equal((await run.outcome).messages.length, 3)
  })

  test('does not change the events: the last one has the reason', async () => {
    const events = await eventsOf(agentWith([failing(401)], ONCE).run('hi'))
    const last = events.at(-1)
    assert.ok(last?.type === 'run-end')
    assert.equal(last.reason, 'auth')
  })

  test('rejects again when the run is resumed from its journal', async () => {
    const journal = new MemoryJournal()
    const agent = agentWith([failing(401, 'no such key')], { ...ONCE, journal })
    await agent.run('hi', { runId: 'r' }).outcome
    const resumed = await agent.resume('r')
    await assert.rejects(resumed.result, failedWith('auth', /no such key/))
    assert.equal((await resumed.outcome).problem?.attempts, 1)
  })

  test('is reported to the calling agent', async () => {
    const helper = agentWith([failing(401)], { name: 'helper', ...ONCE })
    const tool = helper.asTool({ name: 'ask', description: 'asks' })
    const asks = { toolCalls: [{ tool: 'ask', input: { task: 'x' } }] }
    const { messages, text } = await agentWith([asks, 'sorry'], { tools: [tool] }).run('hi').result
    assert.equal(text, 'sorry')
    assert.match(JSON.stringify(messages), /it ended with auth/)
  })
})

describe('a limit or a cancel', () => {
  test('is a reason of a result that does not reject', async () => {
    const poor = agentWith(['hello'], { limits: { calls: 0 } })
    assert.equal((await poor.run('hi').result).reason, 'budget:calls.main')
    const short = agentWith([{ text: ['hel'], finishReason: 'length' }])
    assert.equal((await short.run('hi').result).reason, 'length')
    const canceled = agentWith(['hello']).run('hi')
    canceled.cancel()
    assert.equal((await canceled.result).status, 'canceled')
  })
})

describe('a session whose turn failed', () => {
  test('is as it was before, free, and accepts the same question again', async () => {
    const agent = agentWith(['hello', failing(503), 'again'], ONCE)
    const session = agent.session()
    await agent.run('hi', { session }).result
    const before = session.messages
    await assert.rejects(agent.run('more?', { session }).result, failedWith('unavailable'))
    assert.equal(session.isBusy, false)
    assert.deepEqual(session.messages, before)
    assert.equal((await agent.run('more?', { session }).result).text, 'again')
    assert.equal(session.length, 4)
    assert.equal(session.undo(), true)
    assert.deepEqual(session.messages, before)
  })

  test('keeps the work done if a model had answered before', async () => {
    const agent = agentWith([asksToAdd(2, 3), failing(503), 'it is 5'], { ...ONCE, tools: [add] })
    const session = agent.session()
    await assert.rejects(agent.run('2 + 3?', { session }).result, failedWith('unavailable'))
    assert.deepEqual(
      session.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    )
    assert.equal((await agent.run('well?', { session }).result).text, 'it is 5')
  })

  test('is the same in a store, also when opened again', async () => {
    const store = await openStore(':memory:')
    const agent = agentWith(['hello', failing(401), 'again'], { ...ONCE, store })
    const session = await agent.openSession('s')
    await agent.run('hi', { session }).result
    await assert.rejects(agent.run('more?', { session }).result, failedWith('auth'))
    const opened = await agent.openSession('s')
    assert.deepEqual(opened.messages, session.messages)
    assert.equal(opened.length, 2)
    assert.equal((await agent.run('more?', { session: opened }).result).text, 'again')
    assert.equal((await agent.openSession('s')).length, 4)
  })
})

describe('a program that only reads events', () => {
  const door = (path: string): string =>
    JSON.stringify(new URL(`../../packages/echelon/src/${path}`, import.meta.url).href)
  const program = (rest: string): string => `
    const { createAgent } = await import(${door('chat.ts')})
    const { apiError, asBound, scriptedModel } = await import(${door('testing/scripted-model.ts')})
    const model = asBound(scriptedModel([{ error: apiError(401) }]))
    const run = createAgent({ model }).run('hi')
    ${rest}
    setTimeout(() => console.log('alive'), 20)`
  const alive = async (rest: string): Promise<string> => {
    const args = [
      '--conditions=echelon-source',
      '--input-type=module-typescript',
      '--eval',
      program(rest),
    ]
    return (await promisify(execFile)(process.execPath, args)).stdout.trim()
  }

  test('is not ended by a failed model call', async () => {
    assert.equal(await alive('for await (const event of run) void event.type'), 'alive')
  })

  test('is not ended by a result that it awaits later', async () => {
    const rest = 'const { result, outcome } = run; for await (const event of run) void result'
    assert.equal(await alive(rest), 'alive')
  })
})
