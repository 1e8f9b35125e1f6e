import { CONFIRMATION, type Dialogue } from '../../packages/support/src/turn/dialogue.ts'
import { dialogueIn, messagesIn } from '../../packages/support/src/turn/kept-history.ts'
import type { PlanExecution } from '../../packages/support/src/turn/planning/plan-execution.ts'
import { isToolCall, type ToolCall } from '../../packages/support/src/plan.ts'
import { decisionIn } from '../../packages/support/src/turn/policy-decision.ts'
import type { SupportInput } from '../../packages/support/src/turn/support-input.ts'
import type { SupportResult } from '../../packages/support/src/turn/support-result.ts'
import type { SupportState } from '../../packages/support/src/turn/support-state.ts'
import { STAGES } from '../../packages/support/src/primitives/telemetry-sink.ts'
import type { AgentDefinition, Note } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Effect, Finish } from '../../packages/echelon/src/core/agent/effect.ts'
import { isJsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'

export type SupportAgent = AgentDefinition<SupportInput, SupportState, SupportResult>

/** The rules' decision on a plan, and the call it was about. */
export interface Judgement {
  readonly call: ToolCall | null
  readonly allowed: boolean
  readonly escalated: boolean
}

/** What an observer of the turn knows, given only the agent's effects. */
export interface Testimony {
  /** The open state of the conversation; `null` until it was read. */
  readonly before: Dialogue | null
  /** Whether the customer's message is on record. */
  readonly isNoted: boolean
  /** By plan, in this turn. */
  readonly judged: Readonly<Record<string, Judgement>>
  readonly policyEvents: Readonly<Record<string, number>>
  readonly called: Readonly<Record<string, number>>
  /** Stages as reported, without those of completed plans. */
  readonly stages: readonly string[]
  readonly stagesAreOrdered: boolean
  /** Whether the message was a yes. */
  readonly saidYes: boolean
  /** Whether it took back what was open. */
  readonly saidDrop: boolean
}

/** A state, with the witness's view of its history. */
export interface Witnessed {
  readonly inner: SupportState
  readonly testimony: Testimony
}

const NOTHING_SEEN: Testimony = {
  before: null,
  isNoted: false,
  judged: {},
  policyEvents: {},
  called: {},
  stages: [],
  stagesAreOrdered: true,
  saidYes: false,
  saidDrop: false,
}

/** The agent with a witness beside it, which sees its effects, their outcomes, and its notes. */
export function witnessed(
  agent: SupportAgent,
): AgentDefinition<SupportInput, Witnessed, SupportResult> {
  return {
    name: agent.name,
    version: agent.version,
    actors: agent.actors,
    start(input, context) {
      const { state, notes = [] } = agent.start(input, context)
      return { state: { inner: state, testimony: hearing(NOTHING_SEEN, '', notes) }, notes }
    },
    next: ({ inner }) => agent.next(inner),
    observe({ inner, testimony }, seen, meter) {
      const asked = agent.next(inner)
      const { state, notes = [] } = agent.observe(inner, seen, meter)
      const plan = inner.task?.execution.planId ?? state.task?.execution.planId ?? ''
      const watched = watching(testimony, inner, asked, seen)
      return { state: { inner: state, testimony: hearing(watched, plan, notes) }, notes }
    },
    load(snapshot) {
      const { inner, testimony }: Witnessed = Object(snapshot)
      return { inner: agent.load(inner), testimony }
    },
  }
}

function watching(
  testimony: Testimony,
  { task }: SupportState,
  asked: Effect | Finish<SupportResult>,
  seen: Observation,
): Testimony {
  if (asked.type === 'recall' && seen.type === 'recalled') {
    if (asked.memory === 'conversation') {
      return { ...testimony, before: dialogueIn(messagesIn(seen.value)) }
    }
  }
  if (asked.type === 'permit' && seen.type === 'permitted' && task !== null) {
    const { allowed, requiresEscalation } = decisionIn(seen.verdict.details)
    const call = callIn(task.execution)
    const judgement = { call, allowed, escalated: requiresEscalation }
    const judged = { ...testimony.judged, [task.execution.planId]: judgement }
    return { ...testimony, judged }
  }
  if (asked.type === 'remember' && seen.type === 'remembered') {
    const isCustomers = isJsonObject(asked.value) && asked.value['role'] === 'user'
    return { ...testimony, isNoted: testimony.isNoted || isCustomers }
  }
  if (asked.type === 'call-tools' && seen.type === 'tools-called') {
    const called = { ...testimony.called }
    for (const { id } of asked.calls) called[id] = (called[id] ?? 0) + 1
    return { ...testimony, called }
  }
  return testimony
}

/** The next call of a plan. */
export const callIn = ({ steps, currentIndex }: PlanExecution): ToolCall | null =>
  steps
    .slice(currentIndex)
    .map(({ step }) => step)
    .find(isToolCall) ?? null

function hearing(testimony: Testimony, plan: string, notes: readonly Note[]): Testimony {
  let heard = testimony
  for (const { stage, data } of notes) {
    const payload = data['payload'] ?? null
    if (stage === 'policy_check') {
      const events = (heard.policyEvents[plan] ?? 0) + 1
      heard = { ...heard, policyEvents: { ...heard.policyEvents, [plan]: events } }
    }
    if (stage === 'intent_classified' && isJsonObject(payload)) {
      const act = payload['act']
      heard = { ...heard, saidYes: act === 'yes', saidDrop: act === 'drop' }
    }
    // Each plan has four stages of its own; those of the previous plan are complete.
    const stages = stage === 'plan_created' ? heard.stages.slice(0, 4) : heard.stages
    const isOrdered = STAGES.findIndex((one) => one === stage) > placeOf(stages.at(-1))
    const isComplete = stage !== 'response_generated' || !heard.stages.includes(stage)
    heard = {
      ...heard,
      stages: [...stages, stage],
      stagesAreOrdered: heard.stagesAreOrdered && isOrdered && isComplete,
    }
  }
  return heard
}

const placeOf = (stage: string | undefined): number => STAGES.findIndex((one) => one === stage)

/** The call that the customer, or a person, is asked about. */
export function wantedCall(
  { before, saidYes }: Testimony,
  { input }: SupportState,
): ToolCall | null {
  if (before === null) return null
  if (input.review !== null) {
    const [waiting] = before.blocked
    return input.review.approved && waiting !== undefined ? callIn(waiting.execution) : null
  }
  const { open } = before
  return saidYes && open?.param === CONFIRMATION ? callIn(open.execution) : null
}
