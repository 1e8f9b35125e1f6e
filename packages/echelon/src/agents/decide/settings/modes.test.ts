import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { keptBack, type Policy, policyFor } from './modes.ts'
import { completeSettings, type Mode, MODES, type PartialSettings } from './settings.ts'

const policyOf = (settings: PartialSettings = {}, mode: Mode = MODES[0]): Policy =>
  policyFor(completeSettings(settings), mode)

suite('a mode', () => {
  test('[R17.2] is one of two', () => {
    assert.deepEqual(MODES, ['hrm_small_then_escalate', 'fallback_only'])
    const turbo: Mode = Object('turbo')
    assert.throws(() => policyOf({}, turbo), {
      code: 'INVALID_CONFIG',
      message: 'there is no mode turbo; use hrm_small_then_escalate or fallback_only',
    })
  })

  test('[R24.2] hrm_small_then_escalate has three further rounds by default', () => {
    assert.equal(policyOf().maxSteps, 3)
    for (const max_steps of [0, 1, 7]) {
      assert.equal(policyOf({ act: { max_steps } }).maxSteps, max_steps)
    }
  })

  test('[R24.1, R24.4] fallback_only allows none or one, and more is refused', () => {
    assert.equal(policyOf({}, 'fallback_only').maxSteps, 0)
    assert.equal(policyOf({ act: { max_steps: 0 } }, 'fallback_only').maxSteps, 0)
    assert.equal(policyOf({ act: { max_steps: 1 } }, 'fallback_only').maxSteps, 1)
    assert.throws(() => policyOf({ act: { max_steps: 2 } }, 'fallback_only'), {
      code: 'INVALID_CONFIG',
      message: 'act.max_steps is 2; in fallback_only it may be 0 or 1',
    })
  })

  test('[R24.3] takes its own budgets and rounds from the settings', () => {
    const settings: PartialSettings = {
      act: { max_steps: 5 },
      budget: { max_seconds: 30 },
      modes: { fallback_only: { act: { max_steps: 1 }, budget: { max_tool_calls: 4 } } },
    }
    const [full, mini] = [policyOf(settings), policyOf(settings, 'fallback_only')]
    assert.deepEqual([full.maxSteps, full.limits['tools'], full.limits['seconds']], [5, 6, 30])
    assert.deepEqual([mini.maxSteps, mini.limits['tools'], mini.limits['seconds']], [1, 4, 30])
    assert.throws(
      () => completeSettings({ modes: { fallback_only: { budget: { max_seconds: -1 } } } }),
      {
        message: /^modes\.fallback_only\.budget\.max_seconds is -1; /,
      },
    )
  })

  test('[R24.5] changes nothing but the rounds', () => {
    const [full, mini] = [policyOf(), policyOf({}, 'fallback_only')]
    assert.deepEqual({ ...mini, mode: full.mode, maxSteps: full.maxSteps }, full)
  })
})

suite('the limits of a run', () => {
  test('[R2.1, R2.2, R2.3, R2.4] come from the settings', () => {
    assert.deepEqual(policyOf().limits, {
      'calls.small': 6,
      'calls.big': 2,
      tools: 6,
      checks: 12,
      seconds: 60,
    })
    const budget = {
      max_llm_calls_small: 1,
      max_llm_calls_big: 3,
      max_tool_calls: 4,
      max_checks: 5,
      max_seconds: 7,
      max_tokens: 8,
      max_cost_usd: 0.9,
    }
    assert.deepEqual(policyOf({ budget }).limits, {
      'calls.small': 1,
      'calls.big': 3,
      tools: 4,
      checks: 5,
      seconds: 7,
      tokens: 8,
      money: 0.9,
    })
  })

  test('a ladder replaces small and big, and each rung beyond two gets a plan of its own', () => {
    const { rungs, limits } = policyOf({ models: { ladder: ['a/0', 'b/1', 'c/2', 'd/3'] } })
    assert.deepEqual(
      rungs.map(({ role, model }) => ({ role, model })),
      [
        { role: 'small', model: 'a/0' },
        { role: 'rung2', model: 'b/1' },
        { role: 'rung3', model: 'c/2' },
        { role: 'big', model: 'd/3' },
      ],
    )
    assert.equal(limits['tools'], 12)
    assert.deepEqual(
      rungs.map(({ role }) => limits[`calls.${role}`]),
      [6, 6, 6, 2],
    )
  })

  test('a single rung is both small and the top', () => {
    const { rungs, limits } = policyOf({ models: { ladder: ['a/0'] } })
    assert.deepEqual(
      rungs.map(({ role, model }) => ({ role, model })),
      [{ role: 'small', model: 'a/0' }],
    )
    assert.deepEqual([limits['calls.small'], limits['tools']], [6, 6])
  })

  test('give a reasoning model more tokens and time', () => {
    const ceilings = (settings: Parameters<typeof policyOf>[0]): readonly unknown[] =>
      policyOf({ models: { ladder: ['a/0', 'b/1', 'c/2'] }, ...settings }).rungs.map(
        ({ reasoning, maxTokens, callTimeoutMs }) => [reasoning, maxTokens, callTimeoutMs],
      )
    const thinks = [undefined, 4096, 45_000]
    assert.deepEqual(ceilings({}), [['least', 500, 15_000], thinks, thinks])
    assert.deepEqual(ceilings({ reasoning: { small: 'high', big: 'least' } }), [
      ['high', 4096, 45_000],
      ['least', 500, 15_000],
      ['least', 500, 15_000],
    ])
    const limits = {
      max_completion_tokens: 100,
      max_reasoning_tokens: 9000,
      max_reasoning_seconds: 9,
    }
    const own = [undefined, 9000, 9000]
    assert.deepEqual(ceilings({ limits }), [['least', 100, 15_000], own, own])
  })

  test('reserve a full plan for each higher rung, if they exceed one', () => {
    const kept = (max_tool_calls: number | null, rungs: number): readonly number[] => {
      const ladder = Array.from({ length: rungs }, (_, rung) => `m/${rung}`)
      const policy = policyOf({ models: { ladder }, budget: { max_tool_calls } })
      return ladder.map((_, rung) => keptBack(policy, rung))
    }
    assert.deepEqual(kept(null, 2), [3, 0])
    assert.deepEqual(kept(5, 2), [2, 0])
    assert.deepEqual(kept(2, 2), [0, 0])
    assert.deepEqual(kept(null, 3), [6, 3, 0])
  })
})

suite('a policy', () => {
  test('[DD-26] tools run one at a time unless parallel tools are on', () => {
    assert.equal(policyOf().atOnce, 1)
    assert.equal(policyOf({ flags: { parallel_tools: true } }).atOnce, 3)
    const settings = {
      flags: { parallel_tools: true },
      security: { max_concurrent_tool_calls: 2 },
    }
    assert.equal(policyOf(settings).atOnce, 2)
  })

  test('[DD-18] only the sampling values that are set are sent', () => {
    assert.deepEqual(policyOf().sampling, { temperature: 0.1 })
    const sampling = {
      temperature: null,
      top_p: 0.9,
      frequency_penalty: -1,
      presence_penalty: 2,
      stop: ['\n'],
    }
    assert.deepEqual(policyOf({ sampling }).sampling, {
      topP: 0.9,
      frequencyPenalty: -1,
      presencePenalty: 2,
      stop: ['\n'],
    })
  })

  test('a plan has 500 tokens, but no more than an answer may have', () => {
    assert.equal(policyOf().maxPlanTokens, 500)
    assert.equal(policyOf({ limits: { max_completion_tokens: 200 } }).maxPlanTokens, 200)
  })
})
