import type {
  AgentDefinition,
  Moved,
  StartContext,
  EffectOf,
  Phases,
  Json,
  Message,
} from 'echelon/runtime'
import { type Generate, byPhase } from 'echelon/internal/agent'
import { EchelonError } from 'echelon/internal/value'
import { userMessage } from 'echelon/internal/message'
import { type AssistResult, resultOf } from './assist-result.ts'
import { type AssistSettings, type Lookup } from './assist-settings.ts'
import {
  type AssistInput,
  type AssistState,
  isAssistState,
  saidIn,
  SINCE_VERSION_1,
  type Turn,
} from './assist-state.ts'
import { AssistTransitions } from './assist-transitions.ts'
import { canCallTools } from './execution/tool-rounds.ts'
import { DEFAULT_INTENT } from './intent/intent.ts'
import { judgmentSchema } from './evaluation/judgment-wire.ts'
import { NO_EVALUATIONS, withEvaluations } from './evaluation/kept-evaluations.ts'
import { NO_PLANS } from './plan/kept-plans.ts'
import { evaluatorContext, executorContext, plannerContext } from './layers.ts'
import { evaluationsValue, plansValue } from './session/memory-values.ts'
import { plansWith } from './plan/plan-keeping.ts'
import { PLAN_SCHEMA } from './plan/plan-wire.ts'
import { evaluatorPrompt, executorPrompt, plannerPrompt } from './prompts.ts'
import { digestOf, markedAnswer } from './session/turn-marks.ts'

/** Memories of the assistant, by the names of their files. */
export const ASSIST_MEMORIES = ['intent', 'plans', 'evaluations'] as const

/**
 * The permissions of each layer. They are disjoint, and the runtime refuses anything else: no layer writes the
 * intent; the layer that speaks reads documents and facts but no plans or evaluations, and is the only one with
 * tools; the layer that evaluates neither speaks nor plans.
 */
export const ASSIST_ACTORS = {
  keeper: { reads: ['intent'] },
  planner: {
    roles: ['planner'],
    reads: ['intent', 'plans', 'evaluations'],
    writes: ['plans'],
  },
  executor: {
    roles: ['executor'],
    speaks: true,
    reads: ['knowledge', 'facts'],
    // A run's own list is narrower: the tools that its assistant was given.
    tools: [] as readonly string[],
  },
  evaluator: {
    roles: ['evaluator'],
    reads: ['intent', 'evaluations'],
    writes: ['evaluations'],
  },
} as const

/** The effects that a layer may request; any other does not compile. */
export type AssistEffect = EffectOf<typeof ASSIST_ACTORS>

/** The agent's name and version in journals. */
export const ASSIST = { name: 'assist', version: 2 } as const

type Table = Phases<AssistState, AssistResult, AssistEffect>

/**
 * The layered assistant, written as its state diagram: recall → (end | plan →) execute → evaluate → say, and on
 * drift evaluate → revise → execute → evaluate → (say | ask). One run is one turn. A draft is never shown before
 * it is evaluated.
 */
export function assistAgent(
  settings: AssistSettings,
): AgentDefinition<AssistInput, AssistState, AssistResult> {
  const learn = new AssistTransitions(settings)
  const table = byPhase<AssistState, AssistResult, AssistEffect>(
    phases(settings, learn),
    (here, seen) => learn.unasked(here, seen),
  )
  const { executor, ...others } = ASSIST_ACTORS
  const actors = { ...others, executor: { ...executor, tools: settings.tools } }
  return { ...ASSIST, actors, start, ...table, transcript, load }
}

function start(input: AssistInput, { at, history }: StartContext): Moved<AssistState> {
  const turn: Turn = { ...FRESH, input, at, conversation: [...history.toArray()] }
  return { state: { phase: 'recalling-intent', turn } }
}

