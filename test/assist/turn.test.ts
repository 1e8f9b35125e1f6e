import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CANARY,
  FLATTERY,
  INTENT,
  judged,
  planned,
  readDraft,
  settingsOf,
  violated,
} from './fixtures.ts'
import { AT, down, evaluationsOf, generated, plain, turnOf } from './turns.ts'
import { ASSIST_ROLES } from '../../packages/assist/src/assist-settings.ts'
import type { ReadDraft } from '../../packages/assist/src/evaluation/finding.ts'
import { DEFAULT_INTENT } from '../../packages/assist/src/intent/intent.ts'
import { isEvaluations, isPlans } from '../../packages/assist/src/session/memories.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { markedAnswer } from '../../packages/assist/src/session/turn-marks.ts'
import type { Effect } from '../../packages/echelon/src/core/agent/effect.ts'

const kinds = (asked: readonly Effect[]): readonly string[] =>
  asked.map((effect) =>
    effect.type === 'generate'
      ? effect.role
      : `${effect.type}${'memory' in effect ? ` ${effect.memory}` : ''}`,
  )
const RECALLS = ['recall intent', 'recall plans', 'recall evaluations']

describe('a turn', () => {
  test('[L-8] intent, plan, execute, evaluate, answer', () => {
    const turn = turnOf(settingsOf(), {
      models: { planner: [planned()], executor: ['What would you miss?'], evaluator: [judged()] },
    })
    assert.deepEqual(kinds(turn.asked), [
      ...RECALLS,
      'planner',
      'remember plans',
      'executor',
      'evaluator',
      'remember evaluations',
      'say',
    ])
    assert.deepEqual(turn.said, ['What would you miss?'])
    assert.equal(turn.result.isQuestion, false)
    assert.equal(turn.result.evaluation?.outcome, 'on_intent: weigh_the_ways')
    assert.deepEqual(
      turn.result.why.map(({ layer, by }) => [layer, by]),
      [
        ['planner', 'model'],
        ['evaluator', 'model'],
      ],
    )
  })

  test('[L-8, L-12] a draft that drifts is pulled back before it is shown, and the intent stays as it is', () => {
    const turn = turnOf(settingsOf(), {
      models: {
        planner: [planned(), planned({ approach: 'Plain Words', reason: 'it flattered' })],
        executor: [`${FLATTERY}, move!`, 'What would you miss?'],
        evaluator: [judged()],
      },
    })
    assert.deepEqual(kinds(turn.asked).slice(3), [
      'planner',
      'remember plans',
      'executor',
      'planner',
      'remember plans',
      'executor',
      'evaluator',
      'remember evaluations',
      'say',
    ])
    assert.deepEqual(turn.said, ['What would you miss?'])
    const plans = turn.written['plans']
    assert.ok(isPlans(plans))
    assert.equal(plans.current_plan.approach, 'plain_words')
    assert.deepEqual(
      plans.revision_history.map(({ reason, timestamp }) => [timestamp, reason]),
      [
        ['2026-11-20T09:00:00.000Z', 'the user weighs two ways'],
        ['2026-11-20T09:00:00.000Z', 'it flattered'],
      ],
    )
    const drift = turn.notes.find(({ stage }) => stage === 'drift')
    assert.deepEqual(drift?.data, {
      from: { approach: 'weigh_the_ways', altitude: 'L3' },
      north_stars: INTENT.north_stars,
      outcome: 'non_goal: sycophancy',
      by: 'rules',
      led_to: 'revised',
    })
    assert.deepEqual(Object.keys(turn.written), ['plans', 'evaluations'])
  })

  test('[L-8, L-9] a second violation is withheld, and becomes a question about the intent', () => {
    for (const evaluator of [[judged()], []]) {
      const second = evaluator.length > 0 ? 'We could analyse it further.' : `${FLATTERY}!`
      const turn = turnOf(settingsOf(), {
        models: {
          planner: [planned(), planned({ approach: 'other' })],
          executor: [`${FLATTERY}, move!`, second],
          evaluator: evaluator.length > 0 ? [violated('analyse it further')] : [],
        },
      })
      assert.equal(turn.result.isQuestion, true)
      assert.equal(turn.result.outcome, 'asked')
      assert.equal(turn.said.length, 1)
      assert.match(turn.said[0] ?? '', /Does the example intent fit/)
      assert.doesNotMatch(turn.said[0] ?? '', /brilliant|further/)
      assert.equal(turn.result.evaluation?.target, 'intent')
      const transcript = JSON.stringify(turn.transcript)
      assert.doesNotMatch(
        transcript,
        /brilliant|further/,
        'what was withheld is in no conversation',
      )
    }
  })

  test('[L-9] a yes to the question about the intent does not count as an achieved goal', () => {
    const models = {
      planner: [planned()],
      executor: ['What would you miss?'],
      evaluator: [judged()],
    }
    const withheld = turnOf(settingsOf(), {
      models: {
        planner: [planned(), planned({ approach: 'other' })],
        executor: [`${FLATTERY}, move!`, `${FLATTERY}!`],
      },
    })
    const history = withheld.transcript
    for (const [text, outcome] of [
      ['Yes, solved.', 'answered'],
      ['stop', 'stopped'],
      ['useless', 'frustration'],
    ] as const) {
      assert.equal(turnOf(settingsOf(), { text, history, models }).result.outcome, outcome)
    }
    const done = turnOf(settingsOf(), { text: 'Yes, solved.', models })
    assert.equal(done.result.outcome, 'achieved')
  })

  test('[L-6, L-9] what only the user can settle is asked at once; a quote missing from the draft counts for nothing', () => {
    const models = { planner: [planned()], executor: ['Let us analyse it further.'] }
    const asked = turnOf(settingsOf(), {
      models: { ...models, evaluator: [violated('analyse it further', 'intent')] },
    })
    assert.equal(asked.result.outcome, 'asked')
    const invented = turnOf(settingsOf(), {
      models: { ...models, evaluator: [violated('never said')] },
    })
    assert.equal(invented.result.outcome, 'answered')
    assert.ok(invented.notes.some(({ stage }) => stage === 'evaluator-down'))
    const torn = turnOf(settingsOf(), {
      models: {
        planner: [planned(), planned({ approach: 'other' })],
        executor: ['Let us analyse it further.', 'No.'],
        evaluator: [
          judged({ violations: [{ what: 'endless analysis', quote: 'ANALYSE it' }] }),
          judged(),
        ],
      },
    })
    assert.deepEqual(torn.said, ['No.'], 'a violation that is shown outweighs a verdict')
  })

  test('[L-9] a draft against the intent is never shown, whatever its evaluator says', () => {
    let looks = 0
    // As after an update: older rules began the turn.
    const stricter: ReadDraft = (draft, context) => (looks++ === 0 ? [] : readDraft(draft, context))
    const turn = turnOf(settingsOf(ASSIST_ROLES, { readDraft: stricter }), {
      models: {
        planner: [planned(), planned({ approach: 'other' })],
        executor: [`${FLATTERY}, move!`, `${FLATTERY} again!`],
        evaluator: [judged()],
      },
    })
    assert.equal(turn.result.outcome, 'asked')
    assert.doesNotMatch(turn.said.join(), /brilliant/)
  })

  test('[L-14] a stop outranks frustration, and both outrank success', () => {
    for (const [text, outcome] of [
      ['Solved, so stop.', 'stopped'],
      ['Stop, this is useless.', 'stopped'],
      ['Solved, and useless all the same', 'frustration'],
    ] as const) {
      assert.equal(turnOf(settingsOf(), { text }).result.outcome, outcome, text)
    }
  })

  test('[L-14] a stop, frustration and success end the turn with a short text, before any plan', () => {
    for (const [text, outcome, matched] of [
      ['Stop it.', 'stopped', true],
      ['That is useless', 'frustration', false],
      ['Solved!', 'achieved', true],
    ] as const) {
      const turn = turnOf(settingsOf(), { text })
      assert.deepEqual(kinds(turn.asked), [...RECALLS, 'remember evaluations', 'say'])
      assert.equal(turn.result.outcome, outcome)
      assert.equal(turn.result.evaluation?.matched_intent, matched)
      assert.equal(turn.result.why[0]?.by, 'user')
    }
    const kept = { intent: plain({ ...INTENT, stop_conditions: [] }) }
    const models = { planner: [planned()], executor: ['Go on.'], evaluator: [judged()] }
    const turn = turnOf(settingsOf(), { text: 'Stop it.', memories: kept, models })
    assert.equal(turn.result.outcome, 'answered', 'conditions are data')
  })

  test("[L-12] the last turn's plan is kept while it fits, without a paid step", () => {
    const models = { planner: [planned()], executor: ['Yes?'], evaluator: [judged()] }
    const first = turnOf(settingsOf(), { models })
    const memories = { ...first.written, intent: plain(INTENT) }
    const again = { history: first.transcript, memories, text: 'Should I buy a car?' }
    const second = turnOf(settingsOf(), {
      ...again,
      models: { executor: ['No.'], evaluator: [judged()] },
    })
    assert.deepEqual(kinds(second.asked), [
      ...RECALLS,
      'executor',
      'evaluator',
      'remember evaluations',
      'say',
    ])
    assert.equal(second.result.plan.approach, 'weigh_the_ways')
    const other = { ...again, models }
    for (const change of [
      { text: 'How do I cook rice?' },
      { memories: { ...memories, intent: plain({ ...INTENT, north_stars: ['calm'] }) } },
      { memories: { ...memories, evaluations: plain(evaluationsOf('tactical_drift')) } },
      { history: [] },
    ]) {
      const turn = turnOf(settingsOf(), { ...other, ...change })
      assert.ok(kinds(turn.asked).includes('planner'), JSON.stringify(Object.keys(change)))
    }
  })
})

