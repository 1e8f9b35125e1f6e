import type { AgentDefinition } from '../../packages/echelon/src/core/agent/agent.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import type { Generate } from '../../packages/echelon/src/core/agent/effect.ts'
import type { AssistResult } from '../../packages/assist/src/assist-result.ts'
import type { AssistInput, AssistState } from '../../packages/assist/src/assist-state.ts'
import { markedAnswer } from '../../packages/assist/src/session/turn-marks.ts'
import { explore, type Exploration, type ExploreOptions } from 'echelon/testing'
import {
  CANARY,
  FLATTERY,
  INTENT,
  judged,
  planned,
  readDraft,
  readUser,
  violated,
} from './fixtures.ts'
import { evaluationsOf, plain } from './turns.ts'

export type AssistDefinition = AgentDefinition<AssistInput, AssistState, AssistResult>
type Options = ExploreOptions<AssistInput, AssistState, AssistResult>

const MARKS = { approach: 'strategic_exploration', altitude: 'L3', kind: 'tells', intent: 'other' }

/** The earlier conversation, whose words only planner and executor may see. */
const HISTORY = Thread.of([
  userMessage(`I am ${CANARY}`),
  markedAnswer(`Good day, ${CANARY}. What for?`, MARKS),
])

const KEPT_PLANS = {
  current_plan: { approach: 'listen', altitude: 'L3', constraints: [], focus: [] },
  revision_history: [],
}

function answersOf({ role }: Generate): readonly string[] {
  switch (role) {
    case 'planner':
      return [planned(), planned({ approach: 'other_way' }), 'no plan']
    case 'executor':
      return ['What would you miss?', 'We analyse it further.', `${FLATTERY}, go!`, '1. Go', '']
    default:
      return [
        judged(),
        violated('analyse it further'),
        violated('analyse it further', 'intent'),
        'no judgment',
      ]
  }
}

/** Rules for text that reaches the user, or a model that sees no conversation. */
export const RULES: NonNullable<Options['invariants']> = {
  'nothing that a rule finds as a non-goal reaches the user': ({ asked, before }) => {
    if (asked.type !== 'say' || before.turn.outcome === 'asked') return true
    const { intent, plan } = before.turn
    const report = { user_input: '', draft: asked.text, earlier: [] }
    return !readDraft(asked.text, { intent, plan, report }).some(({ kind }) => kind === 'non_goal')
  },
  'a draft is shown once it was judged to be on intent': ({ asked, before }) => {
    if (asked.type !== 'say' || before.turn.outcome !== 'answered') return true
    return before.turn.judgements.at(-1)?.isOnIntent === true
  },
  'a turn executes twice at most': ({ after }) => after.turn.judgements.length <= 2,
  'a second execution follows another plan': ({ before, asked }) => {
    if (asked.type !== 'generate' || asked.role !== 'executor') return true
    const { executions, evaluated, why } = before.turn
    if (executions === 0) return true
    const plans = why.filter(
      ({ layer, decided }) => layer === 'planner' && decided.startsWith('plans '),
    )
    const lastOf = (layer: string): number => why.findLastIndex((one) => one.layer === layer)
    return (
      evaluated.at(-1)?.revision_triggered === true &&
      plans.length > 0 &&
      lastOf('planner') > lastOf('evaluator')
    )
  },
  'the evaluator is told nothing of the conversation, and nothing of it is stored': ({ asked }) =>
    asked.type === 'finish' ||
    asked.type === 'say' ||
    ('actor' in asked && asked.actor === 'executor') ||
    (asked.type === 'generate' && asked.role === 'planner') ||
    !JSON.stringify(asked).includes(CANARY),
  'a stop ends the turn: nothing is asked of a model after it': ({ before, asked, seen }) => {
    const { input, heard, intent } = before.turn
    const texts = seen.type === 'heard' ? heard : [input.text, ...heard]
    const stops = texts
      .flatMap((text) => readUser(text, intent))
      .some(({ kind }) => kind === 'stop')
    return !stops || asked.type !== 'generate'
  },
  'the intent is written by nobody': ({ asked }) =>
    asked.type !== 'remember' || asked.memory !== 'intent',
  'what a turn that was stopped says is a last word': ({ asked, before }) =>
    asked.type !== 'say' || before.turn.outcome !== 'stopped' || asked.text === 'I stop here.',
}

/** Everything that later decisions depend on. */
export const OPTIONS: Options = {
  inputs: [{ text: 'Should I move?' }, { text: 'stop' }],
  history: HISTORY,
  observations: {
    models: answersOf,
    memories: ({ memory }) => {
      if (memory === 'intent') return [plain(INTENT), 'broken']
      if (memory === 'plans') return [plain(KEPT_PLANS), 1]
      return [plain(evaluationsOf('tactical_drift')), null]
    },
  },
  heard: ['stop', 'Sorry, I meant Linz.'],
  invariants: RULES,
  keyOf: ({ phase, turn }) => {
    const { heard, plan, plans, evaluations, draft, executions, judgements } = turn
    const { intent, answer, outcome, evaluated, toKeep, isSaid, isMerged } = turn
    return [
      [phase, heard.length, plan.approach, plans.isUsable, evaluations.isUsable, draft, executions],
      judgements.map(({ outcome, target }) => [outcome, target]),
      evaluated.map(({ outcome, revision_triggered }) => [outcome, revision_triggered]),
      [
        intent.patterns === undefined,
        answer,
        outcome,
        toKeep?.plan.approach ?? null,
        isSaid,
        isMerged,
      ],
    ]
  },
}

export const explored = (definition: AssistDefinition, more: Partial<Options> = {}): Exploration =>
  explore(definition, { ...OPTIONS, ...more })
