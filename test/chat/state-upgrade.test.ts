import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { migration } from '../../packages/echelon/src/core/state/state-migration.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { circuitBreaker } from '../../packages/echelon/src/middleware/reliability/circuit-breaker.ts'
import {
  examineCheckpoint,
  type Examined,
} from '../../packages/echelon/src/runtime/journal/examine.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { add, asksToAdd, eventsOf, isError, model } from './kit.ts'

/** Counts tool calls of the conversation, as text. */
const first = defineMiddleware({
  name: 'calls',
  state: {
    version: 1,
    scope: 'session',
    schema: z.object({ count: z.string() }),
    initial: { count: '0' },
  },
  async tool(call, next, { update }) {
    update(({ count }) => ({ count: `${Number(count) + 1}` }))
    return next(call)
  },
})

/** The same, as a number. */
const second = (migrates: boolean) =>
  defineMiddleware({
    name: 'calls',
    state: {
      version: 2,
      scope: 'session',
      schema: z.object({ count: z.number() }),
      initial: { count: 0 },
      ...(migrates && {
        migrate: {
          1: migration(z.object({ count: z.string() }), (old) => ({ count: Number(old.count) })),
        },
      }),
    },
    async tool(call, next, { update }) {
      update(({ count }) => ({ count: count + 1 }))
      return next(call)
    },
  })()

const SCRIPT = [asksToAdd(1, 2), 'three']

/** The conversation and the journal of its turn after a program of the first version has exited. */
async function before() {
  const journal = new MemoryJournal()
  const agent = createAgent({ model: model(SCRIPT), tools: [add], journal, use: [first()] })
  const session = agent.session('s-1')
  const run = agent.run('how much is 1 + 2?', { session })
  const { state } = await run.result
  assert.equal(state.middleware.calls.count, '1')
  const checkpoint: unknown = JSON.parse(JSON.stringify(session.checkpoint()))
  return { checkpoint, states: session.checkpoint().states, entries: journal.read(run.id) }
}

const examine = (states: Awaited<ReturnType<typeof before>>['states'], agent: Agent): Examined =>
  examineCheckpoint({ kind: 'session', id: 's-1', agent: 'chat', version: 1, states }, [agent])

describe('a conversation continued by a later version of its agent', () => {
  test('[C-27, C-29] its state is migrated, reported, and typed by name', async () => {
    const { checkpoint, states } = await before()
    const agent = createAgent({ model: model(SCRIPT), tools: [add], use: [second(true)] })
    assert.deepEqual(examine(states, agent).changes, [
      { type: 'migrated', key: 'app/calls', from: 1, to: 2 },
    ])
    const session = agent.restoreSession(checkpoint)
    const run = agent.run('and again?', { session })
    const events = await eventsOf(run)
    const count: number = (await run.result).state.middleware.calls.count
    assert.equal(count, 2)
    assert.deepEqual(
      events.filter(({ type }) => type === 'log' || type === 'schema-changed'),
      [
        {
          type: 'log',
          level: 'info',
          message: 'Migrated the state of app/calls from version 1 to 2.',
        },
        {
          type: 'schema-changed',
          isUpgrade: false,
          before: 'app/calls',
          now: 'app/calls',
          migrated: [{ key: 'app/calls', from: 1, to: 2 }],
        },
      ],
    )
    assert.deepEqual(session.checkpoint().states.stateVersions, { 'app/calls': 2 })
  })

  test('[C-29] removed and new middleware are reported', async () => {
    const { checkpoint } = await before()
    const agent = createAgent({ model: model(SCRIPT), tools: [add], use: [circuitBreaker()] })
    const run = agent.run('and again?', { session: agent.restoreSession(checkpoint) })
    const told = (await eventsOf(run)).flatMap((event) =>
      event.type === 'log' ? `${event.level}: ${event.message}` : [],
    )
    assert.deepEqual(told, [
      'warning: Checkpoint contains state for 1 middleware that no longer exist: app/calls. State will be discarded.',
      'info: Detected 1 new middleware not present in checkpoint: echelon/circuitBreaker. State will be initialized to defaults.',
    ])
  })

  test('[C-29] without a migration its next turn is rejected, as the doctor said', async () => {
    const { checkpoint, states } = await before()
    const agent = createAgent({ model: model(SCRIPT), tools: [add], use: [second(false)] })
    assert.equal(examine(states, agent).loads, false)
    const run = agent.run('and again?', { session: agent.restoreSession(checkpoint) })
    await assert.rejects(run.result, isError('STATE_REFUSED', /app\/calls .*add migrate\[1\]/))
  })

  test('[C-29] the journal of its turn is checked against the current agent', async () => {
    const { entries } = await before()
    const try_ = (agent: Agent): Examined =>
      examineCheckpoint({ kind: 'run', entries: JSON.parse(JSON.stringify(entries)) }, [agent])
    const same = try_(createAgent({ model: model([]), tools: [add], use: [first()] }))
    assert.deepEqual([same.check, same.changes, same.ended], [{ type: 'resumable' }, [], true])
    const later = try_(createAgent({ model: model([]), tools: [add], use: [second(true)] }))
    assert.deepEqual(
      [later.check.type, later.changes.map(({ type }) => type)],
      ['resumable', ['migrated']],
    )
  })
})
