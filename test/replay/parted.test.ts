import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentOptions, createAgent, defineTool } from 'echelon/chat'
import { recordRun, replayRecording } from 'echelon/replay'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'
import { converse, folderFor } from './replayed.ts'

const model = (...answers: readonly ScriptedAnswer[]) =>
  asBound(scriptedModel([...answers]), 'test/scripted')

const weather = defineTool({
  name: 'weather',
  description: 'says the weather',
  input: z.object({ city: z.string() }),
  async run({ city }) {
    await wait(1)
    return `fine in ${city}`
  },
})

const asks = (city: string): ScriptedAnswer => ({
  toolCalls: [{ tool: 'weather', input: { city } }],
})

const recorded = (): AgentOptions => ({
  instructions: 'Be brief.',
  model: model(asks('Rome'), 'It is fine in Rome.'),
  tools: [weather],
})

async function recording(t: TestContext): Promise<string> {
  const file = join(folderFor(t), 'run.jsonl')
  const made = recordRun(file)
  await converse(made, recorded(), {})
  made.close()
  return file
}

/** A model that must not be called: a replay has all it needs. */
const unasked = () => model(() => assert.fail('a real model was called'))

test('[C-34] a prompt that was not recorded ends the run, with the nearest one', async (t) => {
  const replay = await replayRecording(await recording(t))
  const changed = { ...recorded(), model: unasked(), instructions: 'Be wordy.' }
  await assert.rejects(converse(replay, changed, {}), (error: Error) => {
    assert.match(error.message, /holds no answer to this request of test\/scripted/)
    assert.match(error.message, /recorded "Be brief\."\n +asked +"Be wordy\."/)
    return 'code' in error && error.code === 'UNRECORDED_CALL'
  })
  assert.equal(replay.likeness.type, 'parted')
})

test('a missing tool, or one with other arguments, does not lead to a real call', async (t) => {
  const file = await recording(t)
  const without = await replayRecording(file)
  await assert.rejects(
    converse(without, { ...recorded(), model: unasked(), tools: [] }, {}),
    /UNRECORDED_CALL|holds no answer to this request/,
  )
  // The tool call, if the model had asked for another city.
  const edited = readFileSync(file, 'utf8').replace(
    /("kind":"tool","key":"[^"]*","tool":"weather","input":\{"city":")Rome/,
    '$1Oslo',
  )
  writeFileSync(file, edited)
  const replay = await replayRecording(file)
  await assert.rejects(
    converse(replay, { ...recorded(), model: unasked() }, {}),
    (error: Error) => {
      assert.match(error.message, /holds no such call of weather/)
      assert.match(error.message, /input\.city\n +recorded "Oslo"\n +asked +"Rome"/)
      return true
    },
  )
})

test('a program that decides differently diverges at a step, which is named', async (t) => {
  const replay = await replayRecording(await recording(t))
  await converse(replay, { ...recorded(), limits: { tools: 3 } }, {})
  const { likeness } = replay
  assert.equal(likeness.type, 'parted')
  assert.match(likeness.type === 'parted' ? likeness.message : '', /limits/)
})

test('an interrupted recording is used as far as it goes, and its end is reported', async (t) => {
  const file = await recording(t)
  const rows = readFileSync(file, 'utf8').split('\n')
  const tool = rows.findIndex((row) => row.includes('"tool-end"'))
  writeFileSync(file, `${rows.slice(0, tool + 2).join('\n')}\n${rows[tool + 2]?.slice(0, 20)}`)
  const replay = await replayRecording(file)
  assert.equal(replay.record.breaksOff, true)
  await assert.rejects(
    converse(replay, { ...recorded(), model: unasked() }, {}),
    /the recording was interrupted before this ended/,
  )
  assert.deepEqual(replay.likeness, { type: 'breaks-off' })
})

test('a file that is not a recording of this version is rejected with the line', async (t) => {
  const file = await recording(t)
  const rows = readFileSync(file, 'utf8').split('\n')
  const tries: readonly (readonly [string, RegExp])[] = [
    ['', /it is empty, since nothing was recorded/],
    ['{}', /line 1 is not the beginning of a recording/],
    [
      rows.with(0, '{"kind":"recording","version":7,"holds":"runs","about":null}').join('\n'),
      /version 7/,
    ],
    [rows.with(0, '{"kind":"model-tape","version":1}').join('\n'), /--replay-models/],
    [
      rows.with(0, '{"kind":"run-recording","version":2,"about":null}').join('\n'),
      /version 1 is known/,
    ],
    [rows.with(4, '{"kind":"rubbish"}').join('\n'), /line 5 is not a valid line/],
  ]
  for (const [text, expected] of tries) {
    writeFileSync(file, text)
    await assert.rejects(replayRecording(file), expected)
  }
  await assert.rejects(replayRecording(`${file}.none`), /cannot be read/)
})

test('a file with content is not overwritten', async (t) => {
  const file = await recording(t)
  assert.throws(() => recordRun(file), /is not empty/)
})

test('a reply at a later point than the recording has is reported at the end', async () => {
  const lines: string[] = []
  const sink = {
    append: (rows: readonly string[]) => void lines.push(...rows),
    close: () => undefined,
  }
  const made = recordRun(sink, { about: { why: 'test' } })
  const pay = defineTool({
    name: 'pay',
    description: 'pays',
    input: z.object({}),
    does: 'acts',
    needsApproval: true,
    run: () => 'paid',
  })
  const options = {
    model: model({ toolCalls: [{ tool: 'pay', input: {} }] }, 'Paid.'),
    tools: [pay],
  }
  const run = createAgent(made.forAgent(options)).run('Pay.')
  for await (const event of run) {
    if (event.type === 'request-open') run.respond(event.request, 'once')
  }
  assert.match(made.close() ?? '', /pass the run to watch/)
  assert.match(lines[0] ?? '', /"about":\{"why":"test"\}/)
})
