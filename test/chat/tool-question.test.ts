import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import { isJsonObject, type Json } from '../../packages/echelon/src/core/value/json.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { agentWith, isError } from './kit.ts'

const BOOLEAN = { type: 'boolean' }

/** Books a room after asking for missing details; counts how often it was started. */
function booking(): { readonly tool: Tool; readonly begun: () => number } {
  let begun = 0
  const tool = defineTool({
    name: 'book',
    description: 'books a room',
    input: z.object({}),
    timeoutMs: 100,
    run: async (_, { ask }) => {
      begun++
      const nights = await ask?.('How many nights?', { type: 'number' })
      const sea = await ask?.('With a view of the sea?', BOOLEAN)
      return { nights: nights ?? 'none', sea: sea ?? 'none' }
    },
  })
  return { tool, begun: () => begun }
}

const CALLS = { toolCalls: [{ tool: 'book', input: {} }] }

const isOpen = (event: RunEvent): event is Extract<RunEvent, { type: 'request-open' }> =>
  event.type === 'request-open'

const outcomes = (events: readonly RunEvent[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === 'tool-end' ? [event.outcome] : []))

test('a tool asks the user within its call and gets the replies', async () => {
  const { tool } = booking()
  const run = agentWith([CALLS, 'Booked.'], { tools: [tool] }).run('a room, please')
  const replies: Json[] = [3, true]
  const events: RunEvent[] = []
  for await (const event of run) {
    events.push(event)
    if (isOpen(event)) run.respond(event.request, replies.shift() ?? null)
  }
  assert.deepEqual(
    events.filter(isOpen).map(({ about }) => about),
    [
      { question: 'How many nights?', schema: { type: 'number' } },
      { question: 'With a view of the sea?', schema: BOOLEAN },
    ],
  )
  assert.deepEqual(outcomes(events), [{ type: 'ok', value: { nights: 3, sea: true } }])
})

test("while the user thinks, neither the tool's nor the run's time passes", async () => {
  const clock = new SetClock()
  const { tool } = booking()
  const agent = agentWith([CALLS, 'Booked.'], { tools: [tool], clock, limits: { seconds: 5 } })
  const run = agent.run('a room, please')
  const events: RunEvent[] = []
  for await (const event of run) {
    events.push(event)
    if (!isOpen(event)) continue
    await clock.advance(3_600_000)
    run.respond(event.request, true)
  }
  assert.deepEqual(outcomes(events), [{ type: 'ok', value: { nights: true, sea: true } }])
  assert.equal((await run.result).reason, 'stop')
})

test('an invalid reply is rejected, and the question keeps waiting', async () => {
  const { tool } = booking()
  const run = agentWith([CALLS, 'Booked.'], { tools: [tool] }).run('a room, please')
  for await (const event of run) {
    if (!isOpen(event)) continue
    if (JSON.stringify(event.about).includes('boolean')) {
      assert.throws(
        () => run.respond(event.request, 'oui'),
        isError('INVALID_INPUT', /true or false/),
      )
    }
    run.respond(event.request, false)
  }
  assert.equal((await run.result).reason, 'stop')
})

test('a cancel ends the wait, and the tool with it', async () => {
  const { tool } = booking()
  const run = agentWith([CALLS, 'Booked.'], { tools: [tool] }).run('a room, please')
  const closed: Json[] = []
  for await (const event of run) {
    if (isOpen(event)) run.cancel()
    if (event.type === 'request-close') closed.push(event.reply)
  }
  assert.deepEqual(closed, [null])
  assert.equal((await run.result).status, 'canceled')
})

/** Dies before it writes the reply to the second question. */
function dying(kept: Entry[]): Journal {
  let replies = 0
  return {
    append(_runId, entries) {
      for (const entry of entries) {
        if (entry.type === 'replied' && ++replies > 1) throw new Error('the process is gone')
        kept.push(entry)
      }
    },
    read: () => kept,
  }
}

