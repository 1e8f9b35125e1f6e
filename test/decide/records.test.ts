import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import type { Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type {
  Recorder,
  RunEnded,
  RunRecord,
} from '../../packages/echelon/src/core/observability/run-record.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { openRecords, readAudit, readUsage, recordFiles, verifyAudit } from '@echelon/telemetry'
import { apiError } from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  calc,
  MATH_TASK,
  planOf,
  scripted,
  type Scripts,
  STOCK_TASK,
  stockPlan,
} from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const SHIRTS = 'A shirt costs $40 and is 25% off; what do three cost?'
const WRONG = planOf(calc('15 + 23'))

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-records-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Records the events. */
function listener(): Recorder & { readonly heard: RunRecord[] } {
  const heard: RunRecord[] = []
  return { heard, record: (record) => void heard.push(record) }
}

const endsOf = (heard: readonly RunRecord[]): readonly RunEnded[] =>
  heard.filter((record) => record.type === 'run-ended')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A case that fails in every way before it succeeds. */
const EVENTFUL: Scripts = {
  small: [planOf({ tool: 'rm', args: {} }, calc('fifteen'), calc('$2.value')), 'no plan', WRONG],
  big: [{ error: apiError(400, { message: 'the request is odd' }) }, RIGHT],
}

suite('the records of a case', () => {
  test('[R7.1, R14.5] hold every entry of its log, from start to end, in order', async (t) => {
    const folder = folderFor(t)
    const records = openRecords({ folder })
    const { decider } = scripted({ ...EVENTFUL, records })
    const result = await decider.runCase(MATH_TASK, { taskId: 'task-1' })
    const { audit } = recordFiles(folder)
    const { entries } = await readAudit(audit)
    const [start, ...rest] = entries
    assert.equal(start?.action, 'run_started')
    assert.equal(start?.details['input_sha256'], sha256(MATH_TASK))
    const end = rest.pop()
    assert.equal(end?.action, 'run_ended')
    assert.deepEqual(
      rest.map(({ ts, details }) => [ts, details['step_id'], details['error_code'] ?? null]),
      result.logs.map(({ ts, step_id, error_code }) => [ts, step_id, error_code ?? null]),
    )
    assert.deepEqual(
      rest.map(({ actor, action }) => `${actor} ${action}`),
      [
        'planner plan',
        'executor unknown_tool',
        'executor tool_called',
        'executor action_skipped',
        'verifier not_verified',
        'gate decided',
        'planner plan_schema_error',
        'planner plan',
        'executor tool_called',
        'verifier not_verified',
        'gate decided',
        'escalator escalate_to_big',
        'planner model_failed',
        'gate decided',
        'planner plan',
        'executor tool_called',
        'verifier verified',
        'gate decided',
      ],
    )
    for (const { run_id, task_id } of entries) {
      assert.deepEqual([run_id, task_id], [result.run_id, 'task-1'])
    }
    const args = '{"expr":"15 * 23"}'
    const digest = { characters: args.length, sha256: sha256(args) }
    assert.deepEqual(rest.at(-3)?.details['args'], digest)
    assert.equal((await verifyAudit(audit)).ok, true)
  })

  test('[R20.1, R20.2, R20.3, R20.4] match the usage in the result', async (t) => {
    const folder = folderFor(t)
    const price = (usage: { input: number; output: number }): number =>
      usage.input / 1024 + usage.output / 256
    const scripts = { small: [WRONG, WRONG], big: [RIGHT] }
    const { decider } = scripted({ ...scripts, price, records: openRecords({ folder }) })
    const result = await decider.runCase(MATH_TASK)
    const [usage] = (await readUsage(recordFiles(folder).usage)).records
    assert.ok(usage !== undefined)
    const { llm_calls_small, llm_calls_big, tool_calls, act_steps } = result.counters
    assert.deepEqual(
      [usage.rungs.map(({ llm_calls }) => llm_calls), usage.tool_calls, usage.act_steps],
      [[llm_calls_small, llm_calls_big], tool_calls, act_steps],
    )
    const { small_model, big_model, total_tokens } = result.token_usage
    assert.deepEqual(
      usage.rungs.map(({ tier, prompt_tokens, completion_tokens, cost }) => [
        tier,
        { prompt_tokens, completion_tokens, cost },
      ]),
      [
        ['small', small_model],
        ['big', big_model],
      ],
    )
    assert.deepEqual([usage.total_tokens, usage.cost], [total_tokens, result.cost])
    assert.ok((result.cost ?? 0) > 0)
    // The calls in the log add up to the rungs.
    const logged = result.logs.reduce(
      (sum, { token_usage }) => sum + (token_usage?.total_tokens ?? 0),
      0,
    )
    assert.equal(usage.total_tokens, logged)
    assert.deepEqual(
      [usage.run_id, usage.verified, usage.finish_reason],
      [result.run_id, true, 'success'],
    )
  })

  test('[R20.4] an unknown price is null, with the number of such calls', async () => {
    const records = listener()
    const { decider } = scripted({
      small: [WRONG, WRONG],
      big: [RIGHT],
      price: () => null,
      records,
    })
    await decider.runCase(MATH_TASK)
    const [end] = endsOf(records.heard)
    assert.deepEqual(
      end?.rungs.map(({ knownCost, unpricedCalls }) => [knownCost, unpricedCalls]),
      [
        [0, 2],
        [0, 1],
      ],
    )
  })

  test('[DD-28] name the files made, with their digests', async () => {
    const records = listener()
    const { decider } = scripted({ small: [stockPlan()], records })
    const result = await decider.runCase(STOCK_TASK)
    const files = Object.values(result.artifacts).map(({ name, metadata: { bytes, sha256 } }) => ({
      name,
      bytes,
      sha256,
    }))
    assert.equal(files.length, 1)
    assert.deepEqual(endsOf(records.heard)[0]?.artifacts, files)
  })

  test('[DD-28] property: contain no text of the user', async (t) => {
    const word = fc.stringMatching(/^[a-z]{8,12}$/)
    // Names in a plan are recorded, so no other word may contain them by chance.
    const isApart = (all: readonly string[]): boolean =>
      all.every((one, at) => all.every((other, place) => at === place || !other.includes(one)))
    const words = fc.array(word, { minLength: 4, maxLength: 6 }).filter(isApart)
    await fc.assert(
      fc.asyncProperty(words, async (secrets) => {
        const [asked = '', gold = '', planned = '', said = ''] = secrets
        const folder = folderFor(t)
        const { decider } = scripted({
          small: [`I say ${said}.`, `{"actions":null,"cannot":"${said}"}`],
          big: [RIGHT, planOf({ tool: planned, args: {} }), WRONG],
          records: openRecords({ folder }),
        })
        const input = `${secrets.slice(4).join(' ')} ${asked}: what is 15 * 23?`
        const options = { goldAnswer: gold, taskId: 'task', contextId: asked }
        const { logs } = await decider.runCase(input, options)
        assert.ok(logs.length > 3)
        const { audit, usage } = recordFiles(folder)
        const kept = readFileSync(usage, 'utf8')
        const done = readFileSync(audit, 'utf8')
        for (const secret of secrets) assert.ok(!kept.includes(secret), secret)
        // A plan's names are actions and stand in the audit log; the rest does not.
        for (const secret of [asked, gold, said]) assert.ok(!done.includes(secret), secret)
      }),
      { numRuns: 20 },
    )
  })

  test('[DD-28] hold the arguments of tools as a digest, and never a secret', async (t) => {
    const folder = folderFor(t)
    const heard = listener()
    const kept = openRecords({ folder })
    const secret = 'sk-live-0123456789abcdef0123'
    const plan = planOf(calc(`15 * 23 + ${secret}`))
    const { decider } = scripted({
      small: [plan, plan],
      big: [plan, plan],
      records: {
        record(record) {
          heard.record(record)
          kept.record(record)
        },
      },
    })
    await decider.runCase(MATH_TASK)
    const told = JSON.stringify(heard.heard)
    assert.ok(told.includes('15 * 23 + [redacted') && !told.includes(secret))
    const done = readFileSync(recordFiles(folder).audit, 'utf8')
    assert.ok(!done.includes('15 * 23') && !done.includes('expr'))
    assert.match(done, /"args":\{"characters":\d+,"sha256":"[0-9a-f]{64}"\}/)
  })

  test('record a refusal before the run begins, by its code', async () => {
    const records = listener()
    const { decider } = scripted({ small: [RIGHT], records })
    await assert.rejects(decider.runCase(' '))
    await assert.rejects(decider.start('a task', { today: 'secret' }))
    await assert.rejects(decider.resume('nobody'))
    await decider.runCase(MATH_TASK, { idempotencyKey: 'key' })
    await assert.rejects(decider.runCase('What is 1 + 1?', { idempotencyKey: 'key' }))
    await assert.rejects(decider.runCase(' ', { idempotencyKey: 'other' }))
    const refused = records.heard.filter(({ type }) => type === 'run-refused')
    assert.deepEqual(
      refused.map((record) => (record.type === 'run-refused' ? record.code : '')),
      ['INVALID_INPUT', 'INVALID_INPUT', 'UNKNOWN_RUN', 'KEY_REUSED', 'INVALID_INPUT'],
    )
    assert.equal(endsOf(records.heard).length, 1)
    assert.doesNotMatch(JSON.stringify(refused), /secret/)
  })

  test('record one run once, however many callers wait for it', async () => {
    const records = listener()
    const { decider } = scripted({ small: [RIGHT], records })
    const options = { idempotencyKey: 'key' }
    await Promise.all([decider.runCase(MATH_TASK, options), decider.runCase(MATH_TASK, options)])
    await decider.runCase(MATH_TASK, options)
    const types = records.heard.map(({ type }) => type).filter((type) => type !== 'run-acted')
    assert.deepEqual(types, ['run-started', 'run-ended'])
  })

  test('record a canceled run', async () => {
    const records = listener()
    const { decider } = scripted({ small: [RIGHT], records })
    await decider.runCase(MATH_TASK, { signal: AbortSignal.abort() })
    assert.equal(endsOf(records.heard)[0]?.finishReason, 'canceled')
  })

  test('record a run whose journal failed, and, once resumed, its total usage', async () => {
    const journal = new MemoryJournal()
    let appends = 0
    const failing: Journal = {
      append(runId, entries) {
        if (++appends > 2) throw new Error('the disk is full')
        journal.append(runId, entries)
      },
      read: (runId) => journal.read(runId),
    }
    const before = listener()
    const first = await createDecider({ journal: failing, records: before })
    await assert.rejects(first.runCase(SHIRTS), { code: 'JOURNAL_FAILED' })
    const [failed] = endsOf(before.heard)
    assert.equal(failed?.finishReason, 'failed')
    assert.ok(before.heard.every(({ type }) => type !== 'run-refused'))

    const after = listener()
    const again = await createDecider({ journal, records: after })
    const { run_id, token_usage } = await (await again.resume(failed?.runId ?? '')).result
    const [resumed] = after.heard
    assert.ok(resumed?.type === 'run-started' && resumed.resumed)
    assert.deepEqual([resumed.runId, resumed.input], [run_id, SHIRTS])
    const [end] = endsOf(after.heard)
    const tokens = end?.rungs.map((rung) => rung.promptTokens + rung.completionTokens) ?? []
    assert.equal(
      tokens.reduce((sum, one) => sum + one, 0),
      token_usage.total_tokens,
    )

    const ended = listener()
    await (
      await (await createDecider({ journal, records: ended })).resume(run_id)
    ).result
    assert.deepEqual(ended.heard, [])
  })

  test('[DD-25] are not made for a deterministic case', async (t) => {
    const folder = folderFor(t)
    const decider = await createDecider({ records: openRecords({ folder }) })
    await decider.runCaseDeterministic('What is 15 * 23?')
    assert.deepEqual(readdirSync(folder), [])
    await decider.runCase('What is 15 * 23?')
    assert.deepEqual(readdirSync(folder), ['audit.jsonl', 'audit.jsonl.lock', 'usage.jsonl'])
  })
})
