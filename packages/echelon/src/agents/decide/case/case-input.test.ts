import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { caseInput } from './case-input.ts'
import { policyFor } from '../settings/modes.ts'
import { completeSettings } from '../settings/settings.ts'
import type { CaseOptions } from './case-options.ts'

const policy = policyFor(completeSettings(), 'fallback_only')
const accepts = (input: unknown, options: CaseOptions = {}): void => {
  const text: string = typeof input === 'string' ? input : Object(input)
  caseInput(text, options, policy)
}
const refused = (input: unknown, message: string | RegExp, options: CaseOptions = {}): void =>
  assert.throws(() => accepts(input, options), { code: 'INVALID_INPUT', message })

suite('the input of a case', () => {
  test('[R9.3, R23.4] has at most as many characters as configured', () => {
    accepts('x'.repeat(8192))
    refused(
      'x'.repeat(8193),
      'the task has 8193 characters and may have 8192; shorten it, or raise limits.max_input_chars',
    )
    const short = policyFor(completeSettings({ limits: { max_input_chars: 3 } }), 'fallback_only')
    assert.throws(() => caseInput('four', {}, short), { code: 'INVALID_INPUT' })
    assert.equal(caseInput('two', {}, short).input, 'two')
  })

  test('[R9.3] is text that UTF-8 can hold', () => {
    accepts('Wieviel ist 3 × 4? 🧮')
    refused('half a pair: \uD83E', /not valid Unicode/)
    refused(345, 'the task must be text')
    refused(null, 'the task must be text')
  })

  test('[R23.5] is refused with the problem and the fix', () => {
    refused('', 'the task is empty; say what is to be answered')
    refused(' \n', /is empty/)
    for (const today of ['8.9.2025', '2025-9-8', '2025-02-30', '2025-13-01', 'today']) {
      const message = `today is ${JSON.stringify(today)}, which is not a date; write one as 2025-09-08`
      refused('What day is it?', message, { today })
    }
    refused('What is 1 + 1?', 'the seed must be a whole number', { seed: 0.5 })
    const odd: object = { unchecked: 'maybe' }
    refused('What?', 'unchecked is "maybe"; use answer, escalate, refuse', odd)
  })

  test('is passed on with the other options of the case', () => {
    const options = {
      expectedTools: ['calculator'],
      goldAnswer: '2',
      today: '2024-02-29',
      seed: 42,
    }
    assert.deepEqual(caseInput('What is 1 + 1?', options, policy), {
      input: 'What is 1 + 1?',
      mode: policy.mode,
      ...options,
      unchecked: 'answer',
      rules: 2,
    })
    assert.deepEqual(caseInput('What is 1 + 1?', {}, policy), {
      input: 'What is 1 + 1?',
      mode: policy.mode,
      expectedTools: [],
      goldAnswer: null,
      today: null,
      seed: null,
      unchecked: 'answer',
      rules: 2,
    })
  })
})
