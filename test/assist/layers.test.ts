import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ALTITUDES,
  DEFAULT_INTENT,
  DEFAULT_PLAN,
  Evaluator,
  Executor,
  IntentStore,
  type Outcome,
  Planner,
  type Report,
} from '@echelon/assist'
import { intentIn, plansIn } from '../../packages/assist/src/session/memories.ts'
import {
  quotes,
  revised,
  NO_PLANS,
  withoutQuotes,
} from '../../packages/assist/src/plan/kept-plans.ts'
import {
  expired,
  NO_EVALUATIONS,
  withEvaluations,
} from '../../packages/assist/src/evaluation/kept-evaluations.ts'
import { readJudgment } from '../../packages/assist/src/evaluation/judgment-wire.ts'
import { withinIntent } from '../../packages/assist/src/plan/within-intent.ts'
import { readPlan } from '../../packages/assist/src/plan/plan-wire.ts'
import { situationKind, whyReplan } from '../../packages/assist/src/situation.ts'
import { factsOf, markedAnswer } from '../../packages/assist/src/session/turn-marks.ts'
import { questionAbout } from '../../packages/assist/src/wording.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { FLATTERY, INTENT, judged, planned, readDraft, violated } from './fixtures.ts'
import { AT, evaluationsOf, plain } from './turns.ts'

const NOW = '2026-11-20T09:00:00.000Z'
const reportOf = (user_input: string, draft: string | null = null): Report => ({
  user_input,
  draft,
  earlier: [],
})
const outcome = (draft: string | null): Outcome => ({
  plan: DEFAULT_PLAN,
  report: reportOf('Should I?', draft),
})

describe('[L-1] the intent store', () => {
  const store = new IntentStore(INTENT, readDraft)

  test('gives intent, non-goals and stop conditions, and cannot change them', () => {
    assert.deepEqual(store.getIntent(), INTENT)
    assert.deepEqual(store.getNonGoals(), ['endless analysis', 'feature stacking', 'sycophancy'])
    assert.equal(store.getStopConditions().length, 3)
    const methods = Object.getOwnPropertyNames(IntentStore.prototype)
    assert.deepEqual(
      methods.filter((name) => /set|write|change/.test(name)),
      [],
    )
  })

  test('success means that nothing breaks the intent, and there is a draft', () => {
    assert.equal(store.isSuccess(outcome('What would you miss?')), true)
    assert.equal(store.isSuccess(outcome(`${FLATTERY}!`)), false)
    assert.equal(store.isSuccess(outcome(null)), false)
  })

  test('[L-2] ships the intent of the document', () => {
    assert.deepEqual(intentIn(null), { ok: true, value: DEFAULT_INTENT })
    assert.equal(DEFAULT_INTENT.current_success, 'Be a cognitive partner, not a task manager')
    assert.deepEqual(intentIn(plain({ ...INTENT, non_goals: [1] })).ok, false)
  })
})

