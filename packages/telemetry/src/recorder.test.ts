import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { RunEnded, RunRecord } from '../../echelon/src/core/observability/run-record.ts'
import { readAudit } from './audit-read.ts'
import { verifyAudit } from './audit-verify.ts'
import { type CostAlert, openRecords, recordFiles } from './recorder.ts'
import { readUsage } from './usage-file.ts'

const of = { ts: '2026-11-22T08:00:00.000+00:00', runId: 'run', taskId: 'task' }
const STARTED: RunRecord = {
  ...of,
  type: 'run-started',
  agent: 'decide',
  mode: 'fallback_only',
  models: ['offline/small'],
  input: 'abc',
  settings: { b: 1, a: { c: [] } },
  resumed: false,
}
const ACTED: RunRecord = {
  ...of,
  type: 'run-acted',
  actor: 'planner',
  action: 'plan',
  details: { model: 'offline/small' },
}

const ended = (knownCost: number, runId = 'run', ts = of.ts): RunEnded => ({
  ts,
  runId,
  taskId: 'task',
  type: 'run-ended',
  agent: 'decide',
  mode: 'fallback_only',
  finishReason: 'success',
  limit: null,
  verified: true,
  seconds: 1,
  toolCalls: 1,
  actSteps: 1,
  rungs: [
    {
      tier: 'small',
      model: 'offline/small',
      llmCalls: 1,
      promptTokens: 10,
      completionTokens: 1,
      knownCost,
      unpricedCalls: 1,
    },
  ],
  artifacts: [{ name: 'plot.png', bytes: 7, sha256: 'ab' }],
})

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-records-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, '.echelon')
}

const timeZone = 'UTC'

