import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { COST_GROUPS, costReport, type CostRow } from './costs.ts'
import type { UsageOfRung, UsageRecord } from './usage-record.ts'

function rung(
  tier: string,
  model: string,
  calls: number,
  more: Partial<UsageOfRung> = {},
): UsageOfRung {
  const known_cost = calls / 4
  return {
    tier,
    model,
    llm_calls: calls,
    prompt_tokens: calls * 100,
    completion_tokens: calls * 10,
    cost: known_cost,
    known_cost,
    unpriced_calls: 0,
    ...more,
  }
}

function usage(run_id: string, ts: string, ...rungs: readonly UsageOfRung[]): UsageRecord {
  return {
    kind: 'usage',
    ts,
    run_id,
    mode: 'fallback_only',
    finish_reason: 'success',
    verified: true,
    seconds: 1,
    tool_calls: 1,
    act_steps: 1,
    rungs,
    total_tokens: 0,
    cost: null,
  }
}

const UNPRICED = { cost: null, known_cost: 0, unpriced_calls: 2 }
const RECORDS = [
  usage('1', '2026-11-22T23:30:00+00:00', rung('small', 'a/s', 1), rung('big', 'a/b', 0)),
  usage('2', '2026-11-21T10:00:00+00:00', rung('small', 'a/s', 2), rung('big', 'a/b', 1)),
  usage('3', '2026-11-22T11:00:00+00:00', rung('small', 'c/s', 1), rung('big', 'c/b', 2, UNPRICED)),
  usage('4', '2026-11-23T11:00:00+00:00', rung('small', 'a/s', 0)),
]

const shown = (rows: readonly CostRow[]): readonly unknown[] =>
  rows.map(({ key, runs, llm_calls, cost, known_cost }) => [key, runs, llm_calls, cost, known_cost])

