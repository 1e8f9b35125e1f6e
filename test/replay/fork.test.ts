import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { type AgentOptions, createAgent, defineTool, type Tool } from 'echelon/chat'
import { forkRecording, recordRun } from 'echelon/replay'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'
import { converse, folderFor } from './replayed.ts'

interface Counted {
  readonly tool: Tool
  readonly ran: () => number
}

function counted(name: string, does: 'reads' | 'acts'): Counted {
  let ran = 0
  const tool = defineTool({
    name,
    description: name,
    does,
    input: z.object({ to: z.string() }),
    run: ({ to }) => `${name} ${to} ${++ran}`,
  })
  return { tool, ran: () => ran }
}

const calls = (tool: string, to: string): ScriptedAnswer => ({
  toolCalls: [{ tool, input: { to } }],
})

const model = (id: string, ...answers: readonly ScriptedAnswer[]) =>
  asBound(scriptedModel([...answers]), id)

/** Looks Ada up, pays her, and reports it: steps 0 to 4. */
async function recorded(t: TestContext): Promise<string> {
  const file = join(folderFor(t), 'run.jsonl')
  const made = recordRun(file)
  const options: AgentOptions = {
    model: model('test/small', calls('look', 'Ada'), calls('pay', 'Ada'), 'Paid Ada.'),
    tools: [counted('look', 'reads').tool, counted('pay', 'acts').tool],
  }
  await converse(made, options, {})
  assert.equal(made.close(), undefined)
  return file
}

interface Trial {
  readonly at: number
  readonly act?: readonly string[]
  readonly answers: readonly ScriptedAnswer[]
}

async function forked(file: string, { at, act, answers }: Trial) {
  const [look, pay] = [counted('look', 'reads'), counted('pay', 'acts')]
  const fork = await forkRecording(file, {
    at,
    models: { main: 'test/big' },
    ...(act && { act }),
  })
  const big = scriptedModel([...answers])
  const agent = createAgent(
    fork.forAgent({ model: asBound(big, 'test/big'), tools: [look.tool, pay.tool] }),
  )
  const run = await agent.resume(fork.runId)
  const end = await run.result
  const said = JSON.stringify(end.messages)
  big.assertComplete()
  return { end, said, looked: look.ran(), paid: pay.ran(), id: run.id, fork }
}

test('[C-34] a fork takes earlier steps from the record, and continues with another model', async (t) => {
  const file = await recorded(t)
  const { end, said, looked, paid, fork } = await forked(file, {
    at: 4,
    answers: ['Ada was paid.'],
  })
  assert.equal(end.text, 'Ada was paid.')
  assert.match(said, /pay Ada 1/)
  assert.deepEqual([looked, paid], [0, 0])
  assert.ok(!fork.record.entries.has(fork.runId))
})

test('a reading tool answers from the record, and live where nothing is recorded', async (t) => {
  const file = await recorded(t)
  const known = await forked(file, { at: 0, answers: [calls('look', 'Ada'), 'Seen.'] })
  assert.deepEqual([known.looked, known.said.includes('look Ada 1')], [0, true])
  const unknown = await forked(file, { at: 0, answers: [calls('look', 'Bob'), 'Seen.'] })
  assert.deepEqual([unknown.looked, unknown.said.includes('look Bob 1')], [1, true])
})

test('an acting tool answers from the record once, and is denied other calls', async (t) => {
  const file = await recorded(t)
  const again = await forked(file, {
    at: 2,
    answers: [calls('pay', 'Ada'), calls('pay', 'Ada'), 'Done.'],
  })
  assert.equal(again.paid, 0)
  assert.match(again.said, /pay Ada 1/)
  assert.match(again.said, /pay is denied in a fork/)
  const other = await forked(file, { at: 2, answers: [calls('pay', 'Bob'), 'Done.'] })
  assert.equal(other.paid, 0)
  assert.match(other.said, /name it in act \(--act\)/)
})

test('a named tool acts again, but never repeats a recorded act', async (t) => {
  const file = await recorded(t)
  const other = await forked(file, { at: 2, act: ['pay'], answers: [calls('pay', 'Bob'), 'Done.'] })
  assert.equal(other.paid, 1)
  const same = await forked(file, { at: 2, act: ['pay'], answers: [calls('pay', 'Ada'), 'Done.'] })
  assert.equal(same.paid, 0)
})

test('a step that was never reached and an unknown run are rejected', async (t) => {
  const file = await recorded(t)
  await assert.rejects(
    forkRecording(file, { at: 9 }),
    /5 steps on record, so it cannot be forked at 9; give an at from 0 to 5$/,
  )
  await forkRecording(file, { at: 5 })
  await assert.rejects(forkRecording(file, { at: -1 }), /give the number of a step/)
  await assert.rejects(forkRecording(file, { at: 0, run: 'none' }), { code: 'UNKNOWN_RUN' })
})

test('an act from before the fork is denied when it is requested again, and repeated if the tool is named', async (t) => {
  const file = await recorded(t)
  const answers = [calls('pay', 'Ada'), 'Done.']
  const denied = await forked(file, { at: 4, answers })
  assert.equal(denied.paid, 0)
  assert.match(denied.said, /no such call is on record from the fork on/)
  const again = await forked(file, { at: 4, act: ['pay'], answers })
  assert.equal(again.paid, 1)
})

test('an unknown role and an unknown tool are rejected by name', async (t) => {
  const file = await recorded(t)
  await assert.rejects(forkRecording(file, { at: 0, models: { small: 'test/big' } }), {
    code: 'INVALID_INPUT',
    message: 'models names the role small, which the run does not have; it has main',
  })
  await assert.rejects(forked(file, { at: 0, act: ['pay', 'nope'], answers: [] }), {
    code: 'INVALID_INPUT',
    message:
      'act names nope, which is neither a tool of the agent nor on record; there are look, pay',
  })
})

test("a name in act may be that of a sub-agent's tool", async (t) => {
  const file = await recorded(t)
  const { tool, ran } = counted('mail', 'acts')
  const fork = await forkRecording(file, { at: 0, act: ['mail'] })
  const helper = createAgent({
    model: model('test/helper', calls('mail', 'Ada'), 'Mailed.'),
    tools: [tool],
  }).asTool({ name: 'helper', description: 'mails' })
  const task: ScriptedAnswer = { toolCalls: [{ tool: 'helper', input: { task: 'Mail Ada.' } }] }
  const agent = createAgent(
    fork.forAgent({ model: model('test/small', task, 'Done.'), tools: [helper] }),
  )
  assert.equal((await (await agent.resume(fork.runId)).result).text, 'Done.')
  assert.equal(ran(), 1)
})

test('readers of events get the first events of a resumed run', async (t) => {
  const file = await recorded(t)
  const fork = await forkRecording(file, { at: 3 })
  const tools = [counted('look', 'reads').tool, counted('pay', 'acts').tool]
  const agent = createAgent(fork.forAgent({ model: model('test/small', 'Done.'), tools }))
  const begun: (readonly string[])[] = []
  for await (const event of await agent.resume(fork.runId)) {
    if (event.type === 'step-start') begun.push([event.actor, ...event.targets])
  }
  assert.deepEqual(begun, [
    ['agent', 'pay'],
    ['agent', 'test/small'],
  ])
})
