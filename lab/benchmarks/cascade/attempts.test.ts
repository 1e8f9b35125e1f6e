import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { attemptsFigures } from './attempts.ts'
import { type HaltingSettings, haltedByRecord } from './attempts/halting.ts'
import type { RecordedAttempt } from './attempts/record.ts'
import { RecordedAttempts } from './attempts/replay.ts'

/** Attempts without reflections, from a text such as `ffs`. */
const attemptsOf = (ends: string): readonly RecordedAttempt[] =>
  ends.split('').map((end) => ({ success: end === 's', reflections: 0 }))

const rowOf = (attempts: readonly RecordedAttempt[]) => ({
  id: 'task-1',
  benchmark: 'own',
  strategy: 'none',
  attempts,
})

const settingsOf = (some: Partial<HaltingSettings>): HaltingSettings => ({
  maxSteps: 3,
  patience: 1,
  escalateWhen: 'fail',
  progress: 'success',
  ...some,
})

suite('the end of a run by its record', () => {
  test('is a success, wherever it comes', () => {
    const first = haltedByRecord(attemptsOf('s'), settingsOf({}))
    assert.deepEqual([first?.finish_reason, first?.act_steps, first?.tier], ['success', 1, 'small'])
    const third = haltedByRecord(attemptsOf('ffs'), settingsOf({}))
    assert.deepEqual([third?.finish_reason, third?.act_steps, third?.tier], ['success', 3, 'big'])
  })

  test('is a budget where max_steps comes before patience, and a failure of the big model after it', () => {
    const short = haltedByRecord(attemptsOf('ffff'), settingsOf({ maxSteps: 0 }))
    assert.deepEqual(
      [short?.finish_reason, short?.limit, short?.act_steps],
      ['budget', 'rounds', 1],
    )
    const long = haltedByRecord(attemptsOf('ffff'), settingsOf({}))
    assert.deepEqual(
      [long?.finish_reason, long?.stalled_rounds, long?.act_steps],
      ['big_fail', 2, 4],
    )
  })

  test('is unknown where the record is too short', () => {
    assert.equal(haltedByRecord(attemptsOf('fff'), settingsOf({})), undefined)
  })
})

suite('the decision agent on recorded attempts', () => {
  const records = Array.from({ length: 64 }, (_, bits) =>
    Array.from({ length: 6 }, (_unused, place) => ({
      success: ((bits >> place) & 1) === 1,
      reflections: Math.floor(place / (1 + (bits % 3))),
    })),
  )

  for (const progress of ['success', 'reflections'] as const) {
    for (const escalateWhen of ['fail', 'fail_or_budget'] as const) {
      test(`ends as every record of six attempts says (${progress}, ${escalateWhen})`, async () => {
        for (const [maxSteps, patience] of [
          [0, 0],
          [0, 2],
          [1, 1],
          [3, 1],
          [2, 3],
        ] as const) {
          const settings = { maxSteps, patience, escalateWhen, progress }
          const agent = new RecordedAttempts(settings)
          for (const attempts of records) {
            const expected = haltedByRecord(attempts, settings)
            assert.deepEqual(await agent.replay(rowOf(attempts)), expected)
          }
        }
      })
    }
  }
})

suite('the table of attempts', () => {
  test('says when the data is absent, or of another form', async (context) => {
    assert.equal(await attemptsFigures('/nowhere'), 'act_trials.jsonl: absent: skipped')
    const folder = await mkdtemp(join(tmpdir(), 'attempts-'))
    context.after(() => rm(folder, { recursive: true }))
    const row = { id: 'a', benchmark: 'own', strategy: 'none', reflections: [1, 1] }
    await writeFile(join(folder, 'act_trials.jsonl'), JSON.stringify(row))
    await assert.rejects(attemptsFigures(folder), /its keys are: id, benchmark/)
    const whole = { ...row, success: [false, true] }
    await writeFile(join(folder, 'act_trials.jsonl'), JSON.stringify(whole))
    const printed = await attemptsFigures(folder)
    assert.match(printed, /^max_steps 1, patience 1 +100\.0 % +0 +2 +1 +0 +0 +0$/m)
    assert.match(printed, /differ from the record: 0 of 100 runs$/)
  })
})
