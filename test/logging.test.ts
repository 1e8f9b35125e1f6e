import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAgent } from '../packages/echelon/src/chat.ts'
import { createDecider } from '../packages/echelon/src/index.ts'
import { fallback, logging, transformText } from '../packages/echelon/src/middleware.ts'
import { MemoryJournal } from '../packages/echelon/src/runtime.ts'
import { type Log, type LogRecord, logRuns } from '@echelon/telemetry'
import { apiError } from 'echelon/testing'
import { add, agentWith, asksToAdd, eventsOf, model, source } from './chat/kit.ts'

function memoryLog(): Log & { readonly records: LogRecord[] } {
  const records: LogRecord[] = []
  return { records, write: (record) => void records.push(record) }
}

const eventsIn = ({ records }: { readonly records: readonly LogRecord[] }): readonly string[] =>
  records.map(({ event }) => event)

describe('[C-24] an agent', () => {
  test('logs calls that a rule denied, which have no other event', async () => {
    const log = memoryLog()
    const permissions = { rules: [{ verdict: 'deny', when: () => true }] } as const
    await agentWith([asksToAdd(1, 2), 'no'], { tools: [add], logging: log, permissions }).run('?')
      .result
    const denied = log.records.filter(({ event }) => event === 'tool.denied')
    assert.deepEqual(
      denied.map(({ level, data }) => [level, data['denied'], data['refused']]),
      [['warning', 1, 0]],
    )
  })

  test('writes a record at each decision point to its log', async () => {
    const log = memoryLog()
    const agent = createAgent({
      model: model([asksToAdd(1, 2), { error: apiError(401) }]),
      registry: source({ 'b/b': model(['three'], 'b/b') }),
      tools: [add],
      use: [fallback(['b/b'])],
      errorHandling: { retries: 0 },
      logging: log,
    })
    const run = agent.run('How much is one and two, says ann@example.org?')
    assert.equal((await run.result).text, 'three')
    assert.deepEqual(eventsIn(log), [
      'run.start',
      'step.start',
      'model.end',
      'step.start',
      'tool.end',
      'step.start',
      'fallback.fallback',
      'model.end',
      'run.end',
    ])
    assert.ok(log.records.every(({ data }) => data['run'] === run.id))
    assert.deepEqual(log.records[6]?.data, {
      run: run.id,
      from: 'scripted/one',
      to: 'b/b',
      code: 'auth',
    })
    const { tokens, cost } = log.records[7]?.data ?? {}
    assert.deepEqual([tokens, cost], [{ input: 10, output: 5 }, 15])
    assert.doesNotMatch(JSON.stringify(log.records), /three|ann|How much/)
  })

  test('distinguishes concurrent runs, and includes text on request', async () => {
    const log = memoryLog()
    const agent = agentWith(['one of them', 'one of them'], {
      telemetry: logRuns(log, { content: true }),
    })
    const runs = [agent.run('a'), agent.run('b')]
    await Promise.all(runs.map((run) => run.result))
    for (const { id } of runs) {
      const own = log.records.filter(({ data }) => data['run'] === id)
      assert.deepEqual(eventsIn({ records: own }), [
        'run.start',
        'step.start',
        'model.end',
        'run.end',
      ])
      assert.equal(own[2]?.data['text'], 'one of them')
    }
  })

  test('lets middleware log what it sees, streamed or not, and logs nothing twice after a resume', async () => {
    const log = memoryLog()
    const journal = new MemoryJournal()
    const use = [logging(log), transformText({ mask: ['secret'] })]
    const agent = createAgent({ model: model(['a secret', 'a secret']), use, journal })
    const run = agent.run('Tell me')
    await eventsOf(run)
    await agent.run('Tell me').result
    const once = ['permission', 'turn.start', 'model.start', 'model.end', 'turn.end']
    assert.deepEqual(eventsIn(log), [...once, ...once])
    await (
      await agent.resume(run.id)
    ).result
    assert.ok(!eventsIn(log).slice(10).includes('model.end'))
  })
})

test('[C-24] the decision agent logs its plans, verdicts, gates and escalations', async () => {
  const log = memoryLog()
  const decider = await createDecider({ small: 'offline/small', big: 'offline/big' })
  const task = 'A shirt costs $40 and is 25% off; what do three cost?'
  const run = await decider.start(task, { onEvent: logRuns(log) })
  const { answer } = await run.result
  assert.equal(answer, '90')
  const seen = new Set(eventsIn(log))
  for (const event of ['H_plan', 'L_exec', 'verify', 'act', 'escalate', 'model.end', 'run.end']) {
    assert.ok(seen.has(event), event)
  }
  const gates = log.records.filter(({ event }) => event === 'act')
  assert.deepEqual(
    gates.map(({ data }) => [data['rung'], data['decision']]),
    [
      ['small', 'escalate'],
      ['big', 'stop'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(log.records), /shirt|costs|\$40/)
})
