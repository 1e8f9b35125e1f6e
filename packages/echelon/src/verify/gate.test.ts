import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { checkGate, gate } from './gate.ts'
import { attempt } from './in-tests.ts'
import { ruleOn } from './rule-on.ts'
import { type Judgment, proved, refuted, scored, silent, type Verifier } from './verifier.ts'

const OPTIONS = { accept: 0.8 }
const TASK = attempt('What is 2 + 2?', '4')

const always = (judgment: Judgment): Verifier => ({
  name: 'always',
  features: [],
  verify: () => judgment,
})

suite('gate', () => {
  const rows: readonly [string, Judgment, string][] = [
    ['a proof is accepted', proved('r'), 'accept proved 1'],
    ['a refutation is promoted', refuted('r'), 'promote unsupported 0'],
    ['a score at the threshold is accepted', scored(0.8, 'r'), 'accept supported 0.8'],
    ['a score below the threshold is promoted', scored(0.79, 'r'), 'promote unsupported 0.79'],
    ['silence is promoted', silent('r'), 'promote unchecked null'],
    ['a score that is not a number is unchecked', scored(NaN, 'r'), 'promote unchecked null'],
    ['a score above 1 is unchecked', scored(7, 'r'), 'promote unchecked null'],
  ]
  for (const [title, judgment, expected] of rows) {
    test(title, () => {
      const { decision, status, confidence, evidence } = gate(judgment, OPTIONS)
      assert.equal(`${decision} ${status} ${confidence}`, expected)
      assert.equal(evidence, 'r')
    })
  }

  test('silence is accepted only on request, and stays unchecked', () => {
    const ruling = gate(silent('r'), { accept: 0.8, unchecked: 'accept' })
    assert.deepEqual([ruling.decision, ruling.status], ['accept', 'unchecked'])
  })

  test('only a proof is called proved, and no refuted answer is accepted', () => {
    const verdict = fc.constantFrom('proved', 'refuted', 'scored', 'silent')
    const unchecked = fc.constantFrom('promote', 'accept')
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(verdict, fc.double(), unit, unchecked, (verdict, score, accept, unchecked) => {
        const given = { verdict, score, features: {}, reason: '' } as const
        const ruling = gate(given, { accept, unchecked })
        assert.equal(ruling.status === 'proved', verdict === 'proved')
        if (verdict === 'refuted') assert.equal(ruling.decision, 'promote')
        if (ruling.status === 'supported') assert.ok((ruling.confidence ?? 0) >= accept)
        if (ruling.status === 'unsupported') assert.equal(ruling.decision, 'promote')
      }),
    )
  })

  test('options that cannot work are refused', () => {
    for (const accept of [NaN, -0.1, 1.1]) {
      assert.throws(() => checkGate('cascade', { accept }), /cascade: accept cannot be/)
    }
    checkGate('cascade', { accept: 0, unchecked: 'accept' })
  })
})

suite('a ruling', () => {
  test('of several verifiers all must be satisfied', async () => {
    const verify = [always(scored(0.9, 'good')), always(scored(0.3, 'weak'))]
    const { decision, confidence } = await ruleOn(TASK, { verify, ...OPTIONS })
    assert.deepEqual([decision, confidence], ['promote', 0.3])
  })

  test('a verifier that throws never lets an answer pass', async () => {
    const verify: Verifier = {
      name: 'broken',
      features: [],
      verify: () => {
        throw new Error('oops')
      },
    }
    const ruling = await ruleOn(TASK, { verify, accept: 0, unchecked: 'accept' })
    assert.deepEqual(
      [ruling.decision, ruling.status, ruling.evidence],
      ['promote', 'unchecked', 'the verifier broken failed: oops'],
    )
  })

  test('a verifier that never stops asking counts as silent', async () => {
    let performed = 0
    const call = { id: '1', tool: 'add', input: null }
    const verify: Verifier = {
      name: 'endless',
      features: [],
      verify: () => ({ verdict: 'ask', effects: [{ type: 'call-tools', calls: [call] }] }),
    }
    const ruling = await ruleOn(TASK, { verify, ...OPTIONS }, async () => {
      performed++
      return { type: 'tools-called', outcomes: [] }
    })
    assert.deepEqual([ruling.status, performed], ['unchecked', 64])
  })

  test('what ends a run is not taken for a failure of the verifier', async () => {
    const call = { id: '1', tool: 'add', input: null }
    const verify: Verifier = {
      name: 'asks',
      features: [],
      verify: () => ({ verdict: 'ask', effects: [{ type: 'call-tools', calls: [call] }] }),
    }
    const end = new Error('the journal failed')
    await assert.rejects(
      ruleOn(TASK, { verify, ...OPTIONS }, () => Promise.reject(end)),
      end,
    )
  })
})