const FRESH: Omit<Turn, 'input' | 'at' | 'conversation'> = {
  heard: [],
  intent: DEFAULT_INTENT,
  kind: 'tells',
  // Must not be written before it was read.
  plans: { value: NO_PLANS, version: 0, isUsable: false },
  evaluations: { value: NO_EVALUATIONS, version: 0, isUsable: false },
  plan: NO_PLANS.current_plan,
  toKeep: null,
  draft: null,
  executions: 0,
  ...SINCE_VERSION_1,
  judgements: [],
  evaluated: [],
  isMerged: false,
  answer: null,
  isSaid: false,
  outcome: 'failed',
  why: [],
}

function phases(settings: AssistSettings, learn: AssistTransitions): Table {
  return {
    ...recallPhases(learn),
    ...planPhases(settings, learn),
    ...lookupPhases(learn),
    ...answerPhases(settings, learn),
    ...endPhases(settings, learn),
  }
}

function recallPhases(
  learn: AssistTransitions,
): Pick<Table, 'recalling-intent' | 'recalling-plans' | 'recalling-evaluations'> {
  return {
    'recalling-intent': {
      effect: 'recall',
      do: () => ({ type: 'recall', actor: 'keeper', memory: 'intent' }),
      recalled: (here, { value }, meter) => learn.intentRecalled(here, value, meter),
      failed: (here, { error }) => learn.intentLost(here, error.message),
    },
    'recalling-plans': {
      effect: 'recall',
      do: () => ({ type: 'recall', actor: 'planner', memory: 'plans' }),
      recalled: (here, { value, version }) => learn.plansRecalled(here, value, version),
      failed: (here) => learn.plansLost(here),
    },
    'recalling-evaluations': {
      effect: 'recall',
      do: () => ({ type: 'recall', actor: 'evaluator', memory: 'evaluations' }),
      recalled: (here, { value, version }) => learn.evaluationsRecalled(here, value, version),
      failed: (here) => learn.evaluationsLost(here),
    },
  }
}

function planPhases(
  settings: AssistSettings,
  learn: AssistTransitions,
): Pick<Table, 'planning' | 'remembering-plans' | 'revising'> {
  const plan = ({ turn }: AssistState): Extract<AssistEffect, { actor: 'planner' }> & Generate => ({
    ...asked(settings),
    actor: 'planner',
    role: 'planner',
    messages: plannerPrompt(plannerContext(turn, settings), settings.maxHistoryBytes),
    schema: PLAN_SCHEMA,
  })
  return {
    planning: {
      effect: 'generate',
      do: plan,
      generated: (here, seen, meter) => learn.planned(here, seen, meter),
      failed: (here, { error }) => learn.notPlanned(here, error.code),
      refused: (here, { limit }) => learn.notPlanned(here, limit),
    },
    revising: {
      effect: 'generate',
      do: plan,
      generated: (here, seen, meter) => learn.revised(here, seen, meter),
      failed: (here) => learn.notRevised(here),
      refused: (here) => learn.notRevised(here),
    },
    'remembering-plans': {
      effect: 'remember',
      do: ({ turn }) => ({
        type: 'remember',
        actor: 'planner',
        memory: 'plans',
        value: plansValue(plansWith(turn)),
        ifVersion: turn.plans.version,
      }),
      remembered: (here, { version }) => learn.plansKept(here, version),
      failed: (here) => learn.plansNotKept(here),
      refused: (here) => learn.plansNotKept(here),
    },
  }
}

function lookupPhases(
  learn: AssistTransitions,
): Pick<Table, 'recalling-knowledge' | 'recalling-facts'> {
  const lookup = (memory: Lookup) => ({
    effect: 'recall' as const,
    do: ({ turn }: AssistState) => ({
      type: 'recall' as const,
      actor: 'executor' as const,
      memory,
      query: saidIn(turn),
    }),
    recalled: (here: AssistState, { value }: { readonly value: Json }) =>
      learn.lookedUp(here, memory, value),
    failed: (here: AssistState) => learn.lookedUp(here, memory, null),
    refused: (here: AssistState) => learn.lookedUp(here, memory, null),
  })
  return { 'recalling-knowledge': lookup('knowledge'), 'recalling-facts': lookup('facts') }
}

