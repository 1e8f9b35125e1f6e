import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { AgentSettings } from '../../packages/echelon/src/agents/chat/agent-options.ts'
import type { ChatRun } from '../../packages/echelon/src/agents/chat/chat-run.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { condensed } from '../../packages/echelon/src/core/journal/condensed.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Snapshot } from '../../packages/echelon/src/core/journal/snapshot.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { defineMiddleware } from '../../packages/echelon/src/middleware.ts'
import { findStarted } from '../../packages/echelon/src/runtime/journal/fold.ts'
import { replayRun } from '../../packages/echelon/src/runtime/journal/replay.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import type { ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { KeptJournal } from '../runtime/kept-journal.ts'
import { settled } from '../runtime/kit.ts'
import { add, agentWith, asksToAdd, eventsOf, isError, model } from './kit.ts'

const SUSPEND = { suspend: { afterMs: 100 } }

/** Waits until it is suspended. */
async function leftBy(run: ChatRun, clock: SetClock): Promise<EchelonError> {
  await settled()
  await clock.advance(100)
  const error: unknown = await run.result.then(
    () => assert.fail('it ended'),
    (thrown: unknown) => thrown,
  )
  assert.ok(isError('RUN_SUSPENDED')(error), String(error))
  assert.ok(error instanceof EchelonError)
  return error
}

function requestOf({ details }: EchelonError): string {
  const [request] = [details['requests']].flat()
  assert.ok(typeof request === 'string')
  return request
}

/** A tool that needs approval, and how often it ran. */
function paying(): { readonly tool: Tool; readonly paid: () => number } {
  let paid = 0
  const tool = defineTool({
    name: 'pay',
    description: 'pays',
    input: z.object({}),
    does: 'acts',
    needsApproval: true,
    run: () => ++paid,
  })
  return { tool, paid: () => paid }
}

const ASKS_TO_PAY = { toolCalls: [{ tool: 'pay', input: {} }] }

describe('an agent that waits for an approval', () => {
  test('is suspended, and another process resumes it with the answer', async () => {
    const [journal, clock] = [new KeptJournal(), new SetClock()]
    const { tool, paid } = paying()
    const settings: AgentSettings = { journal, clock, tools: [tool], ...SUSPEND }
    const run = agentWith([ASKS_TO_PAY], settings).run('pay', { runId: 'r' })
    const request = requestOf(await leftBy(run, clock))
    assert.equal(paid(), 0)
    journal.put('r', { type: 'replied', request, reply: 'once', at: 1, by: 'ada' })
    const other = agentWith(['Paid.'], settings)
    assert.equal((await (await other.resume('r')).result).text, 'Paid.')
    assert.equal(paid(), 1)
  })

  test('leaves its session as it was, and the turn belongs to the session when it is resumed', async () => {
    const [journal, clock] = [new KeptJournal(), new SetClock()]
    const { tool } = paying()
    const settings: AgentSettings = { journal, clock, tools: [tool], ...SUSPEND }
    const agent = agentWith(['Hello.', ASKS_TO_PAY, 'Paid.'], settings)
    const session = agent.session('s')
    await agent.run('hi', { session }).result
    const before = session.messages
    const run = agent.run('pay', { session, runId: 'r' })
    const request = requestOf(await leftBy(run, clock))
    assert.deepEqual(session.messages, before)
    journal.put('r', { type: 'replied', request, reply: 'once', at: 1 })
    await (
      await agent.resume('r', { session })
    ).result
    assert.equal(session.length, before.length + 4)
  })

  test('is suspended on request, and records say so', async () => {
    const [journal, clock] = [new KeptJournal(), new SetClock()]
    const ends: unknown[] = []
    const agent = agentWith([ASKS_TO_PAY], {
      journal,
      clock,
      tools: [paying().tool],
      records: { record: (one) => void (one.type === 'run-ended' && ends.push(one.finishReason)) },
    })
    const run = agent.run('pay')
    await settled()
    run.suspend()
    await clock.advance(0)
    await assert.rejects(run.result, isError('RUN_SUSPENDED'))
    await settled()
    assert.deepEqual(ends, ['suspended'])
  })
})

