import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createAgent, defineTool } from 'echelon/chat'
import { recordRun } from 'echelon/replay'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'
import { folderFor, type Ran, runCommand } from './testing/run-command.ts'

const TASK = 'A shirt costs $40 and is 25% off; what do three cost?'

const run = (folder: string, ...args: readonly string[]): Promise<Ran> => runCommand(args, folder)

async function decided(t: TestContext, task: string): Promise<string> {
  const folder = folderFor(t)
  const ran = await run(folder, 'decide', task, '--record', 'run.jsonl', '--no-records')
  assert.equal(ran.status, 0, ran.stderr)
  return folder
}

test('[C-34] replays a decided task exactly, and shows it step by step', async (t) => {
  const folder = await decided(t, TASK)
  assert.equal(statSync(join(folder, 'run.jsonl')).mode & 0o777, 0o600)
  const { status, stdout, stderr } = await run(folder, 'replay', 'run.jsonl')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^run\.jsonl · decide\n\ndecide A shirt costs \$40/)
  assert.match(stdout, /^ +1 planner +asks offline\/small .* \d+ tok /m)
  assert.match(stdout, /^ +\d+ executor +calls calculator .*✓ calculator value: "90"$/m)
  assert.match(stdout, /\nexact: replayed from the recording alone/)
})

test('--until shows the state after a step, and --json all of it', async (t) => {
  const folder = await decided(t, 'What is 15 * 23?')
  const until = await run(folder, 'replay', 'run.jsonl', '--until', '2')
  assert.equal(until.status, 0)
  assert.match(until.stdout, /after step 2\nseen\n {2}type: tools-called/)
  assert.match(until.stdout, /\nstate\n {2}phase: verify\n[^]*evidence:\n/)
  assert.doesNotMatch(until.stdout, /^ +3 verifier/m)
  const json = await run(folder, 'replay', 'run.jsonl', '--until', '2', '--json')
  const told: unknown = JSON.parse(json.stdout)
  assert.ok(typeof told === 'object' && told !== null && 'likeness' in told && 'stand' in told)
  assert.deepEqual(told.likeness, { type: 'exact' })
  const beyond = await run(folder, 'replay', 'run.jsonl', '--until', '99')
  assert.equal(beyond.status, 2)
  assert.match(beyond.stderr, /has \d steps; stop after a step from 1 to \d/)
})

test('says where a replay differs, and that a recording is cut off', async (t) => {
  const folder = await decided(t, 'What is 15 * 23?')
  const file = join(folder, 'run.jsonl')
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replaceAll(
      '"end":{"type":"ok","value":{"value":"345"',
      '"end":{"type":"ok","value":{"value":"346"',
    ),
  )
  const parted = await run(folder, 'replay', 'run.jsonl')
  assert.equal(parted.status, 1)
  assert.match(parted.stdout, /differs at step \d/)
  writeFileSync(file, text.slice(0, text.indexOf('"kind":"tool-end"')))
  const cut = await run(folder, 'replay', 'run.jsonl')
  assert.equal(cut.status, 1)
  assert.match(cut.stdout, /the recording is cut off here/)
  assert.match(cut.stdout, /cut off: the recording was interrupted/)
  writeFileSync(file, text.replace('"version":2', '"version":9'))
  const foreign = await run(folder, 'replay', 'run.jsonl')
  assert.equal(foreign.status, 2)
  assert.match(foreign.stderr, /line 1 names version 9/)
})

test('a fork continues from a step with other models', async (t) => {
  const folder = await decided(t, TASK)
  const args = ['replay', 'run.jsonl', '--fork-at', '1', '--small', 'offline/big'] as const
  const forked = await run(folder, ...args)
  assert.equal(forked.status, 0, forked.stderr)
  assert.match(forked.stdout, /── from step 1 on live ──\n +1 planner +asks offline\/big/)
  assert.match(forked.stdout, /\n90\nverified/)
  const json = await run(folder, ...args, '--json')
  assert.match(json.stdout, /"answer": "90"/)
  const wrong = await run(folder, 'replay', 'run.jsonl', '--fork-at', '1', '--model', 'offline/big')
  assert.match(wrong.stderr, /--model is for a chat/)
  const nobody = await run(folder, 'replay', 'run.jsonl', '--fork-at', '2', '--act', 'nope')
  assert.deepEqual([nobody.status, nobody.stdout], [2, ''])
  assert.match(nobody.stderr, /--act names nope[^]*its tools are calculator, /)
  const without = await run(folder, 'replay', 'run.jsonl', '--act', 'pay')
  assert.match(without.stderr, /are for a fork/)
})