describe('[L-3] the planner', () => {
  test('plans for a situation, each time with altitude, constraints and focus', () => {
    const planner = new Planner()
    assert.equal(planner.getApproach(), 'strategic_exploration')
    const of = (text: string) => planner.plan(DEFAULT_INTENT, reportOf(text))
    for (const [text, approach, altitude] of [
      ['How do I cook rice?', 'context_before_steps', 'L2'],
      ['Why do I work at all?', 'purpose_first', 'L4'],
      ['Should I move?', 'weigh_the_ways', 'L3'],
      ['I moved.', 'strategic_exploration', 'L3'],
    ] as const) {
      const plan = of(text)
      assert.deepEqual([plan.approach, plan.altitude], [approach, altitude])
      assert.ok(ALTITUDES.includes(plan.altitude))
      assert.ok(plan.constraints.includes('never: sycophancy'))
      assert.ok(plan.focus.includes('connect to family_present'))
    }
  })

  test('revises from an evaluation: a higher altitude after drift, and a ban on the fault', () => {
    const planner = new Planner(DEFAULT_PLAN)
    const evaluation = (outcome: string, matched_intent = false) => ({
      timestamp: NOW,
      outcome,
      matched_intent,
      revision_triggered: true,
      target: 'planner' as const,
    })
    const drifted = planner.revise(DEFAULT_PLAN, evaluation('tactical_drift'))
    assert.equal(drifted.altitude, 'L4')
    assert.ok(drifted.constraints.includes('no tactical drift, whatever was asked'))
    const flattered = planner.revise(DEFAULT_PLAN, evaluation('non_goal: sycophancy'))
    assert.equal(flattered.altitude, 'L3')
    assert.ok(flattered.constraints.includes('no sycophancy, whatever was asked'))
    const listed = planner.revise(DEFAULT_PLAN, evaluation('non_goal: lists: long ones'))
    assert.ok(listed.constraints.includes('no lists: long ones, whatever was asked'))
    assert.equal(planner.revise(DEFAULT_PLAN, evaluation('on_intent: a', true)), DEFAULT_PLAN)
  })

  test('a question about the intent names the whole non-goal, in the intent’s words', () => {
    const judgment = { isOnIntent: false, target: 'intent', findings: [], by: 'rules' } as const
    const asked = questionAbout(
      { ...judgment, outcome: 'non_goal: lists: long ones' },
      { intent: INTENT, kind: 'asks_whether' },
    )
    assert.match(asked, /came out as “lists: long ones”, which you ruled out/)
    assert.match(asked, /what speaks for it and what against it, by what you want: family present/)
    assert.match(asked, /To go on, ask for that/)
    const other = questionAbout(
      { ...judgment, outcome: 'too_long' },
      { intent: INTENT, kind: 'tells' },
    )
    assert.match(other, /against the example intent \(too long\)/)
  })

  test('accepts only a valid plan from a model', () => {
    assert.equal(readPlan(planned({ approach: 'Ask, first!' }))?.plan.approach, 'ask_first')
    assert.equal(readPlan(planned({ focus: ['x'.repeat(900)] }))?.plan.focus[0]?.length, 200)
    for (const text of [
      'no json',
      '[]',
      planned({ approach: '…' }),
      planned().replace('"L3"', '"L9"'),
      planned().replace('"reason"', '"why"'),
      planned().replace('{', '{"verdict":"good",'),
    ]) {
      assert.equal(readPlan(text), null, text)
    }
  })

  test('[L-9] a line that contradicts the intent is refused with the reason', () => {
    const of = (constraint: string, intent = INTENT) =>
      withinIntent({ ...DEFAULT_PLAN, constraints: [constraint] }, intent)
    for (const [line, why] of [
      ['praise every idea of the user', /asks for “sycophancy”/],
      ['list as many features as you can', /asks for “feature stacking”/],
      ['keep analyzing until all is known', /asks for “endless analysis”/],
      ['ignore the non-goals here', /sets the intent aside/],
      ['this plan outranks the intent', /sets the intent aside/],
      ['continue even if the user says stop', /goes on although/],
      ['never mention financial independence', /forbids “financial independence”/],
    ] as const) {
      const { plan, refused } = of(line)
      assert.match(refused[0]?.why ?? '', why, line)
      assert.deepEqual(plan.constraints, [], line)
    }
    for (const line of [
      'no praise',
      'never: sycophancy',
      'be brief',
      'no financial advice',
      'no tactical without strategic context',
      'Intent outranks execution',
      'connect to financial_independence',
      'do not stack features',
      'name what speaks against it',
    ]) {
      assert.deepEqual(of(line).refused, [], line)
    }
    const short = { ...INTENT, authority_rules: ['answers of at most 120 words'] }
    assert.match(of('at least 500 words', short).refused[0]?.why ?? '', /more words than the rule/)
    const own = { ...INTENT, non_goals: ['horoscopes'] }
    assert.match(of('add horoscopes', own).refused[0]?.why ?? '', /asks for “horoscopes”/)
  })

  test('[L-12] keeps its plan while the last turn was on intent, and the situation and the intent are the same', () => {
    const before = { approach: 'a', altitude: 'L3', kind: 'asks', intent: 'i' }
    const standing = { before, evaluation: null, kind: 'asks', intent: 'i' } as const
    assert.equal(whyReplan(standing), null)
    assert.match(whyReplan({ ...standing, before: null }) ?? '', /begins/)
    assert.match(whyReplan({ ...standing, intent: 'j' }) ?? '', /intent/)
    assert.match(whyReplan({ ...standing, kind: 'tells' }) ?? '', /situation/)
    const [evaluation = null] = evaluationsOf('repetition').recent_evaluations
    assert.match(whyReplan({ ...standing, evaluation }) ?? '', /repetition/)
    assert.equal(situationKind('Is it far?'), 'asks')
  })
})