describe('a sub-agent that waits', () => {
  const asTool = { name: 'ask_expert', description: 'knows sums' }
  const ASKS_EXPERT = { toolCalls: [{ tool: 'ask_expert', input: { task: 'pay' } }] }

  test('is suspended with its run, and resumed from the same step', async () => {
    const [journal, clock] = [new KeptJournal(), new SetClock()]
    const { tool, paid } = paying()
    const made = (outer: readonly ScriptedAnswer[], inner: readonly ScriptedAnswer[]): Agent =>
      agentWith(outer, {
        journal,
        clock,
        ...SUSPEND,
        tools: [agentWith(inner, { name: 'expert', tools: [add, tool] }).asTool(asTool)],
      })
    const first = made([ASKS_EXPERT], [asksToAdd(1, 2), ASKS_TO_PAY])
    const request = requestOf(await leftBy(first.run('go', { runId: 'r' }), clock))
    assert.match(request, /^r:1\.0\/3\.0/)
    journal.put('r', { type: 'replied', request, reply: 'once', at: 1 })
    const run = await made(['All done.'], ['Paid.']).resume('r')
    assert.equal((await run.result).text, 'All done.')
    assert.equal(paid(), 1)
  })

  test('is not suspended while a hook around its turn works', async () => {
    const [journal, clock] = [new KeptJournal(), new SetClock()]
    let go = (): void => undefined
    const held = new Promise<void>((resolve) => (go = resolve))
    const slow = defineMiddleware({
      name: 'slow',
      turn: async (turn, next) => {
        await held
        return next(turn)
      },
    })
    const expert = createAgent({ name: 'expert', model: model(['Yes.']), use: [slow()] })
    const calls = [...ASKS_EXPERT.toolCalls, ...ASKS_TO_PAY.toolCalls]
    const agent = agentWith([{ toolCalls: calls }], {
      journal,
      clock,
      tools: [expert.asTool(asTool), paying().tool],
      maxParallelTools: 2,
      ...SUSPEND,
    })
    const run = agent.run('go', { runId: 'r' })
    let over = false
    run.result.then(
      () => (over = true),
      () => (over = true),
    )
    await settled()
    await clock.advance(60_000)
    assert.equal(over, false)
    go()
    await settled()
    await clock.advance(2000)
    await settled()
    assert.equal(over, true)
    await assert.rejects(run.result, isError('RUN_SUSPENDED'))
    assert.match(JSON.stringify(journal.read('r')), /"settled".*Yes\./)
  })
})

describe('a fork of a turn', () => {
  test('continues from a step with other model answers, pays nothing twice, and leaves the conversation', async () => {
    const [journal, clock] = [new KeptJournal(), new SetClock()]
    const { tool, paid } = paying()
    const settings: AgentSettings = {
      journal,
      clock,
      tools: [{ ...tool, needsApproval: false }],
    }
    const agent = agentWith(['Hello.', ASKS_TO_PAY, 'Paid.'], settings)
    const session = agent.session('s')
    await agent.run('hi', { session }).result
    const before = agent.restoreSession(session.checkpoint())
    await agent.run('pay', { session, runId: 'r' }).result
    assert.equal(paid(), 1)
    const whole = session.messages
    const after = await agentWith(['All paid.'], settings).fork('r', {
      at: 2,
      as: 'f1',
      session: before,
    })
    assert.equal((await after.result).text, 'All paid.')
    const again = await agentWith([ASKS_TO_PAY, ASKS_TO_PAY, 'Hm.'], settings).fork('r', {
      at: 0,
      as: 'f2',
      session,
    })
    const { text, messages } = await again.result
    assert.equal(text, 'Hm.')
    assert.equal(paid(), 1, 'the first is on record, the second denied')
    assert.match(JSON.stringify(messages), /"value":1.*pay is denied in a fork/)
    assert.deepEqual(session.messages, whole)
    const ended = await agentWith([], settings).resume('f2', { session: before })
    assert.equal((await ended.result).text, 'Hm.')
    const acting = await agentWith([ASKS_TO_PAY, 'Twice.'], settings).fork('r', {
      at: 0,
      act: ['pay'],
      session,
    })
    await acting.result
    assert.equal(paid(), 1, 'what is on record answers first')
    const bad = await agentWith([], settings).fork('r', { at: 0, act: ['pya'], session })
    await assert.rejects(bad.result, isError('INVALID_INPUT', /act names pya/))
    await assert.rejects(agentWith([]).fork('r', { at: 0 }), isError('INVALID_CONFIG'))
  })
})