suite('the costs of runs', () => {
  test('[R20.3, R20.5, DD-27] sum by model, tier, day or run', () => {
    const by = (group: (typeof COST_GROUPS)[number], timeZone = 'UTC') =>
      shown(costReport(RECORDS, { by: group, timeZone }).rows)
    assert.deepEqual(by('model'), [
      ['a/s', 2, 3, 0.75, 0.75],
      ['a/b', 1, 1, 0.25, 0.25],
      ['c/s', 1, 1, 0.25, 0.25],
      ['c/b', 1, 2, null, 0],
    ])
    assert.deepEqual(by('tier'), [
      ['small', 3, 4, 1, 1],
      ['big', 2, 3, null, 0.25],
    ])
    assert.deepEqual(by('day'), [
      ['2026-11-21', 1, 3, 0.75, 0.75],
      ['2026-11-22', 2, 4, null, 0.5],
      ['2026-11-23', 1, 0, 0, 0],
    ])
    assert.deepEqual(by('day', 'Asia/Tokyo').slice(1), [
      ['2026-11-22', 1, 3, null, 0.25],
      ['2026-11-23', 2, 1, 0.25, 0.25],
    ])
    assert.deepEqual(by('run'), [
      ['1', 1, 1, 0.25, 0.25],
      ['2', 1, 3, 0.75, 0.75],
      ['3', 1, 3, null, 0.25],
      ['4', 1, 0, 0, 0],
    ])
  })

  test('[DD-27] report escalations in total, and a mean only if all costs are known', () => {
    const { total } = costReport(RECORDS, { by: 'model', timeZone: 'UTC' })
    assert.deepEqual(total, {
      runs: 4,
      llm_calls: 7,
      prompt_tokens: 700,
      completion_tokens: 70,
      cost: null,
      known_cost: 1.25,
      unpriced_calls: 2,
      assumed_calls: 0,
      evaluations: {
        runs: 0,
        llm_calls: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        cost: 0,
        known_cost: 0,
        unpriced_calls: 0,
        assumed_calls: 0,
      },
      conversations: {
        runs: 0,
        llm_calls: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        cost: 0,
        known_cost: 0,
        unpriced_calls: 0,
        assumed_calls: 0,
      },
      escalated_runs: 2,
      escalated_share: 0.5,
      mean_cost_per_run: null,
    })
    const known = costReport(RECORDS.slice(0, 2), { by: 'run', timeZone: 'UTC' }).total
    assert.deepEqual([known.cost, known.mean_cost_per_run], [1, 0.5])
    const none = costReport([], { by: 'run', timeZone: 'UTC' })
    assert.deepEqual(none.rows, [])
    assert.deepEqual([none.total.escalated_share, none.total.mean_cost_per_run], [null, null])
  })

  test('count calls charged at their worst case', () => {
    const records = [
      usage('1', '2026-11-22T11:00:00+00:00', rung('small', 'a/s', 3, { assumed_calls: 2 })),
      usage('2', '2026-11-22T12:00:00+00:00', rung('small', 'a/s', 1)),
    ]
    const { rows, total } = costReport(records, { by: 'model', timeZone: 'UTC' })
    assert.deepEqual([rows[0]?.assumed_calls, total.assumed_calls], [2, 2])
  })

  test('[DD-27] separate evaluation runs, which do not affect share and mean', () => {
    const evaluated = RECORDS.slice(1, 3).map((one) => ({ ...one, purpose: 'evaluation' as const }))
    const [first] = RECORDS
    assert.ok(first !== undefined)
    const { total } = costReport([first, ...evaluated], { by: 'model', timeZone: 'UTC' })
    assert.deepEqual([total.runs, total.llm_calls, total.known_cost], [3, 7, 1.25])
    const { runs, cost, known_cost, unpriced_calls } = total.evaluations
    assert.deepEqual([runs, cost, known_cost, unpriced_calls], [2, null, 1, 2])
    assert.deepEqual(
      [total.escalated_runs, total.escalated_share, total.mean_cost_per_run],
      [0, 0, 0.25],
    )
    const none = costReport(evaluated, { by: 'model', timeZone: 'UTC' }).total
    assert.deepEqual([none.escalated_share, none.mean_cost_per_run], [null, null])
  })

  test('sum the rows before the last runs or days', () => {
    const { rows, earlier, total } = costReport(RECORDS, { by: 'day', timeZone: 'UTC', last: 1 })
    assert.deepEqual(shown(rows), [['2026-11-23', 1, 0, 0, 0]])
    assert.deepEqual(
      [earlier?.rows, earlier?.runs, earlier?.llm_calls, earlier?.cost, earlier?.known_cost],
      [2, 3, 7, null, 1.25],
    )
    assert.equal(total.runs, 4)
    const of = (by: (typeof COST_GROUPS)[number], last: number) =>
      costReport(RECORDS, { by, timeZone: 'UTC', last })
    assert.deepEqual(
      of('run', 3).rows.map(({ key }) => key),
      ['2', '3', '4'],
    )
    assert.equal(of('run', 4).earlier, null)
    assert.deepEqual([of('model', 1).rows.length, of('model', 1).earlier], [4, null])
  })

  test('leave out days before a given one', () => {
    const options = { by: 'run', timeZone: 'UTC', since: '2026-11-22' } as const
    const { rows, total, since } = costReport(RECORDS, options)
    assert.deepEqual([rows.map(({ key }) => key), total.runs], [['1', '3', '4'], 3])
    assert.equal(since, '2026-11-22')
  })

  test('[R20.3] property: the rows of any grouping add up to the total', () => {
    const rungs = fc.record({
      tier: fc.constantFrom('small', 'big'),
      model: fc.constantFrom('a/s', 'a/b', 'c/s'),
      calls: fc.nat(5),
      unpriced_calls: fc.nat(2),
    })
    const runs = fc.record({
      rungs: fc.array(rungs, { maxLength: 4 }),
      day: fc.integer({ min: 10, max: 14 }),
    })
    fc.assert(
      fc.property(fc.array(runs), fc.constantFrom(...COST_GROUPS), (all, by) => {
        const records = all.map(({ rungs, day }, index) =>
          usage(
            String(index),
            `2026-11-${day}T12:00:00Z`,
            ...rungs.map(({ tier, model, calls, unpriced_calls: unpriced }) =>
              rung(tier, model, calls, calls > 0 && unpriced > 0 ? UNPRICED : {}),
            ),
          ),
        )
        const { rows, total } = costReport(records, { by, timeZone: 'UTC' })
        for (const field of [
          'llm_calls',
          'prompt_tokens',
          'completion_tokens',
          'known_cost',
          'unpriced_calls',
        ] as const) {
          assert.equal(
            rows.reduce((sum, row) => sum + row[field], 0),
            total[field],
          )
        }
        assert.equal(
          total.cost === null,
          rows.some(({ cost }) => cost === null),
        )
        for (const { cost, known_cost, unpriced_calls } of rows) {
          assert.equal(cost, unpriced_calls > 0 ? null : known_cost)
        }
        assert.equal(total.runs, all.length)
      }),
    )
  })
})