test("shows a program's recording with tools and amounts spent, but only the program can fork it", async (t) => {
  const folder = folderFor(t)
  const recording = recordRun(join(folder, 'run.jsonl'))
  const look = defineTool({
    name: 'look',
    description: 'looks somebody up',
    input: z.object({ who: z.string() }),
    run: ({ who }) => `${who} is here`,
  })
  const call = { toolCalls: [{ tool: 'look', input: { who: 'Ada' } }] }
  const model = asBound(scriptedModel([call, 'Here.']), 'test/small')
  await createAgent(recording.forAgent({ model, tools: [look] })).run('Where is Ada?').result
  recording.close()
  const shown = await run(folder, 'replay', 'run.jsonl')
  assert.equal(shown.status, 0, shown.stderr)
  assert.match(shown.stdout, /^ +2 +calls look .*✓ look "Ada is here"$/m)
  assert.match(shown.stdout, /\nshown as recorded, not run again:/)
  assert.doesNotMatch(shown.stdout, /exact/)
  const until = await run(folder, 'replay', 'run.jsonl', '--until', '2')
  assert.match(until.stdout, /\nspent\n[^]* {2}steps: 2\n[^]* {2}tools: 1\n/)
  const forked = await run(folder, 'replay', 'run.jsonl', '--fork-at', '2')
  assert.deepEqual([forked.status, forked.stdout], [2, ''])
  assert.match(forked.stderr, /recorded by a program; fork it there, with forkRecording/)
})

test('records a conversation with typed input, replays it, and forks it in a turn', async (t) => {
  const folder = folderFor(t)
  const args = ['chat', '--record', 'run.jsonl', '--ask', 'calculator', '--approve', 'always']
  const said = 'What is 15 * 23?\n/undo\nWhat is 2 + 2?\n/switch offline/big\nWhat is 3 + 4?\n'
  const talked = await runCommand(args, folder, { input: said })
  assert.equal(talked.status, 0, talked.stderr)
  const { status, stdout, stderr } = await run(folder, 'replay', 'run.jsonl')
  assert.equal(status, 0, stderr + stdout)
  assert.match(
    stdout,
    /chat What is 2 \+ 2\?[^]*chat What is 3 \+ 4\?\n +7 agent +asks offline\/big/,
  )
  assert.match(stdout, /\nexact:/)
  const forked = await run(
    folder,
    'replay',
    'run.jsonl',
    '--fork-at',
    '5',
    '--model',
    'offline/big',
  )
  assert.equal(forked.status, 0, forked.stderr)
  assert.match(
    forked.stdout,
    /from step 5 on live ──\n +5 agent +calls calculator .*✓ calculator value: "4"\n +6 agent +asks offline\/big[^]*\n2 \+ 2 = 4\n$/,
  )
})

test('records each run of a dataset in its own file', async (t) => {
  const folder = folderFor(t)
  const cases = [
    { id: 'sum', input: 'What is 2 + 2?', gold_answer: '4' },
    { id: 'far', input: 'What is 7 * 6?', gold_answer: '42' },
  ]
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
  const ran = await run(
    folder,
    'eval',
    'cases.json',
    '--record',
    'runs',
    '--repeat',
    '2',
    '--no-records',
  )
  assert.equal(ran.status, 0, ran.stderr)
  const files = readdirSync(join(folder, 'runs')).sort()
  assert.ok(
    ['far-round-2.jsonl', 'far.jsonl', 'sum-round-2.jsonl', 'sum.jsonl'].every((file) =>
      files.includes(file),
    ),
  )
  const { status, stdout } = await run(folder, 'replay', join('runs', 'far-round-2.jsonl'))
  assert.equal(status, 0)
  assert.match(stdout, /value: "42"[^]*\nexact:/)
  assert.ok(!existsSync(join(folder, 'artifacts')))
})
