import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { all, any } from './all-any.ts'
import { attempt } from './in-tests.ts'
import {
  type Judgment,
  type Observed,
  proved,
  refuted,
  scored,
  silent,
  type Verifier,
} from './verifier.ts'

const ATTEMPT = attempt('What is 2 + 2?', '4')

/** A verifier that asks for `asks` tool calls, one at a time, and then judges. */
function fake(name: string, judgment: Judgment, asks = 0): Verifier & { readonly seen: number[] } {
  const seen: number[] = []
  return {
    name,
    features: Object.keys(judgment.features),
    seen,
    verify(_, observed) {
      seen.push(observed.length)
      if (observed.length < asks) {
        const call = { id: `${name}.${observed.length}`, tool: name, input: null }
        return { verdict: 'ask', effects: [{ type: 'call-tools', calls: [call] }] }
      }
      return judgment
    },
  }
}

const OK: Observed = { type: 'tools-called', outcomes: [{ type: 'ok', value: null }] }

suite('verifiers combined', () => {
  const rows: readonly [string, readonly Judgment[], string, string][] = [
    ['two scores', [scored(0.9, 'a'), scored(0.4, 'b')], 'scored 0.4', 'scored 0.9'],
    ['a proof and a score', [scored(0.4, 'a'), proved('b')], 'proved 1', 'proved 1'],
    ['a refutation and a score', [refuted('a'), scored(0.4, 'b')], 'refuted 0', 'scored 0.4'],
    ['a refutation and a proof', [refuted('a'), proved('b')], 'refuted 0', 'proved 1'],
    ['silence and a score', [silent('a'), scored(0.4, 'b')], 'scored 0.4', 'scored 0.4'],
    ['only refutations', [refuted('a'), refuted('b')], 'refuted 0', 'refuted 0'],
    ['only silence', [silent('a')], 'silent 0.5', 'silent 0.5'],
    ['nothing', [], 'silent 0.5', 'silent 0.5'],
  ]
  for (const [title, judgments, byAll, byAny] of rows) {
    test(title, () => {
      const verifiers = judgments.map((judgment, index) => fake(`v${index}`, judgment))
      for (const [verifier, expected] of [
        [all(verifiers), byAll],
        [any(verifiers), byAny],
      ] as const) {
        const judged = verifier.verify(ATTEMPT, [])
        assert.ok(judged.verdict !== 'ask')
        assert.equal(`${judged.verdict} ${judged.score}`, expected)
      }
    })
  }

  test('each verifier sees the observations of its own effects', () => {
    const verifiers = [fake('a', scored(0.5, 'a'), 2), fake('b', scored(0.6, 'b'), 1)]
    const both = all(verifiers)
    for (const [count, tool] of [
      [0, 'a'],
      [1, 'a'],
      [2, 'b'],
    ] as const) {
      const asked = both.verify(
        ATTEMPT,
        Array.from({ length: count }, () => OK),
      )
      assert.ok(asked.verdict === 'ask')
      assert.deepEqual(
        asked.effects.map((effect) => effect.type === 'call-tools' && effect.calls[0]?.tool),
        [tool],
      )
    }
    assert.equal(both.verify(ATTEMPT, [OK, OK, OK]).verdict, 'scored')
    assert.ok(verifiers[1]?.seen.every((length) => length <= 1))
  })

  test('a verifier is not asked once the matter is settled', () => {
    const [late, later] = [fake('late', proved('x'), 1), fake('later', proved('x'), 1)]
    assert.equal(all([fake('no', refuted('wrong')), late]).verify(ATTEMPT, []).verdict, 'refuted')
    assert.equal(any([fake('yes', proved('right')), later]).verify(ATTEMPT, []).verdict, 'proved')
    assert.deepEqual([late.seen, later.seen], [[], []])
  })

  test('features of all are kept', () => {
    const judged = all([
      fake('a', scored(0.5, 'a', { 'a.x': 1 })),
      fake('b', scored(0.6, 'b', { 'b.y': 2 })),
    ]).verify(ATTEMPT, [])
    assert.ok(judged.verdict !== 'ask')
    assert.deepEqual(judged.features, { 'a.x': 1, 'b.y': 2 })
  })

  test('a verifier that asks for nothing is silent', () => {
    const stuck: Verifier = {
      name: 'stuck',
      features: [],
      verify: () => ({ verdict: 'ask', effects: [] }),
    }
    assert.equal(all([stuck]).verify(ATTEMPT, []).verdict, 'silent')
  })
})
