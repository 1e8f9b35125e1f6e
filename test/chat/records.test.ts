import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type {
  Recorder,
  RunEnded,
  RunRecord,
} from '../../packages/echelon/src/core/observability/run-record.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { cascade } from '../../packages/echelon/src/middleware/cascade/cascade.ts'
import { fallback } from '../../packages/echelon/src/middleware/reliability/fallback.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { scored } from '../../packages/echelon/src/verify.ts'
import { costReport, openRecords, readAudit, readUsage, recordFiles } from '@echelon/telemetry'
import { apiError } from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, agentWith, asksToAdd, model, source } from './kit.ts'

/** Keeps the records it receives. */
function keeping(): Recorder & { readonly told: RunRecord[] } {
  const told: RunRecord[] = []
  return { told, record: (record) => void told.push(record) }
}

const endOf = (told: readonly RunRecord[]): RunEnded => {
  const end = told.at(-1)
  assert.ok(end?.type === 'run-ended')
  return end
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-chat-records-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a turn is recorded: its start, its tools and its usage', async () => {
  const records = keeping()
  const agent = agentWith([asksToAdd(2, 3), '5'], { tools: [add], records, timeZone: 'UTC' })
  const session = agent.session('s1')
  const run = agent.run('how much is 2 + 3?', { session })
  assert.deepEqual(
    records.told.map(({ type }) => type),
    ['run-started'],
  )
  await run.result
  await settled()
  const [started, called] = records.told
  assert.ok(started?.type === 'run-started' && called?.type === 'run-acted')
  assert.deepEqual(
    [started.agent, started.mode, started.input, started.taskId, started.runId, started.resumed],
    ['chat', 'chat', 'how much is 2 + 3?', 's1', run.id, false],
  )
  assert.match(started.ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  assert.deepEqual(
    [called.action, called.details],
    ['tool_called', { tool: 'add', args: { a: 2, b: 3 }, outcome: 'ok' }],
  )
  const { usage, cost } = await run.result
  const { rungs, toolCalls, finishReason, limit } = endOf(records.told)
  assert.deepEqual([toolCalls, finishReason, limit], [1, 'stop', null])
  assert.deepEqual(rungs, [
    {
      tier: 'chat',
      model: 'scripted/one',
      llmCalls: 2,
      promptTokens: usage.input,
      completionTokens: usage.output,
      knownCost: cost,
      unpricedCalls: 0,
    },
  ])
})

test('a cascade is on record by model, with what became of its answers and without its evidence', async () => {
  const records = keeping()
  const names = ['scripted/small', 'scripted/big'] as const
  const verify = {
    name: 'length',
    features: [],
    verify: () => scored(0.3, 'the answer is short'),
  }
  const agent = createAgent({
    model: model([]),
    records,
    use: [cascade(names, { verify, accept: 0.8 })],
    registry: source({
      'scripted/small': model(['Hm.'], 'scripted/small'),
      'scripted/big': model(['Well.'], 'scripted/big'),
    }),
  })
  await agent.run('hello').result
  await settled()
  const [, promoted, taken] = records.told
  assert.ok(promoted?.type === 'run-acted' && taken?.type === 'run-acted')
  const [from, to] = names
  assert.deepEqual(
    [promoted.action, promoted.details, taken.action, taken.details],
    [
      'answer_promoted',
      { from, to, status: 'unsupported', confidence: 0.3, accept: 0.8 },
      'answer_taken',
      { model: to, status: 'unsupported', confidence: 0.3, promotions: 1, accept: 0.8 },
    ],
  )
  assert.deepEqual(
    endOf(records.told).rungs.map(({ model, llmCalls, knownCost }) => [model, llmCalls, knownCost]),
    [
      ['scripted/one', 0, 0],
      [from, 1, 15],
      [to, 1, 15],
    ],
  )
})

test("failures count for the turn's model, and another model's answers for that one", async () => {
  const records = keeping()
  const agent = createAgent({
    model: model([{ error: apiError(401) }]),
    records,
    use: [fallback(['scripted/two'])],
    registry: source({ 'scripted/two': model(['Well.'], 'scripted/two') }),
    limits: { money: 10_000_000, calls: 5 },
    maxTokens: 10,
  })
  await agent.run('hello').result
  await settled()
  const { rungs } = endOf(records.told)
  assert.deepEqual(
    rungs.map((rung) => [rung.model, rung.llmCalls]),
    [
      ['scripted/one', 1],
      ['scripted/two', 1],
    ],
  )
})

