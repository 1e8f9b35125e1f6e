import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Usage } from '../../packages/echelon/src/core/model/model.ts'
import { createRedactor } from '../../packages/echelon/src/core/redaction/redaction.ts'
import {
  type CaseResult,
  caseResult,
} from '../../packages/echelon/src/agents/decide/case/case-result.ts'
import type { FinishReason } from '../../packages/echelon/src/agents/decide/state.ts'
import {
  calc,
  evidenceOf,
  loopOf,
  MATH_TASK,
  planOf,
  pngArtifact,
  policyOf,
  scripted,
} from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const WRONG = planOf(calc('15 + 23'))

const redact = createRedactor()

/** Two small calls and one big one, each of ten tokens in and five out. */
const promoted = (price?: (usage: Usage) => number | null): Promise<CaseResult> =>
  scripted({
    small: [WRONG, WRONG],
    big: [RIGHT],
    ...(price === undefined ? {} : { price }),
  }).decider.runCase(MATH_TASK)

suite('the result of a case', () => {
  test('[R9.1, R9.2, R14.3, R20.2, DD-20] is the documented object, with run_id and costs', async () => {
    const { logs, run_id, ...result } = await promoted(({ input, output }) => input + 2 * output)
    assert.ok(run_id.length > 0 && logs.every((entry) => entry.run_id === run_id))
    assert.deepEqual(result, {
      answer: '345',
      checked: 'verified',
      confidence: null,
      opinions: [],
      verified: true,
      finish_reason: 'success',
      limit: null,
      problem: null,
      explanation: 'Verified: the quantities and operations of the question give the same number.',
      artifacts: {},
      counters: { llm_calls_small: 2, llm_calls_big: 1, tool_calls: 3, act_steps: 3 },
      token_usage: {
        small_model: { prompt_tokens: 20, completion_tokens: 10, cost: 40 },
        big_model: { prompt_tokens: 10, completion_tokens: 5, cost: 20 },
        total_tokens: 45,
      },
      cost: 60,
      rungs: [
        {
          model: 'offline/small',
          llm_calls: 2,
          prompt_tokens: 20,
          completion_tokens: 10,
          cost: 40,
        },
        { model: 'offline/big', llm_calls: 1, prompt_tokens: 10, completion_tokens: 5, cost: 20 },
      ],
    })
  })

  test('[DD-20] mode is hrm_small_then_escalate by default', async () => {
    const { decider } = scripted({ small: [WRONG, RIGHT] })
    assert.equal((await decider.runCase(MATH_TASK)).counters.llm_calls_small, 2)
  })

  test('[DD-20] an unknown price stays unknown and is not 0', async () => {
    const free = await promoted(() => 0)
    assert.deepEqual([free.cost, free.token_usage.big_model.cost], [0, 0])
    const unknown = await promoted(() => null)
    assert.deepEqual([unknown.cost, unknown.token_usage.small_model.cost], [null, null])
    const { decider } = scripted({ small: [RIGHT], price: () => null })
    const small = await decider.runCase(MATH_TASK)
    const { small_model, big_model } = small.token_usage
    assert.deepEqual([small.cost, small_model.cost, big_model.cost], [null, null, 0])
  })

  test('[R7.2, R20.1, R20.3] counts a ladder as small and the rest, and lists each rung', () => {
    const { rungs } = policyOf({ models: { ladder: ['a/0', 'b/1', 'c/2'] } })
    const spent = {
      'calls.small': 3,
      'calls.rung2': 2,
      'calls.big': 1,
      'input.small': 30,
      'input.rung2': 20,
      'input.big': 10,
      'output.rung2': 7,
      'money.rung2': 0.25,
      'money.big': 0.5,
      tools: 9,
    }
    const loop = loopOf({ actSteps: 6 })
    const end = { reason: 'success', limit: null, verified: true, loop } as const
    const result = caseResult({ runId: 'run', end, spent, rungs, asked: [], logs: [], redact })
    assert.deepEqual(result.counters, {
      llm_calls_small: 3,
      llm_calls_big: 3,
      tool_calls: 9,
      act_steps: 6,
    })
    assert.deepEqual(result.token_usage, {
      small_model: { prompt_tokens: 30, completion_tokens: 0, cost: 0 },
      big_model: { prompt_tokens: 30, completion_tokens: 7, cost: 0.75 },
      total_tokens: 67,
    })
    assert.deepEqual(
      result.rungs.map(({ model, llm_calls, cost }) => [model, llm_calls, cost]),
      [
        ['a/0', 3, 0],
        ['b/1', 2, 0.25],
        ['c/2', 1, 0.5],
      ],
    )
  })

  test('keeps the files of every round, by name', () => {
    const files = [
      pngArtifact({ sha256: 'old' }),
      pngArtifact({ sha256: 'new' }),
      pngArtifact({ name: 'a plan.png', path: '/my files/a plan.png' }),
    ]
    const evidence = files.map((file) =>
      evidenceOf('plotter', {}, { type: 'ok', value: null, artifacts: [file] }),
    )
    const end = {
      reason: 'big_fail',
      limit: null,
      verified: false,
      loop: loopOf({ evidence }),
    } as const
    const { artifacts } = caseResult({
      runId: 'r',
      end,
      spent: {},
      rungs: policyOf().rungs,
      asked: [],
      logs: [],
      redact,
    })
    assert.deepEqual(
      Object.values(artifacts).map(({ artifactId, parts: [part] }) => [artifactId, part.file.uri]),
      [
        ['new', 'file:///artifacts/plot.png'],
        ['ab12', 'file:///my%20files/a%20plan.png'],
      ],
    )
  })

  test('explains itself in one sentence', () => {
    const failure = { actions: [], reason: 'it is not the known answer' }
    const loop = loopOf({ answer: '346', failure })
    const limited = loopOf({ failure: { actions: [], reason: 'the limit of tools was reached' } })
    const down = loopOf({
      failure: { actions: [], reason: 'the model failed: it is down', forPerson: 'Start x/y.' },
    })
    const rows: readonly [FinishReason, string | null, typeof loop, string][] = [
      ['budget', 'money', down, 'Start x/y. The limit of money allows no other try.'],
      ['big_fail', null, loop, 'Not verified: it is not the known answer.'],
      ['budget', 'tools', limited, 'Stopped: the limit of tools was reached.'],
      ['big_fail', null, loopOf(), 'No answer: nothing was tried.'],
      ['budget', 'seconds', loop, 'Stopped at the limit of seconds: it is not the known answer.'],
      ['canceled', null, loop, 'Canceled; this is what there was.'],
    ]
    for (const [reason, limit, at, sentence] of rows) {
      const end = { reason, limit, verified: false, loop: at }
      const result = caseResult({
        runId: 'r',
        end,
        spent: {},
        rungs: policyOf().rungs,
        asked: [],
        logs: [],
        redact,
      })
      assert.equal(result.explanation, sentence)
    }
  })
})
