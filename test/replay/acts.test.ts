import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentOptions, createAgent, defineTool } from 'echelon/chat'
import { recordRun, replayRecording } from 'echelon/replay'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'
import { assertExact, folderFor, recordAndReplay } from './replayed.ts'

const slow = defineTool({
  name: 'slow',
  description: 'takes a while',
  input: z.object({}),
  async run(_, context) {
    await wait(2)
    context.progress('half')
    await wait(2)
    return 'done'
  },
})

const options = (): AgentOptions => ({
  model: asBound(
    scriptedModel([
      { text: ['One ', 'moment.'], toolCalls: [{ tool: 'slow', input: {} }] },
      { text: ['All ', 'is ', 'well.'], delayMs: 2 },
      'Short.',
    ]),
    'test/scripted',
  ),
  tools: [slow],
})

test('[C-34] a cancel or user input at any event is replayed at the same place', async (t) => {
  const folder = folderFor(t)
  const whole = await recordAndReplay(join(folder, 'whole.jsonl'), options)
  assertExact(whole)
  const events = whole.was[0]?.events.length ?? 0
  assert.ok(events > 10)
  for (let at = 0; at < events - 1; at++) {
    for (const act of ['cancel', 'hear'] as const) {
      let heard = 0
      const ran = await recordAndReplay(join(folder, `${act}-${at}.jsonl`), options, {
        caller(event, run) {
          if (heard++ !== at || event.type === 'run-end') return
          if (act === 'cancel') run.cancel()
          else run.hear('Make it short.')
        },
      })
      assert.deepEqual([act, at, ran.replay.likeness], [act, at, { type: 'exact' }])
      assertExact(ran)
    }
  }
})

test('input to an ended run is rejected during recording as usual', async (t) => {
  const made = recordRun(join(folderFor(t), 'run.jsonl'))
  const run = made.watch(createAgent(made.forAgent(options())).run('Go.'))
  await run.result
  assert.throws(() => run.hear('More.'), /has ended and takes no more input/)
  made.close()
})

test('an act before a run does anything is replayed at once', async (t) => {
  const file = join(folderFor(t), 'run.jsonl')
  const made = recordRun(file)
  const run = made.watch(createAgent(made.forAgent(options())).run('Go.'))
  run.cancel()
  assert.equal((await run.result).status, 'canceled')
  assert.equal(made.close(), undefined)
  const replay = await replayRecording(file)
  const again = replay.watch(createAgent(replay.forAgent(options())).run('Go.'))
  assert.equal((await again.result).status, 'canceled')
  assert.deepEqual(replay.likeness, { type: 'exact' })
})

test('a cancel at a later point than the recording has is reported at the end', async (t) => {
  const made = recordRun(join(folderFor(t), 'run.jsonl'))
  const canceler = new AbortController()
  const agent = createAgent(made.forAgent(options()))
  const run = made.watch(agent.run('Go.', { signal: canceler.signal }))
  for await (const event of run) if (event.type === 'tool-progress') canceler.abort()
  assert.equal((await run.result).status, 'canceled')
  assert.match(made.close() ?? '', /canceled without recording it; pass the run to watch/)
})
