import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { EchelonError } from '../../../core/value/error.ts'
import { completeSettings, type DecideSettings, DEFAULT_SETTINGS } from './settings.ts'

/** The refusal of `completeSettings` for unknown settings. */
function refusal(given: unknown): string | undefined {
  try {
    completeSettings(Object(given))
    return undefined
  } catch (error) {
    assert.ok(error instanceof EchelonError)
    assert.equal(error.code, 'INVALID_CONFIG')
    return error.message
  }
}

suite('settings that are left out', () => {
  const { budget, act, flags, limits, security, telemetry, verifier_thresholds } =
    completeSettings()

  test('[R2.1] the small model has 6 calls', () => assert.equal(budget.max_llm_calls_small, 6))
  test('[R2.2] the big model has 2 calls', () => assert.equal(budget.max_llm_calls_big, 2))
  test('[R2.4] a run has 60 seconds', () => assert.equal(budget.max_seconds, 60))
  test('[R9.3, R23.4] a task has at most 8,192 characters', () =>
    assert.equal(limits.max_input_chars, 8192))
  test('[R23.3] a file has at most 5 MB', () => assert.equal(limits.max_artifact_mb, 5))
  test('[R17.3] limits promote too', () => assert.equal(flags.escalate_when, 'fail_or_budget'))

  test('[R17.4] have their documented values', () => {
    assert.deepEqual(act, { max_steps: null, no_progress_patience: 1, min_improvement: 0.01 })
    assert.equal(flags.allow_big_retry_once, true)
    assert.equal(flags.parallel_tools, false)
    assert.deepEqual([limits.max_prompt_tokens, limits.max_completion_tokens], [4000, 1000])
    assert.equal(telemetry.redact_pii, true)
    assert.deepEqual(security.allowed_file_extensions, ['.png', '.jpg', '.json', '.txt'])
    assert.equal(security.sanitize_filenames, true)
    assert.equal(security.max_concurrent_tool_calls, 3)
    assert.equal(verifier_thresholds.stock, 0.95)
  })

  test('[R17.4] default to low-temperature sampling and to the models of openai', () => {
    const { models, sampling, modes, tools } = completeSettings()
    assert.deepEqual(models, {
      small_model: 'openai/gpt-5-nano',
      big_model: 'openai/gpt-5',
      ladder: null,
    })
    assert.deepEqual(sampling, {
      temperature: 0.1,
      top_p: null,
      frequency_penalty: null,
      presence_penalty: null,
      stop: null,
    })
    assert.deepEqual([modes, tools], [{}, {}])
  })

  test('keep the given values', () => {
    const given = completeSettings({ budget: { max_seconds: 5 }, act: { max_steps: 1 } })
    assert.deepEqual(given.budget, { ...DEFAULT_SETTINGS.budget, max_seconds: 5 })
    assert.deepEqual(given.act, { ...DEFAULT_SETTINGS.act, max_steps: 1 })
    assert.deepEqual(given.flags, DEFAULT_SETTINGS.flags)
  })
})

suite('invalid settings are refused with their allowed values', () => {
  const isNumeric = (value: unknown): boolean => typeof value === 'number'
  const numbers = Object.entries(DEFAULT_SETTINGS).flatMap(([section, values]) =>
    Object.entries(values)
      .filter(([, value]) => isNumeric(value))
      .map(([key]) => [section, key] as const),
  )

  test('a value that is not a number, not finite, or below 0', () => {
    assert.equal(numbers.length, 16)
    const wrong = fc.oneof(
      fc.constantFrom(NaN, Infinity, -1, -0.5, '6', true, [6]),
      fc.double({ max: -Number.MIN_VALUE, noNaN: true }),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.constantFrom(...numbers), wrong, ([section, key], value) => {
        const message = refusal({ [section]: { [key]: value } })
        assert.ok(message?.startsWith(`${section}.${key} is `), message)
        assert.match(message ?? '', /; it must be a (?:whole )?number/)
      }),
    )
  })

  test('a fraction of a call, a round or an action', () => {
    for (const [section, key] of [
      ['budget', 'max_llm_calls_small'],
      ['budget', 'max_llm_calls_big'],
      ['budget', 'max_tool_calls'],
      ['act', 'max_steps'],
      ['act', 'no_progress_patience'],
      ['security', 'max_concurrent_tool_calls'],
    ] as const) {
      assert.match(refusal({ [section]: { [key]: 1.5 } }) ?? '', /must be a whole number/)
    }
    assert.equal(refusal({ budget: { max_seconds: 0.5, max_cost_usd: 0.01 } }), undefined)
  })

  test('null unless it is documented as a default or as no limit', () => {
    const nullable = Object.entries(DEFAULT_SETTINGS).flatMap(([section, values]) =>
      Object.entries(values)
        .filter(([, value]) => value === null)
        .map(([key]) => ({ [section]: { [key]: null } })),
    )
    for (const given of nullable) assert.equal(refusal(given), undefined)
    assert.match(refusal({ budget: { max_seconds: null } }) ?? '', /budget\.max_seconds is null/)
  })

  test('[R17.3] an unknown escalate_when', () => {
    const message = 'flags.escalate_when is "always"; it must be fail or fail_or_budget'
    assert.equal(refusal({ flags: { escalate_when: 'always' } }), message)
    for (const escalate_when of ['fail', 'fail_or_budget']) {
      assert.equal(refusal({ flags: { escalate_when } }), undefined)
    }
  })

  test('an empty ladder', () => {
    assert.match(
      refusal({ models: { ladder: [] } }) ?? '',
      /models\.ladder is \[\]; it must be a list of at least 1/,
    )
  })

  test('a model without a known provider, and an unknown time zone', () => {
    for (const small_model of ['gpt-5-nano', '/x', 'openai/', 'a b/c', '']) {
      assert.match(refusal({ models: { small_model } }) ?? '', /such as openai\/gpt-5-nano/)
    }
    assert.match(refusal({ telemetry: { timezone: 'Mars/Base' } }) ?? '', /such as Asia\/Bangkok/)
    assert.equal(refusal({ telemetry: { timezone: 'Asia/Bangkok' } }), undefined)
  })

  test('[R24.4] rounds that a mode does not allow', () => {
    const modes = { fallback_only: { act: { max_steps: 2 } } }
    assert.match(
      refusal({ modes }) ?? '',
      /^modes\.fallback_only\.act\.max_steps is 2; .* from 0 to 1/,
    )
  })

  test('[DD-10] tool retries that are not a number', () => {
    assert.equal(refusal({ tools: { plotter: { retries: 3 } } }), undefined)
    assert.match(
      refusal({ tools: { plotter: { retries: -1 } } }) ?? '',
      /^tools\.plotter\.retries is -1/,
    )
    assert.match(refusal({ tools: { plotter: { retry: 1 } } }) ?? '', /did you mean retries/)
  })

  test('a threshold above 1 is legal, and nothing passes it', () => {
    const settings: DecideSettings = completeSettings({ verifier_thresholds: { stock: 1.5 } })
    assert.equal(settings.verifier_thresholds.stock, 1.5)
  })
})
