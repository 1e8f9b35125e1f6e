import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ToolOutcome } from '../../packages/echelon/src/core/tool/tool.ts'
import {
  keepOutcomes,
  readyCalls,
  settleWithoutCalls,
} from '../../packages/echelon/src/agents/decide/plan/executor.ts'
import type { PhaseOf } from '../../packages/echelon/src/agents/decide/state.ts'
import { calc, date, loopOf, okOf, type PlannedAction, taskOf, TOOLS } from './fixtures.ts'

const KNOWN = TOOLS.filter(({ name }) => name !== 'plotter')
const UNKNOWN = { tool: 'rm', args: { path: '/' } }

const running = (...actions: readonly PlannedAction[]): PhaseOf<'execute'> => ({
  phase: 'execute',
  loop: loopOf({ rung: 1, rounds: 2 }),
  actions,
  ran: [],
  at: 0,
  allowance: 3,
})

/** Runs a plan as the agent does; returns the batches of inputs, and the outcome of each action. */
function runPlan(
  actions: readonly PlannedAction[],
  answer: (input: unknown) => ToolOutcome,
): { readonly batches: readonly unknown[]; readonly outcomes: readonly ToolOutcome[] } {
  let here = settleWithoutCalls(running(...actions), KNOWN)
  const batches: unknown[] = []
  while (here.ran.length < here.actions.length) {
    const calls = readyCalls(here, KNOWN)
    assert.ok(calls.length > 0, 'a plan that goes on has something to do')
    batches.push(calls.map(({ input }) => input))
    const outcomes = calls.map(({ input }) => answer(input))
    here = settleWithoutCalls(keepOutcomes(here, calls, outcomes), KNOWN)
  }
  return { batches, outcomes: here.ran.map(({ outcome }) => outcome) }
}

const double = (): ToolOutcome => okOf({ value: '2' })

suite('the executor', () => {
  test('[R10.5, R18.5] takes the actions in the order of the plan', () => {
    const { batches } = runPlan([calc('1'), calc('2'), calc('3')], double)
    assert.deepEqual(batches, [[{ expr: '1' }, { expr: '2' }, { expr: '3' }]])
  })

  test('[DD-26] delays an action that uses a result, and resolves the reference', () => {
    const { batches } = runPlan([calc('1'), calc('$1.value'), calc('$2.value')], double)
    assert.deepEqual(batches, [[{ expr: '1' }], [{ expr: '2' }], [{ expr: '2' }]])
    const together = runPlan([calc('1'), calc('5'), calc('$1.value')], double)
    assert.deepEqual(together.batches, [[{ expr: '1' }, { expr: '5' }], [{ expr: '2' }]])
  })

  test('[R9.5] counts dates from the day of the case if the plan names none', () => {
    const named = { tool: 'calendar', args: { query: 'tomorrow', today: '2024-02-29' } }
    const { batches } = runPlan([date('tomorrow'), named], double)
    assert.deepEqual(batches, [
      [
        { today: '2025-09-08', query: 'tomorrow' },
        { query: 'tomorrow', today: '2024-02-29' },
      ],
    ])
    const before = { ...running(date('tomorrow')), loop: loopOf({ task: taskOf({ rules: 1 }) }) }
    assert.deepEqual(
      readyCalls(before, KNOWN).map(({ input }) => input),
      [{ query: 'tomorrow' }],
    )
  })

  test('[R4.4, R10.3, R23.2] skips an unknown tool, with UNKNOWN_TOOL in the evidence', () => {
    const { batches, outcomes } = runPlan([UNKNOWN, calc('1'), UNKNOWN], double)
    assert.deepEqual(batches, [[{ expr: '1' }]])
    const unknown = { type: 'error', code: 'UNKNOWN_TOOL', message: 'there is no tool rm' }
    assert.deepEqual(outcomes, [unknown, okOf({ value: '2' }), unknown])
  })

  test('[R10.3] an unknown tool keeps its number, so later references still fit', () => {
    const byExpr = (input: unknown): ToolOutcome => okOf({ value: JSON.stringify(input) })
    const { outcomes } = runPlan([UNKNOWN, calc('7'), calc('$2.value')], byExpr)
    assert.deepEqual(outcomes[2], okOf({ value: '{"expr":"{\\"expr\\":\\"7\\"}"}' }))
  })

  test('[R23.1] nothing is called when all tools are unknown', () => {
    const { batches, outcomes } = runPlan([UNKNOWN, UNKNOWN], double)
    assert.deepEqual(batches, [])
    assert.equal(outcomes.length, 2)
  })

  test('[R4.1] an action that uses a missing result becomes an error, and the rest runs', () => {
    const failing = (input: unknown): ToolOutcome =>
      JSON.stringify(input) === '{"expr":"1"}'
        ? { type: 'error', code: 'TOOL_ERROR', message: 'broken' }
        : okOf({ value: '9' })
    const { outcomes } = runPlan([calc('1'), calc('$1.value'), calc('3')], failing)
    assert.deepEqual(outcomes, [
      { type: 'error', code: 'TOOL_ERROR', message: 'broken' },
      {
        type: 'error',
        code: 'INVALID_ARGS',
        message: '$1.value is not there: that action failed or has no such field',
      },
      okOf({ value: '9' }),
    ])
  })

  test('[R22.3] names its calls by rung, round and number, including skipped ones', () => {
    const here = settleWithoutCalls(running(UNKNOWN, calc('1'), calc('2')), KNOWN)
    assert.deepEqual(
      readyCalls(here, KNOWN).map(({ id }) => id),
      ['1.2.2', '1.2.3'],
    )
  })

  test('a batch ends before an unknown tool, which is settled in its turn', () => {
    const here = running(calc('1'), UNKNOWN, calc('2'))
    const calls = readyCalls(here, KNOWN)
    assert.equal(calls.length, 1)
    assert.equal(settleWithoutCalls(here, KNOWN), here)
    const after = settleWithoutCalls(keepOutcomes(here, calls, [double()]), KNOWN)
    assert.deepEqual(
      after.ran.map(({ outcome }) => outcome.type),
      ['ok', 'error'],
    )
  })
})
