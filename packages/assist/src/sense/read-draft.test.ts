import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_INTENT, type Intent } from '../intent/intent.ts'
import type { Plan } from '../plan/plan.ts'
import type { TurnFacts } from '../report.ts'
import { readDraft } from './read-draft.ts'
import { sentenceDigests } from '../session/turn-marks.ts'

const PLAN: Plan = { approach: 'exploration', altitude: 'L3', constraints: [], focus: [] }

interface About {
  readonly intent?: Intent
  readonly plan?: Plan
  readonly earlier?: readonly TurnFacts[]
}

const found = (draft: string, { intent, plan, earlier = [] }: About = {}): readonly string[] =>
  readDraft(draft, {
    intent: intent ?? DEFAULT_INTENT,
    plan: plan ?? PLAN,
    report: { user_input: '', draft, earlier },
  })
    .filter(({ confidence }) => confidence >= 0.5)
    .map(({ kind, what }) => (kind === 'non_goal' ? what : kind))

const STEPS =
  '1. Open your calendar. 2. Block the mornings. 3. Set a reminder. 4. Turn off notifications.'

describe('findings of a draft against the intent', () => {
  test('finds the shipped non-goals, each by its name', () => {
    assert.deepEqual(found('What a brilliant question! You have an amazing mind.'), ['sycophancy'])
    assert.deepEqual(
      found('There are many factors. We need to analyse each in depth before we decide anything.'),
      ['endless analysis'],
    )
    assert.deepEqual(
      found('You could also add reminders, and on top of that a dashboard, plus a mobile app.'),
      ['feature stacking'],
    )
    assert.deepEqual(found('What would you give up for it, and what not?'), [])
  })

  test('[L-2] ignores a non-goal that is not in the intent', () => {
    const intent = { ...DEFAULT_INTENT, non_goals: [] }
    assert.deepEqual(found('What a brilliant question! You have an amazing mind.', { intent }), [])
  })

  test('[L-14] reads a custom non-goal without code, by patterns or by its words', () => {
    const byPatterns: Intent = {
      ...DEFAULT_INTENT,
      non_goals: ['talk of football'],
      patterns: { 'talk of football': ['\\b(?:football|world cup|offside)\\b'] },
    }
    const byWords: Intent = { ...DEFAULT_INTENT, non_goals: ['investment tips'] }
    assert.deepEqual(found('It is like an offside trap.', { intent: byPatterns }), [
      'talk of football',
    ])
    assert.deepEqual(found('Here is an investment tip.', { intent: byWords }), ['investment tips'])
    assert.deepEqual(found('I give no investment tips.', { intent: byWords }), [])
  })

  test('finds drift in steps when strategy was planned, not when steps were', () => {
    assert.deepEqual(found(STEPS), ['tactical_drift'])
    assert.deepEqual(found(STEPS, { plan: { ...PLAN, altitude: 'L1' } }), [])
  })

  test('[L-2] steps that serve a north star are not drift', () => {
    const draft = `To be present for your family: ${STEPS}`
    assert.deepEqual(found(draft), [])
    const intent = { ...DEFAULT_INTENT, north_stars: ['world peace'] }
    assert.deepEqual(found(draft, { intent }), ['tactical_drift'])
  })

  test('recognizes repeated advice by digests alone', () => {
    const advice = 'Ask your wife what she thinks of the offer.'
    const facts = { turn: 1, user_words: 3, answer_words: 9, asked: false, approach: 'a' }
    const earlier = [{ ...facts, altitude: 'L3', sentences: sentenceDigests(advice) }]
    assert.deepEqual(found('ask your wife what she thinks  of the offer!', { earlier }), [
      'repetition',
    ])
    assert.deepEqual(found('What does your wife think?', { earlier }), [])
    assert.deepEqual(found(advice), [])
  })

  test('[L-2] finds an answer longer than plan and intent allow', () => {
    const long = 'word '.repeat(60)
    assert.deepEqual(found(long), [])
    const plan = { ...PLAN, constraints: ['at most 50 words'] }
    assert.deepEqual(found(long, { plan }), ['too_long'])
    const intent = { ...DEFAULT_INTENT, authority_rules: ['Answers of at most 40 words'] }
    assert.deepEqual(found(long, { intent }), ['too_long'])
    assert.deepEqual(found('word '.repeat(401)), ['too_long'])
    assert.ok(found(`${'x'.repeat(20_000)}. What a brilliant question!`).includes('too_long'))
  })

  test('finds a fault anywhere in a long answer', () => {
    const good =
      'You said that evenings matter. Which offer leaves them to you? The pay is no reason. '
    const bad = "You're absolutely right, and I love how you think."
    assert.deepEqual(found(good.repeat(4)), [])
    assert.ok(found(`${good.repeat(4)}${bad} ${good.repeat(4)}`).includes('sycophancy'))
  })

  test('reads any text in bounded time', () => {
    for (const piece of ['a ', '1. ', ', and ', 'you you ', '?', '\n- ', 'on the one hand ', '"']) {
      assert.ok(Array.isArray(found(piece.repeat(20_000))))
    }
  })
})