describe('failures are values', () => {
  test('a planner that is down keeps the plan, an evaluator leaves the rules, an executor an honest sentence', () => {
    const turn = turnOf(settingsOf(), {
      models: { planner: [down], executor: ['Yes?'], evaluator: [down] },
    })
    assert.deepEqual(turn.said, ['Yes?'])
    assert.equal(turn.result.plan.approach, 'strategic_exploration')
    assert.ok(turn.result.plan.constraints.includes('never: sycophancy'), 'non-goals bind it')
    assert.equal(turn.result.evaluation?.outcome, 'on_intent: strategic_exploration')
    const failed = turnOf(settingsOf(), { models: { planner: ['{}'], executor: [down] } })
    assert.equal(failed.result.outcome, 'failed')
    assert.match(failed.said[0] ?? '', /cannot be reached/)
    assert.doesNotMatch(failed.said[0] ?? '', /sk-/, 'nothing that a provider said is repeated')
    const empty = turnOf(settingsOf(), { models: { planner: [planned()], executor: [' '] } })
    assert.equal(empty.result.outcome, 'failed')
    const filtered = { ...generated('half'), finish: 'filter' } as const
    const held = turnOf(settingsOf(), { models: { planner: [planned()], executor: [filtered] } })
    assert.doesNotMatch(held.said[0] ?? '', /half/)
  })

  test('with the evaluator down, findings of the rules still block a draft', () => {
    const turn = turnOf(settingsOf(), {
      models: { planner: [planned(), down], executor: [`${FLATTERY}!`, 'No.'], evaluator: [down] },
    })
    assert.deepEqual(turn.said, ['No.'])
    assert.match(turn.result.plan.constraints.join(), /no sycophancy, whatever was asked/)
  })

  test('[L-1, L-2] an unreadable intent is not guessed, and unusable memories are not written over', () => {
    for (const intent of ['down', 'nonsense', { north_stars: 'one' }]) {
      const turn = turnOf(settingsOf(), { memories: { intent } })
      assert.equal(turn.result.outcome, 'failed')
      assert.match(turn.said[0] ?? '', /cannot read your intent/)
      assert.deepEqual(turn.written, {})
    }
    const turn = turnOf(settingsOf(), {
      memories: { plans: { current_plan: 1 }, evaluations: 'down' },
      models: { planner: [planned()], executor: ['Yes?'], evaluator: [judged()] },
    })
    assert.deepEqual(turn.said, ['Yes?'])
    assert.deepEqual(turn.written, {})
    assert.equal(turn.notes.filter(({ stage }) => stage === 'memory-unusable').length, 2)
  })

  test('[L-1] a user without an intent gets the shipped one', () => {
    const turn = turnOf(settingsOf([]), { memories: { intent: null } })
    assert.deepEqual(turn.state.turn.intent, DEFAULT_INTENT)
  })
})