function answerPhases(
  settings: AssistSettings,
  learn: AssistTransitions,
): Pick<Table, 'executing' | 'using-tools' | 'evaluating'> {
  return {
    'using-tools': {
      effect: 'call-tools',
      do: ({ turn }) => ({ type: 'call-tools', actor: 'executor', calls: turn.pending }),
      'tools-called': (here, { outcomes }, meter) => learn.toolsCalled(here, outcomes, meter),
      failed: (here, { error }) => learn.toolsFailed(here, error.message),
      refused: (here, { message }) => learn.toolsFailed(here, message),
    },
    executing: {
      effect: 'generate',
      do: ({ turn }) => ({
        ...asked(settings),
        actor: 'executor',
        role: 'executor',
        messages: executorPrompt(executorContext(turn), settings.maxHistoryBytes),
        ...(canCallTools(turn, settings) && { tools: settings.tools }),
        show: 'nobody',
      }),
      generated: (here, seen, meter) => learn.drafted(here, seen, meter),
      failed: (here, seen) => learn.notDrafted(here, seen),
      refused: (here, seen) => learn.notDrafted(here, seen),
    },
    evaluating: {
      effect: 'generate',
      do: ({ turn }) => ({
        ...asked(settings),
        actor: 'evaluator',
        role: 'evaluator',
        messages: evaluatorPrompt(evaluatorContext(turn, settings)),
        schema: judgmentSchema(turn.intent),
      }),
      generated: (here, seen, meter) => learn.evaluated(here, seen, meter),
      failed: (here, { error }) => learn.notEvaluated(here, error.code),
      refused: (here, { limit }) => learn.notEvaluated(here, limit),
    },
  }
}

function endPhases(
  settings: AssistSettings,
  learn: AssistTransitions,
): Pick<Table, 'remembering-evaluations' | 'merging-evaluations' | 'saying' | 'done'> {
  return {
    'remembering-evaluations': {
      effect: 'remember',
      do: ({ turn }) => {
        const { evaluations, evaluated, at } = turn
        const now = withEvaluations(evaluations.value, evaluated, at, settings.evaluations)
        return {
          type: 'remember',
          actor: 'evaluator',
          memory: 'evaluations',
          value: evaluationsValue(now),
          ifVersion: evaluations.version,
        }
      },
      remembered: (here) => learn.evaluationsKept(here),
      failed: (here, { error }) => learn.evaluationsNotKept(here, error.code),
      refused: (here) => learn.evaluationsNotKept(here),
    },
    'merging-evaluations': {
      effect: 'recall',
      do: () => ({ type: 'recall', actor: 'evaluator', memory: 'evaluations' }),
      recalled: (here, { value, version }) => learn.evaluationsMerged(here, value, version),
      failed: (here) => learn.evaluationsNotKept(here),
      refused: (here) => learn.evaluationsNotKept(here),
    },
    saying: {
      effect: 'say',
      do: ({ turn }) => ({ type: 'say', actor: 'executor', text: turn.answer ?? '' }),
      said: (here) => learn.said(here),
    },
    done: {
      finish: ({ turn }) => ({ type: 'finish', reason: turn.outcome, result: resultOf(turn) }),
    },
  }
}

const asked = ({
  maxTokens,
  callTimeoutMs,
}: AssistSettings): Pick<Generate, 'type' | 'maxTokens' | 'timeoutMs'> => ({
  type: 'generate',
  maxTokens,
  timeoutMs: callTimeoutMs,
})

/**
 * The user's messages and the answers shown to them. Withheld drafts and turns whose model failed are left out, so
 * the same can be asked again.
 */
function transcript({ turn }: AssistState): readonly Message[] {
  const { conversation, answer, problem, intent, kind, plan } = turn
  if (answer === null || problem !== undefined) return conversation
  const { approach, altitude } = plan
  const marks = { approach, altitude, kind, intent: digestOf({ ...intent }) }
  return [...conversation, userMessage(saidIn(turn)), markedAnswer(answer, marks)]
}

function load(snapshot: unknown): AssistState {
  if (isAssistState(snapshot)) {
    return { ...snapshot, turn: { ...SINCE_VERSION_1, ...snapshot.turn } }
  }
  throw new EchelonError(
    'STATE_REFUSED',
    'the stored turn is not one of this assistant; start it again',
  )
}