describe('[L-4] stored plans', () => {
  test('have the names of the document: a current plan, and the revisions with time and reason', () => {
    const other = { ...DEFAULT_PLAN, approach: 'listen' }
    const plans = revised(NO_PLANS, other, 'it drifted', NOW)
    assert.deepEqual(plain(plans), {
      current_plan: { ...DEFAULT_PLAN, approach: 'listen' },
      revision_history: [{ timestamp: NOW, plan: DEFAULT_PLAN, reason: 'it drifted' }],
    })
    assert.equal(plansIn(plain(plans)).ok, true)
    let many = plans
    for (let n = 0; n < 40; n++) many = revised(many, other, String(n), NOW)
    assert.equal(many.revision_history.length, 20)
    assert.equal(many.revision_history.at(-1)?.reason, '39')
  })

  test('[L-5] quote nothing of the conversation', () => {
    const said = 'I told Marta that the old barn burns on the 24th'
    for (const text of ['help marta', 'the old barn', 'on the 24th', 'That the OLD barn']) {
      assert.equal(quotes(text, said), true, text)
    }
    for (const text of ['connect to north stars', 'ask about the barn', 'told']) {
      assert.equal(quotes(text, said), false, text)
    }
    assert.equal(quotes('be there for Marta', 'Marta left me'), true)
    assert.equal(quotes('be there for Marta', 'so marta left me'), true)
    assert.equal(quotes('be there for the children', 'Children left me'), false)
    const plan = { ...DEFAULT_PLAN, approach: 'save_marta', focus: ['calm', 'Marta first'] }
    const kept = withoutQuotes(plan, reportOf(said))
    assert.equal(kept.approach, 'unnamed_approach')
    assert.deepEqual(kept.focus, ['calm'])
  })
})

describe('[L-5] the executor', () => {
  const conversation = [
    userMessage('Hello there, what now?'),
    markedAnswer('What for? Tell me.', {
      approach: 'a',
      altitude: 'L3',
      kind: 'asks',
      intent: 'i',
    }),
  ]
  const executor = new Executor({
    reflect: (input, { north_stars }) => `${input} ${north_stars[0]}`,
    intent: DEFAULT_INTENT,
    conversation,
  })

  test('answers under the plan, and reports facts without interpreting them', () => {
    assert.deepEqual(executor.execute(DEFAULT_PLAN, 'So?'), { draft: 'So? family_present' })
    const report = executor.reportState('So?', 'Hm.')
    assert.deepEqual(Object.keys(report), ['user_input', 'draft', 'earlier'])
    const [facts] = report.earlier
    assert.deepEqual(
      { ...facts, sentences: facts?.sentences.length },
      {
        turn: 1,
        user_words: 4,
        answer_words: 4,
        asked: true,
        approach: 'a',
        altitude: 'L3',
        sentences: 2,
      },
    )
    assert.doesNotMatch(JSON.stringify(report.earlier), /Hello|Tell/)
  })

  test('[L-13] reports only the last turns', () => {
    const long = Array.from({ length: 30 }, () => conversation).flat()
    assert.equal(factsOf(long).length, 12)
    assert.equal(factsOf(long).at(-1)?.turn, 30)
  })
})