describe('without a model', () => {
  test('[L-3, L-6] every layer works by rule, and every field of the intent has an effect', () => {
    const of = (change: object, text = 'Should I move?') =>
      turnOf(settingsOf([]), { text, memories: { intent: plain({ ...INTENT, ...change }) } })
    const usual = of({})
    assert.deepEqual(usual.said, [
      'What is it for: family_present, meaningful_tech, financial_independence?',
    ])
    assert.equal(usual.result.plan.approach, 'weigh_the_ways')
    const plans = (change: object) => JSON.stringify(of(change).result.plan)
    for (const change of [
      { north_stars: ['calm'] },
      { current_success: 'Be short' },
      { non_goals: ['advice'] },
      { authority_rules: ['The user decides'] },
    ]) {
      assert.notEqual(plans(change), JSON.stringify(usual.result.plan), JSON.stringify(change))
    }
    assert.equal(of({}, 'stop').result.outcome, 'stopped')
    assert.notEqual(of({ stop_conditions: [] }, 'stop').result.outcome, 'stopped')
  })

  test('[L-8] a reflection that breaks the intent twice is withheld too', () => {
    const reflect = () => `${FLATTERY}!`
    const turn = turnOf(settingsOf([], { reflect }))
    assert.equal(turn.result.outcome, 'asked')
    assert.equal(turn.state.turn.executions, 2)
    assert.doesNotMatch(turn.said.join(), /brilliant/)
  })
})

