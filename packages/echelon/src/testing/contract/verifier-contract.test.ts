import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agree } from '../../verify/agree/agree.ts'
import { asProgram, inWords } from '../../verify/agree/way.ts'
import { call } from '../../verify/call/call.ts'
import { check } from '../../verify/check/check.ts'
import { commandCheck } from '../../verify/check/command-check.ts'
import { format } from '../../verify/format/format.ts'
import { grounded } from '../../verify/grounded/grounded.ts'
import { attempt, calling, computed, said } from '../../verify/in-tests.ts'
import { judge } from '../../verify/judge/judge.ts'
import { steps } from '../../verify/steps/steps.ts'
import { type Judgment, proved, scored, silent, type Verifier } from '../../verify/verifier.ts'
import { holdsAndFails } from '../holds-and-fails.ts'
import { verifierContract, type VerifierTrial } from './verifier-contract.ts'

const ATTEMPT = attempt('What is 17 × 3?', 'It is 51.', { kind: 'number' })

/** Asks one opinion, and scores by whether it is the answer. */
const opinion = (broken: Partial<Verifier> = {}): Verifier => ({
  name: 'opinion',
  features: ['opinion.same'],
  verify({ answer, task }, [first]) {
    if (first === undefined) {
      return { verdict: 'ask', effects: [inWords('opinion').ask(task)] }
    }
    if (first.type !== 'generated') return silent('no opinion', { 'opinion.same': 0.5 })
    const same = answer.type === 'text' && answer.text.includes(first.text)
    return scored(same ? 0.9 : 0.1, 'an opinion was heard', { 'opinion.same': Number(same) })
  },
  ...broken,
})

const TRIAL: VerifierTrial = {
  attempt: ATTEMPT,
  answer: () => said('51'),
  rounds: 1,
  hides: ['51'],
}

/** A verifier that judges as the good one does, and then changes the judgment. */
const changed =
  (change: (judgment: Judgment) => Judgment, broken: Partial<Verifier> = {}) =>
  () => {
    const good = opinion()
    const verifier: Verifier = {
      ...good,
      verify(attempt, observed) {
        const answer = good.verify(attempt, observed)
        return answer.verdict === 'ask' ? answer : change(answer)
      },
      ...broken,
    }
    return { verifier, trial: TRIAL }
  }

const opened = (verifier: Verifier) => () => ({ verifier, trial: TRIAL })

let judgments = 0

holdsAndFails('a verifier', verifierContract, opened(opinion()), {
  'its features have its name, and are listed once': opened(opinion({ features: ['same'] })),
  'it judges the same again, changes nothing and keeps nothing': changed((judgment) =>
    judgment.verdict === 'scored' ? { ...judgment, score: 1 / ++judgments } : judgment,
  ),
  'no text makes it throw or keeps it busy': opened(
    opinion({
      verify: ({ answer }) =>
        scored(
          answer.type === 'text' ? decodeURIComponent(encodeURIComponent(answer.text)).length : 0,
          '',
        ),
    }),
  ),
  'its judgments have the features that it lists, all finite': changed((judgment) => ({
    ...judgment,
    features: { 'opinion.same': Number.NaN },
  })),
  'its score fits its verdict': changed((judgment) => ({ ...judgment, score: judgment.score * 2 })),
  'it asks for one effect at least, and no more often than it may': opened(
    opinion({
      verify: ({ task }, observed) =>
        observed.length < 2
          ? { verdict: 'ask', effects: [inWords('opinion').ask(task)] }
          : scored(0.5, 'two opinions', { 'opinion.same': 0 }),
    }),
  ),
  'effects that fail leave it silent or scored': changed((judgment) =>
    judgment.verdict === 'silent' ? proved('nobody objected', judgment.features) : judgment,
  ),
  'its reason is one clause, without the values that it must hide': changed((judgment) => ({
    ...judgment,
    reason: 'the right answer is 51',
  })),
})

test('[C-26] the contract of a verifier stops one that asks on and on, or for nothing', async () => {
  for (const effects of [[], [inWords('opinion').ask(ATTEMPT.task)]]) {
    const verifier = opinion({ verify: () => ({ verdict: 'ask', effects }) })
    const [, second] = verifierContract(opened(verifier))
    assert.ok(second !== undefined)
    await assert.rejects(second.holds, /it asks (?:on and on|for nothing) for/)
  }
})

const WEATHER = {
  name: 'weather',
  description: 'The weather of a city',
  jsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const ASKED = calling('What is the weather in Oslo?', [WEATHER], [['weather', { city: 'Oslo' }]])

const VERDICT = JSON.stringify({
  evidence: [{ quote: '51', finding: 'it is 52', holds: false }],
  verdict: 'wrong',
  confidence: 80,
})
const PROGRAM = asProgram('small')

const VERIFIERS: Readonly<Record<string, () => { verifier: Verifier; trial: VerifierTrial }>> = {
  'agree in words': () => ({
    verifier: agree({ ways: [inWords('small')], atMost: 3 }),
    trial: { attempt: ATTEMPT, answer: () => said('Answer: 51'), rounds: 3, hides: ['51'] },
  }),
  'agree by programs': () => ({
    verifier: agree({ ways: [PROGRAM, inWords('opinion')], atMost: 4, across: true }),
    trial: {
      attempt: ATTEMPT,
      answer: (effect) => (effect.type === 'generate' ? said('{"expr":"17*3"}') : computed('52')),
      rounds: 8,
      hides: ['52'],
    },
  }),
  'agree on calls': () => ({
    verifier: agree({ ways: [inWords('opinion')] }),
    trial: {
      attempt: ASKED,
      answer: () => said('', [['weather', { city: 'Bergen' }]]),
      rounds: 2,
      hides: ['Bergen'],
    },
  }),
  format: () => ({ verifier: format, trial: { attempt: ATTEMPT } }),
  steps: () => ({
    verifier: steps,
    trial: {
      attempt: attempt('What is 17 × 3?', '17 × 3 = 52, so it is 52.', { kind: 'number' }),
      hides: ['51'],
    },
  }),
  call: () => ({ verifier: call(), trial: { attempt: ASKED } }),
  check: () => ({
    verifier: check('short', ({ answer }) =>
      answer.type === 'text' ? answer.text.length < 99 : 0.5,
    ),
    trial: { attempt: ATTEMPT },
  }),
  'check by a command': () => ({
    verifier: commandCheck({ tool: 'run_tests' }),
    trial: {
      attempt: ATTEMPT,
      answer: () => computed({ exit: 1, stdout: 'expected 52', stderr: '' }),
      rounds: 1,
      hides: ['52'],
    },
  }),
  judge: () => ({
    verifier: judge(),
    trial: { attempt: ATTEMPT, answer: () => said(VERDICT), rounds: 1, hides: ['52'] },
  }),
  grounded: () => ({
    verifier: grounded(),
    trial: {
      attempt: {
        ...ATTEMPT,
        task: {
          ...ATTEMPT.task,
          sources: [{ name: 'table', text: '17 × 3 is 52. 17 × 2 is 34.' }],
        },
      },
      hides: ['52'],
    },
  }),
}

for (const [name, open] of Object.entries(VERIFIERS)) {
  for (const rule of verifierContract(open)) {
    test(`[C-26] the verifier ${name}: ${rule.name}`, rule.holds)
  }
}
