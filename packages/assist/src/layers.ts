import type { AssistSettings } from './assist-settings.ts'
import { saidIn, type Turn } from './assist-state.ts'
import { Evaluator, type Judgment } from './evaluation/evaluator.ts'
import { Executor } from './executor.ts'
import { IntentStore } from './intent/intent-store.ts'
import { utc } from './evaluation/kept-evaluations.ts'
import type { EvaluatorContext, ExecutorContext, PlannerContext, Refused } from './layer-context.ts'
import type { Outcome } from './evaluation/outcome.ts'

// Builds the context of each layer from a turn.

export const intentOf = (
  { intent }: Turn,
  { readDraft }: Pick<AssistSettings, 'readDraft'>,
): IntentStore => new IntentStore(intent, readDraft)

export const executorOf = (
  { intent, conversation }: Turn,
  { reflect }: Pick<AssistSettings, 'reflect'>,
): Executor => new Executor({ reflect, intent, conversation })

export const evaluatorOf = (
  { at }: Turn,
  { readDraft }: Pick<AssistSettings, 'readDraft'>,
): Evaluator => new Evaluator(readDraft, utc(at))

/** Reported again by the executor, not taken from another layer's account. */
export const outcomeOf = (turn: Turn, settings: Pick<AssistSettings, 'reflect'>): Outcome => ({
  plan: turn.plan,
  report: executorOf(turn, settings).reportState(saidIn(turn), turn.draft),
})

export const judgedByRule = (turn: Turn, settings: AssistSettings): Judgment =>
  evaluatorOf(turn, settings).judge(turn.intent, outcomeOf(turn, settings))

/** A new plan gets the situation; a revision gets the outcome. */
export const plannerContext = (
  turn: Turn,
  settings: Pick<AssistSettings, 'reflect'>,
): PlannerContext => {
  const { recent_evaluations, patterns } = turn.evaluations.value
  return {
    intent: turn.intent,
    conversation: turn.conversation,
    refused: [
      ...faultsOf(turn),
      ...turn.refusedLines.map(({ line, why }) => ({ what: why, evidence: line })),
    ],
    report: outcomeOf(turn, settings).report,
    current: turn.plan,
    evaluation: turn.evaluated.at(-1) ?? recent_evaluations.at(-1) ?? null,
    patterns,
  }
}

export const executorContext = (turn: Turn): ExecutorContext => ({
  plan: turn.plan,
  northStars: turn.intent.north_stars,
  success: turn.intent.current_success,
  refused: faultsOf(turn),
  background: [...(turn.facts ?? []), ...(turn.knowledge ?? [])],
  toolMessages: turn.toolMessages,
  conversation: turn.conversation,
  userInput: saidIn(turn),
})

/** The faults of the draft that was refused; its other words are not passed on. */
const faultsOf = ({ judgements }: Turn): readonly Refused[] => {
  const last = judgements.at(-1)
  if (last === undefined || last.isOnIntent) return []
  return last.findings.map(({ what, evidence }) => ({ what, evidence }))
}

export const evaluatorContext = (
  turn: Turn,
  settings: Pick<AssistSettings, 'reflect'>,
): EvaluatorContext => ({ intent: turn.intent, outcome: outcomeOf(turn, settings).report })