suite('the records of a folder', () => {
  test('[R14.5, DD-28] describe a run from start to end', async (t) => {
    const folder = folderFor(t)
    const records = openRecords({ folder, timeZone })
    for (const record of [STARTED, ACTED, ended(0)]) records.record(record)
    records.record({ type: 'run-refused', ts: of.ts, agent: 'decide', code: 'INVALID_INPUT' })
    const { audit, usage } = recordFiles(folder)
    const { entries } = await readAudit(audit)
    assert.deepEqual(
      entries.map(({ actor, action, details }) => [actor, action, details]),
      [
        [
          'decide',
          'run_started',
          {
            mode: 'fallback_only',
            models: ['offline/small'],
            // Digests of `abc`, from FIPS 180-2, and of `{"a":{"c":[]},"b":1}`.
            input_sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
            settings_sha256: 'b73a4d27852d39a5cb7e0c1a42c8ac463bc9411232a775065e67109e46621bf1',
          },
        ],
        ['planner', 'plan', { model: 'offline/small' }],
        ['decide', 'artifact_written', { name: 'plot.png', bytes: 7, sha256: 'ab' }],
        [
          'decide',
          'run_ended',
          {
            finish_reason: 'success',
            limit: null,
            verified: true,
            tool_calls: 1,
            act_steps: 1,
            rungs: [{ model: 'offline/small', llm_calls: 1 }],
          },
        ],
        ['decide', 'run_refused', { error_code: 'INVALID_INPUT' }],
      ],
    )
    assert.deepEqual(
      entries.map(({ run_id, task_id, ts }) => [run_id, task_id, ts]),
      [...Array.from({ length: 4 }, () => ['run', 'task', of.ts]), [null, null, of.ts]],
    )
    assert.equal((await verifyAudit(audit)).ok, true)
    assert.equal((await readUsage(usage)).records.length, 1)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  })

  test('refuse an unusable folder with the reason', (t) => {
    const folder = folderFor(t)
    const refuses = (path: string, reason: RegExp): void =>
      assert.throws(() => openRecords({ folder: path, timeZone }), {
        code: 'INVALID_CONFIG',
        message: reason,
      })
    refuses(join(folder, 'deeper'), /the parent folder does not exist\); choose another folder$/)
    mkdirSync(`${folder}.target`)
    symlinkSync(`${folder}.target`, folder)
    refuses(folder, /is a symbolic link/)
    writeFileSync(`${folder}.file`, '')
    refuses(`${folder}.file`, /is not a folder/)
    for (const costAlertUsd of [-1, Number.NaN, Infinity]) {
      const open = (): unknown => openRecords({ folder: `${folder}2`, timeZone, costAlertUsd })
      assert.throws(open, { code: 'INVALID_CONFIG', message: /number of US dollars/ })
    }
    assert.throws(() => openRecords({ folder: `${folder}2`, timeZone: 'Mars/Base' }), {
      code: 'INVALID_CONFIG',
    })
    if (process.geteuid?.() !== 0) return
    chownSync(`${folder}.target`, 12345, 12345)
    refuses(`${folder}.target`, /belongs to another user/)
  })

  test('keep the mode of an existing folder', (t) => {
    const folder = folderFor(t)
    mkdirSync(folder)
    chmodSync(folder, 0o750)
    openRecords({ folder, timeZone }).record(STARTED)
    assert.equal(statSync(folder).mode & 0o777, 0o750)
  })

  test('report a failed write once, count it, and do not throw', async (t) => {
    const folder = folderFor(t)
    const problems: string[] = []
    const onProblem = (sentence: string): void => void problems.push(sentence)
    const records = openRecords({ folder, timeZone, onProblem })
    const { audit, usage } = recordFiles(folder)
    for (const file of [audit, usage]) mkdirSync(file)
    for (const record of [STARTED, ACTED, ended(0)]) records.record(record)
    assert.equal(problems.length, 2)
    assert.match(problems[0] ?? '', /^the audit log is not complete \(.*EISDIR/)
    assert.match(problems[1] ?? '', /^the usage records are not complete \(.*EISDIR/)
    for (const file of [audit, usage]) rmSync(file, { recursive: true })
    records.record(STARTED)
    const { entries } = await readAudit(audit)
    assert.deepEqual(
      entries.map(({ action, details }) => [action, details['entries']]),
      [
        ['entries_lost', 4],
        ['run_started', undefined],
      ],
    )
    assert.equal((await verifyAudit(audit)).ok, true)
    assert.equal(problems.length, 2)
  })

  test('need no callbacks', (t) => {
    const folder = folderFor(t)
    const records = openRecords({ folder, timeZone, costAlertUsd: 0 })
    records.record(ended(1))
    rmSync(folder, { recursive: true })
    for (const record of [STARTED, ACTED, ended(0)]) records.record(record)
    assert.ok(!existsSync(folder))
  })
})

suite('the cost alert', () => {
  test('[DD-27] is raised and audited once a day, when the day cost more', async (t) => {
    const folder = folderFor(t)
    const alerts: CostAlert[] = []
    const onAlert = (alert: CostAlert): void => void alerts.push(alert)
    // Another process, with no threshold.
    openRecords({ folder, timeZone }).record(ended(0.5, 'other'))
    const records = openRecords({ folder, timeZone, costAlertUsd: 1, onAlert })
    records.record(ended(0.5, 'one'))
    assert.deepEqual(alerts, [])
    records.record(ended(0.25, 'two'))
    records.record(ended(0.25, 'three'))
    const first = { day: '2026-11-22', knownCost: 1.25, unpricedCalls: 3, threshold: 1 }
    assert.deepEqual(alerts, [first])
    records.record(ended(0.5, 'four', '2026-11-23T00:00:00.000+00:00'))
    assert.equal(alerts.length, 1)
    records.record(ended(0.75, 'five', '2026-11-23T00:00:00.000+00:00'))
    assert.deepEqual(alerts[1], { ...first, day: '2026-11-23', unpricedCalls: 2 })
    const { entries } = await readAudit(recordFiles(folder).audit)
    assert.deepEqual(
      entries.flatMap(({ action, run_id, details }) =>
        action === 'cost_alert' ? [[run_id, details]] : [],
      ),
      [
        ['two', { day: '2026-11-22', known_cost: 1.25, unpriced_calls: 3, threshold: 1 }],
        ['five', { day: '2026-11-23', known_cost: 1.25, unpriced_calls: 2, threshold: 1 }],
      ],
    )
  })
})