test('hooks of the turn and around the tool see it as an error, and events end with it', async () => {
  const [journal, clock] = [new KeptJournal(), new SetClock()]
  const heard: unknown[] = []
  const around = defineMiddleware({
    name: 'around',
    turn: async (turn, next) => {
      try {
        return await next(turn)
      } catch (error) {
        heard.push(error)
        throw error
      }
    },
  })
  const agent = createAgent({
    model: model([ASKS_TO_PAY]),
    journal,
    clock,
    tools: [paying().tool],
    use: [around()],
    ...SUSPEND,
  })
  const run = agent.run('pay')
  const watching = assert.rejects(eventsOf(run), isError('RUN_SUSPENDED'))
  await leftBy(run, clock)
  await watching
  assert.equal(heard.length, 1)
  assert.ok(isError('RUN_SUSPENDED')(heard[0]))
  assert.equal(clock.pending, 0)
})

/** Reads a run with a snapshot in place of its first entries. */
const shortened = (journal: MemoryJournal, snapshot: Snapshot, length: number): Journal => ({
  append: (run, entries) => journal.append(run, entries),
  read: (run) => condensed(journal.read(run).slice(0, length), snapshot),
})

const answers: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  fc.record({
    toolCalls: fc.array(fc.constant({ tool: 'add', input: { a: 1, b: 2 } }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    text: fc.string(),
    toolCalls: fc.constant([{ tool: 'add', input: { a: 1, b: 'two' } }]),
  }),
  fc.constant({ toolCalls: [{ tool: 'none', input: {} }] }),
  fc.record({ text: fc.string({ minLength: 1 }), finish: fc.constantFrom('stop', 'length') }),
  fc.constant({ error: { message: 'down', status: 400 } }),
)

test('the state after any step, after a round trip through JSON, leads to the same end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answers, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (script, asks) => {
        const whole = [...script, 'The end.']
        const settings: AgentSettings = {
          tools: [add],
          instructions: 'add',
          maxIterations: 4,
          atLimit: asks ? 'ask' : 'end',
        }
        const journal = new MemoryJournal()
        const agent = agentWith(whole, { ...settings, journal })
        const run = agent.run('go', { runId: 'r' })
        const answered = answering(run)
        const end = await run.outcome
        await answered
        const { definition } = agent
        assert.ok(typeof definition === 'object')
        const entries = journal.read('r')
        const { models } = findStarted(definition, entries)
        let called = 0
        for (const { seq, asked, moved, spent } of replayRun(definition, entries)) {
          if (asked.type === 'generate') called++
          const state: unknown = JSON.parse(JSON.stringify(moved.state))
          const of = { agent: definition.name, version: definition.version, after: 0, at: 0 }
          const snapshot = { ...of, seq: seq + 1, state, spent, models }
          // Work after the snapshot is recorded, or done again.
          const closed = entries.findIndex((entry) => entry.type === 'closed' && entry.seq === seq)
          for (const length of [entries.length - 1, closed + 1]) {
            const kept = new MemoryJournal()
            kept.append('r', entries)
            const left = length === closed + 1 ? whole.slice(called) : []
            const other = agentWith(left, {
              ...settings,
              journal: shortened(kept, snapshot, length),
            })
            const again = await other.resume('r')
            const replied = answering(again)
            const { text, reason, problem, messages } = await again.outcome
            await replied
            assert.deepEqual([text, reason, problem], [end.text, end.reason, end.problem])
            assert.equal(unnumbered(messages), unnumbered(end.messages))
          }
        }
      },
    ),
    { numRuns: 60, seed: 6 },
  )
})

/** Another model numbers its calls from the beginning. */
const unnumbered = (messages: unknown): string =>
  JSON.stringify(messages).replaceAll(/call-\d+-/g, 'call-')

/** Answers every request with yes. */
async function answering(run: ChatRun): Promise<void> {
  for await (const event of run) {
    if (event.type === 'request-open') run.respond(event.request, true)
  }
}