test('approvals are recorded, and a limit that ended the turn', async () => {
  const records = keeping()
  const agent = agentWith([asksToAdd(1, 1), 'no'], {
    tools: [{ ...add, needsApproval: true }],
    records,
    limits: { calls: 1 },
  })
  const run = agent.run('add')
  for await (const event of run) {
    if (event.type === 'request-open') run.respond(event.request, 'never')
  }
  await settled()
  const approval = records.told.find((one) => one.type === 'run-acted' && one.action === 'approval')
  assert.ok(approval?.type === 'run-acted')
  assert.deepEqual([approval.actor, approval.details], ['user', { tool: 'add', reply: 'never' }])
  assert.deepEqual(endOf(records.told).limit, 'calls.main')
})

test("a run that could not continue counts as failed, and a sub-agent's run belongs to its parent", async () => {
  const records = keeping()
  const expert = agentWith(['an expert answer'], { name: 'expert', records })
  const asks = { toolCalls: [{ tool: 'ask_expert', input: { task: 'think' } }] }
  const agent = agentWith([asks, 'done'], {
    tools: [expert.asTool({ name: 'ask_expert', description: 'knows' })],
    records,
  })
  await agent.run('ask').result
  await settled()
  assert.deepEqual(records.told.filter(({ type }) => type === 'run-started').length, 1)
  assert.equal(endOf(records.told).rungs[0]?.llmCalls, 3)
  const broken = agentWith([], { records, journal: brokenJournal() })
  await assert.rejects(broken.run('hello').result)
  await settled()
  assert.equal(endOf(records.told).finishReason, 'failed')
})

const brokenJournal = () => ({
  append(): void {
    throw new Error('the disk is full')
  },
  read: () => [],
})

test('a resumed run is recorded as resumed, and one that had ended is not recorded again', async () => {
  const records = keeping()
  const journal = new MemoryJournal()
  const agent = agentWith(['Well.', 'Well.'], { records, journal })
  const run = agent.run('hello')
  await run.result
  const [started] = journal.read(run.id)
  assert.ok(started !== undefined)
  journal.append('cut', [{ ...started, ...(started.type === 'started' && { runId: 'cut' }) }])
  await settled()
  const before = records.told.length
  await (
    await agent.resume(run.id)
  ).result
  await settled()
  assert.equal(records.told.length, before)
  await (
    await agent.resume('cut')
  ).result
  await settled()
  const again = records.told[before]
  assert.ok(again?.type === 'run-started')
  assert.deepEqual([again.runId, again.resumed, again.input], ['cut', true, 'hello'])
})

test('[DD-27] [DD-28] costs are added up by conversation, and no user text is stored', async (t) => {
  const folder = folderFor(t)
  const alerts: number[] = []
  const records = openRecords({
    folder,
    timeZone: 'UTC',
    costAlertUsd: 0.5,
    onAlert: ({ knownCost }) => alerts.push(knownCost),
  })
  const agent = agentWith(['One.', 'Two.'], { records, timeZone: 'UTC' })
  const said = 'the launch code is swordfish'
  const { cost } = await agent.run(said).result
  await settled()
  const files = recordFiles(folder)
  const { records: usage } = await readUsage(files.usage)
  const { total } = costReport(usage, { by: 'model', timeZone: 'UTC' })
  assert.equal(total.conversations.known_cost, cost)
  assert.deepEqual([total.conversations.runs, total.escalated_share], [1, null])
  assert.deepEqual(alerts, [cost])
  const audit = await readAudit(files.audit)
  assert.deepEqual(audit.entries.map(({ action }) => action).slice(0, 1), ['run_started'])
  const text = readFileSync(files.audit, 'utf8') + readFileSync(files.usage, 'utf8')
  assert.ok(!text.includes('swordfish'))
  assert.ok(text.includes(createHash('sha256').update(said).digest('hex')))
})
