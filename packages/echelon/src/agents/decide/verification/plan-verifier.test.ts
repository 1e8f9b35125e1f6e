import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { standardTools } from '../../../compose/demonstration.ts'
import { standardVerifiers } from '../../../compose/decider.ts'
import { cascadeModel } from '../../../compose/cascade-model.ts'
import { cascadeReport } from '../../../cascade/cascade-report.ts'
import { asBound, scriptedModel } from '../../../testing/scripted-model.ts'
import { verifierContract } from '../../../testing/contract/verifier-contract.ts'
import { attempt, calling, modelFailed } from '../../../verify/in-tests.ts'
import type { Attempt } from '../../../verify/answer.ts'
import type { Judgment, Observed, VerifierEffect } from '../../../verify/verifier.ts'
import { isJsonObject, type Json } from '../../../core/value/json.ts'
import { plan } from './plan-verifier.ts'

const verifiers = await standardVerifiers()
const TODAY = '2026-03-02'

/** The calculator and the calendar of the tests: exact results for the questions below. */
const RESULTS: Readonly<Record<string, string>> = {
  '15 * 23': '345',
  '15*23': '345',
  '(15 * 23)': '345',
  '15 + 23': '38',
  'isPrime(91)': 'no',
  'isPrime(17077)': 'yes',
}

function performed(effect: VerifierEffect): Observed {
  assert.equal(effect.type, 'call-tools')
  const outcomes =
    effect.type === 'call-tools' ? effect.calls.map(({ input }) => outcome(input)) : []
  return { type: 'tools-called', outcomes }
}

function outcome(input: Json) {
  const given = isJsonObject(input) ? (input['expr'] ?? input['query']) : ''
  const asked = typeof given === 'string' ? given : ''
  const value = /day|2026|2025/.test(asked) ? 'Monday, September 8, 2025' : RESULTS[asked]
  assert.ok(value !== undefined, `no result for ${asked}`)
  return { type: 'ok', value: { value } } as const
}

function judged(one: Attempt): Judgment {
  const observed: Observed[] = []
  for (;;) {
    const found = plan(verifiers).verify(one, observed)
    if (found.verdict !== 'ask') return found
    observed.push(...found.effects.map(performed))
  }
}

const verdictOf = (question: string, text: string): string =>
  judged({ ...attempt(question, text), task: { ...attempt(question, text).task, today: TODAY } })
    .verdict

suite('the plan verifier', () => {
  test('proves an answer in words that states the recomputed value plainly', () => {
    for (const text of ['345', 'The answer is 345.', '15 × 23 = 345', 'It is 345.00']) {
      assert.equal(verdictOf('What is 15 * 23?', text), 'proved', text)
    }
    for (const text of ['Yes', 'Yes, 17077 is a prime number.', '[Yes]']) {
      assert.equal(verdictOf('Is 17077 a prime number?', text), 'proved', text)
    }
    assert.equal(verdictOf('Is 91 a prime number?', 'No, 91 is not a prime number.'), 'proved')
    assert.equal(
      verdictOf('What day of the week is September 8, 2025?', 'Monday, September 8, 2025'),
      'proved',
    )
  })

  test('refutes answers that look right and are wrong', () => {
    for (const text of ['355', 'The answer is 354.', '15 × 23 = 335', 'It is -345']) {
      assert.equal(verdictOf('What is 15 * 23?', text), 'refuted', text)
    }
    assert.equal(verdictOf('Is 91 a prime number?', 'Yes, 91 is a prime number.'), 'refuted')
  })

  test('proves nothing that hedges, denies, converts or names a second value', () => {
    for (const text of [
      'The answer is not 345.',
      'The answer is 345 or 354.',
      'About 345.',
      '345 %',
      'It is 345 dozen.',
      '15 × 23 = 345, but that may be wrong',
      'My first guess was 345. I no longer believe it.',
      'between 340 and 345',
      'If it is Monday, 345',
    ]) {
      assert.notEqual(verdictOf('What is 15 * 23?', text), 'proved', text)
    }
    assert.notEqual(verdictOf('Is 17077 a prime number?', 'Yes, 17077 is not prime.'), 'proved')
    assert.notEqual(
      verdictOf('What day of the week is September 8, 2025?', 'Tuesday, September 8, 2025'),
      'proved',
    )
  })

  test('makes the calls of a plan, and judges by their results', () => {
    const planned = (expr: string): Attempt =>
      calling(
        'What is 15 * 23?',
        [{ name: 'calculator', description: '', jsonSchema: {} }],
        [['calculator', { expr }]],
      )
    assert.equal(judged(planned('15*23')).verdict, 'proved')
    assert.equal(judged(planned('15 + 23')).verdict, 'refuted')
    const [foreign] = [calling('What is 15 * 23?', [], [['transfer', { amount: 345 }]])]
    assert.equal(judged(foreign).verdict, 'silent')
  })

  test('says nothing about questions that it cannot read, or whose day is not known', () => {
    assert.equal(verdictOf('Who wrote Faust?', 'Goethe'), 'silent')
    assert.equal(judged(attempt('What date is tomorrow?', 'March 3, 2026')).verdict, 'silent')
  })

  test('is silent if its tools fail', () => {
    const one = attempt('What is 15 * 23?', '345')
    const found = plan(verifiers).verify(one, [modelFailed])
    assert.equal(found.verdict, 'silent')
  })

  test('recomputes with the real tools, as the gate of a cascade', async () => {
    const names = ['calculator', 'calendar']
    const tools = (await standardTools()).filter(({ name }) => names.includes(name))
    const small = asBound(scriptedModel(['17077 is prime. Answer: yes', 'A third of 90 is 35.']))
    const big = asBound(scriptedModel(['A third of 90 is 30.']))
    const model = cascadeModel([small, big], { verify: plan(verifiers), accept: 1, tools })
    const asked = async (text: string) => {
      const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }]
      const { content, providerMetadata } = await model.doGenerate({ prompt })
      return [content, cascadeReport(providerMetadata)?.status] as const
    }
    const [prime, proved] = await asked('Is 17077 a prime number?')
    assert.equal(proved, 'proved')
    assert.match(JSON.stringify(prime), /17077 is prime/)
    const [third] = await asked('What is a third of 90?')
    assert.match(JSON.stringify(third), /is 30/)
  })
})

for (const { name, holds } of verifierContract(() => ({
  verifier: plan(verifiers),
  trial: {
    attempt: attempt('What is 15 * 23?', 'It is 345.'),
    answer: (effect) => performed(effect),
    rounds: 2,
    hides: ['345'],
  },
}))) {
  test(`the plan verifier: ${name}`, holds)
}