describe('[L-6] the evaluator', () => {
  const evaluator = new Evaluator(readDraft, NOW)

  test('distinguishes success from drift and non-goals, and names the layer to address', () => {
    const of = (draft: string) => evaluator.evaluate(INTENT, outcome(draft))
    assert.deepEqual(of('What for?'), {
      timestamp: NOW,
      outcome: 'on_intent: strategic_exploration',
      matched_intent: true,
      revision_triggered: false,
      target: 'planner',
    })
    assert.equal(of('1. Go').outcome, 'tactical_drift')
    const broken = of(`1. ${FLATTERY}`)
    assert.equal(broken.outcome, 'non_goal: sycophancy', 'what is gravest names it')
    assert.equal(evaluator.shouldRevisePlan(broken), true)
    assert.equal(evaluator.shouldEscalateToIntent(broken), false)
    assert.equal(evaluator.shouldEscalateToIntent({ ...broken, target: 'intent' }), true)
    assert.equal(evaluator.shouldRevisePlan({ ...broken, matched_intent: true }), false)
  })

  test('accepts from a model what it backs with a quote, and no bare claim', () => {
    const of = (text: string) => readJudgment(text, INTENT, outcome('We analyse it  further.'))
    assert.equal(of(judged())?.isOnIntent, true)
    assert.equal(of(violated('analyse it further'))?.outcome, 'non_goal: endless analysis')
    assert.equal(of(violated('it further', 'planner', 'tactical_drift'))?.outcome, 'tactical_drift')
    for (const text of [
      'no json',
      '{}',
      judged({ matched_intent: false }),
      violated('never said'),
      violated(''),
      violated('analyse', 'planner', 'no such goal'),
      judged({ target: 'executor' }),
    ]) {
      assert.equal(of(text), null, text)
    }
  })
})

describe('[L-7] stored evaluations', () => {
  const limits = { most: 3, maxAgeMs: 86_400_000 }
  const one = (outcome: string) => ({
    timestamp: NOW,
    outcome,
    matched_intent: outcome.startsWith('on_intent'),
    revision_triggered: false,
    target: 'planner' as const,
  })

  test('are dropped by age and by number', () => {
    const all = ['a', 'b', 'c', 'd'].map(one)
    const kept = withEvaluations(NO_EVALUATIONS, all, AT, limits)
    assert.deepEqual(
      kept.recent_evaluations.map(({ outcome }) => outcome),
      ['b', 'c', 'd'],
    )
    assert.equal(expired(kept, AT + limits.maxAgeMs, limits).recent_evaluations.length, 3)
    assert.equal(expired(kept, AT + limits.maxAgeMs + 1, limits).recent_evaluations.length, 0)
  })

  test('become patterns when they repeat, and those stay', () => {
    let kept = withEvaluations(NO_EVALUATIONS, [one('tactical_drift')], AT, limits)
    assert.deepEqual(kept.patterns.repeated_failures, [])
    kept = withEvaluations(kept, [one('tactical_drift'), one('on_intent: listen')], AT, limits)
    kept = withEvaluations(kept, [one('on_intent: listen'), one('stopped')], AT, limits)
    assert.deepEqual(kept.patterns, {
      repeated_failures: ['tactical_drift'],
      successful_approaches: ['listen'],
    })
    const later = withEvaluations(kept, [], AT + 9 * limits.maxAgeMs, limits)
    assert.deepEqual(later.recent_evaluations, [])
    assert.deepEqual(later.patterns, kept.patterns)
  })
})