test('after a crash a repeated call gets the recorded reply and asks the remaining questions again', async () => {
  const { tool, begun } = booking()
  const kept: Entry[] = []
  const settings = { tools: [tool], limits: { tools: 9 } }
  const died = agentWith([CALLS], { ...settings, journal: dying(kept) }).run('a room')
  await assert.rejects(async () => {
    for await (const event of died) if (isOpen(event)) died.respond(event.request, 3)
    await died.result
  })
  const journal = new MemoryJournal()
  journal.append(died.id, kept)
  const agent = agentWith(['Booked.'], { ...settings, journal })
  const run = await agent.resume(died.id)
  const events: RunEvent[] = []
  for await (const event of run) {
    events.push(event)
    if (isOpen(event)) run.respond(event.request, true)
  }
  assert.equal(begun(), 2)
  assert.deepEqual(
    events.filter(isOpen).map(({ about }) => about),
    [{ question: 'With a view of the sea?', schema: BOOLEAN }],
  )
  assert.deepEqual(outcomes(events), [{ type: 'ok', value: { nights: 3, sea: true } }])
})

test('an approved call is not asked about again because its tool had a question', async () => {
  const { tool } = booking()
  const asking: Tool = { ...tool, needsApproval: true }
  const kept: Entry[] = []
  let replies = 0
  const journal: Journal = {
    append(_runId, entries) {
      for (const entry of entries) {
        if (entry.type === 'replied' && ++replies > 2) throw new Error('the process is gone')
        kept.push(entry)
      }
    },
    read: () => kept,
  }
  const answer = (about: Json): Json => (JSON.stringify(about).includes('approval') ? 'once' : true)
  const died = agentWith([CALLS], { tools: [asking], journal }).run('a room')
  await assert.rejects(async () => {
    for await (const event of died)
      if (isOpen(event)) died.respond(event.request, answer(event.about))
    await died.result
  })
  const whole = new MemoryJournal()
  whole.append(died.id, kept)
  const run = await agentWith(['Booked.'], { tools: [asking], journal: whole }).resume(died.id)
  const asked: Json[] = []
  for await (const event of run) {
    if (!isOpen(event)) continue
    asked.push(event.about)
    run.respond(event.request, answer(event.about))
  }
  assert.deepEqual(asked, [{ question: 'With a view of the sea?', schema: BOOLEAN }])
})

/** Asks without waiting for the reply, and later asks again. */
function impatient(): { readonly tool: Tool; readonly replies: Promise<Json>[] } {
  const replies: Promise<Json>[] = []
  const tool = defineTool({
    name: 'book',
    description: 'books a room',
    input: z.object({}),
    run: async (_, { ask }) => {
      const asking = ask?.('How many nights?') ?? Promise.resolve(null)
      replies.push(asking)
      // Once it is asked.
      await new Promise((resolve) => setTimeout(resolve, 5))
      replies.push(asking.then(() => ask?.('And now?') ?? null))
      throw new Error('the hotel is gone')
    },
  })
  return { tool, replies }
}

test('a question is withdrawn when its call ends, and later questions of the tool are ignored', async () => {
  const { tool, replies } = impatient()
  const clock = new SetClock()
  const { tool: patient } = booking()
  const other = { ...patient, name: 'other' }
  const script = [CALLS, { toolCalls: [{ tool: 'other', input: {} }] }, 'Booked.']
  const run = agentWith(script, { tools: [tool, other], clock, limits: { seconds: 5 } }).run('go')
  const asked: unknown[] = []
  const closed: Json[] = []
  for await (const event of run) {
    if (event.type === 'request-close') closed.push(event.reply)
    if (!isOpen(event)) continue
    asked.push(isJsonObject(event.about) && event.about['question'])
    // The first gets no reply: it is withdrawn and does not block later ones.
    if (asked.length === 1) continue
    // Waiting for a person takes none of the run's time.
    await clock.advance(3_600_000)
    run.respond(event.request, true)
  }
  assert.equal((await run.result).text, 'Booked.')
  assert.deepEqual(asked, ['How many nights?', 'How many nights?', 'With a view of the sea?'])
  assert.deepEqual(closed, [null, true, true])
  assert.deepEqual(await Promise.all(replies), [null, null])
  assert.equal(clock.pending, 0)
})