describe('[L-5, L-13] no text of a conversation', () => {
  const said = `My sister ${CANARY} wants the blue house by the sea`

  test('is in stored data or in a log, though the planner quotes it', () => {
    const turn = turnOf(settingsOf(), {
      text: said,
      models: {
        planner: [
          planned({
            approach: `think of ${CANARY}`,
            focus: ['trade-offs', `ask ${CANARY}`, 'the blue house by the sea'],
            reason: `${CANARY} wants it`,
          }),
          planned({ approach: `help ${CANARY}`, constraints: ['never a brilliant idea'] }),
        ],
        executor: [`${FLATTERY}, ${CANARY}!`, 'Why?'],
        evaluator: [judged()],
      },
    })
    assert.deepEqual(turn.said, ['Why?'])
    for (const kept of [turn.written, turn.notes]) {
      const text = JSON.stringify(kept).toLowerCase()
      for (const word of [CANARY, 'blue house', 'sister', 'brilliant']) {
        assert.ok(!text.includes(word.toLowerCase()), `${word} in ${text}`)
      }
    }
    assert.ok(turn.result.plan.constraints.includes('never a brilliant idea'), 'but in the turn')
  })

  test('[L-4, L-5] of an earlier turn is in a stored plan, though the planner sees the conversation', () => {
    const history = [
      userMessage(`My sister ${CANARY} has a yellow boat`),
      markedAnswer('What for?', { approach: 'a', altitude: 'L3', kind: 'tells', intent: 'i' }),
    ]
    const turn = turnOf(settingsOf(), {
      history,
      models: {
        planner: [planned({ focus: [`ask ${CANARY}`, 'has a yellow boat', 'trade-offs'] })],
        executor: ['Why?'],
        evaluator: [judged()],
      },
    })
    const asked = turn.asked.find((effect) => effect.type === 'generate')
    assert.match(JSON.stringify(asked?.messages), new RegExp(CANARY))
    const kept = JSON.stringify(turn.written)
    assert.doesNotMatch(kept, new RegExp(`${CANARY}|yellow`, 'i'))
    assert.match(kept, /trade-offs/)
  })

  test('[L-7] evaluations are deltas that expire, and become patterns', () => {
    const old = {
      ...evaluationsOf('tactical_drift').recent_evaluations[0],
      timestamp: '2026-10-01T00:00:00.000Z',
    }
    const before = evaluationsOf(...Array.from({ length: 25 }, () => 'on_intent: weigh_the_ways'))
    const evaluations = plain({
      ...before,
      recent_evaluations: [old, ...before.recent_evaluations],
    })
    const turn = turnOf(settingsOf(), {
      memories: { evaluations },
      at: AT,
      models: { planner: [planned()], executor: ['Why?'], evaluator: [judged()] },
    })
    const kept = JSON.stringify(turn.written['evaluations'])
    assert.equal(kept.match(/timestamp/g)?.length, 20)
    assert.doesNotMatch(kept, /2026-10-01/)
    assert.match(kept, /"successful_approaches":\["weigh_the_ways"\]/)
  })

  test("[L-7] other writers' evaluations are not written over, nor is a plan that was edited meanwhile", () => {
    const answers = {
      models: { planner: [planned()], executor: ['Why?'], evaluator: [judged()] },
      conflicts: ['plans', 'evaluations'],
    }
    const turn = turnOf(settingsOf(), { ...answers, meanwhile: plain(evaluationsOf('stopped')) })
    assert.deepEqual(turn.said, ['Why?'])
    const evaluations = turn.written['evaluations']
    assert.ok(isEvaluations(evaluations))
    assert.deepEqual(
      evaluations.recent_evaluations.map(({ outcome }) => outcome),
      ['stopped', 'on_intent: weigh_the_ways'],
    )
    const lost = turn.notes.filter(({ stage }) => stage === 'memory-not-kept')
    assert.deepEqual(
      lost.map(({ data }) => data),
      [{ memory: 'plans' }],
    )
    const broken = turnOf(settingsOf(), { ...answers, meanwhile: 'by hand' })
    assert.deepEqual(broken.said, ['Why?'])
    assert.equal(broken.notes.filter(({ stage }) => stage === 'memory-not-kept').length, 2)
  })
})
