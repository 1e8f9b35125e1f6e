import type { AgentDefinition, Moved, StartContext } from '../../core/agent/agent.ts'
import type { EffectOf } from '../../core/agent/capability.ts'
import type { Generate, Together } from '../../core/agent/effect.ts'
import { byPhase, type Phases } from '../../core/agent/phases.ts'
import { type AnswerGate, FORM_ALONE } from './answers/answer-gate.ts'
import { directSchema } from './answers/direct-answer.ts'
import { type Bench, JUDGE, performedEffects } from './answers/judge-answer.ts'
import { dateIn } from './case/date-in-words.ts'
import { readyCalls } from './plan/executor.ts'
import { loadDecideState } from './load-state.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { JsonObject } from '../../core/value/json.ts'
import type { Policy } from './settings/modes.ts'
import { planPrompt } from './plan/prompt.ts'
import type { DecideInput, DecideResult, DecideState, Loop } from './state.ts'
import { type DecideParts, Transitions } from './transitions.ts'
import { mayAnswerInWords } from './plan/uncheckable.ts'
import type { Verification } from './verification/verification.ts'
import { wireSchema } from './plan/wire-schema.ts'

// An alias, because an interface lacks the index signature that `Actors` requires.
type DecideActors = {
  readonly planner: { readonly roles: readonly string[] }
  readonly executor: { readonly tools: readonly string[] }
  readonly verifier: { readonly tools: readonly string[]; readonly meters: 'checks' }
  /** Verifies answers without a plan: asks models, and calls tools that only read. */
  readonly [JUDGE]: {
    readonly roles: readonly string[]
    readonly tools: readonly string[]
    readonly meters: 'checks'
  }
}

/** The agent's name and version in journals. */
export const DECIDE = { name: 'decide', version: 1 } as const

/**
 * The decision agent, written as its state diagram:
 * plan → execute → verify → gate → (plan | escalate → plan on the next rung | done).
 * Gate and escalator touch nothing: they are functions on the way from phase to phase.
 */
export function decideAgent(
  parts: DecideParts,
): AgentDefinition<DecideInput, DecideState, DecideResult> {
  const { policy, tools, verification } = parts
  const actors: DecideActors = {
    planner: { roles: policy.rungs.map(({ role }) => role) },
    executor: { tools: tools.map(({ name }) => name) },
    verifier: { tools: verification.tools, meters: 'checks' },
    [JUDGE]: {
      roles: [...policy.rungs, ...policy.asked].map(({ role }) => role),
      tools: tools.filter(isHarmless).map(({ name }) => name),
      meters: 'checks',
    },
  }
  const learn = new Transitions(parts)
  const start = (input: DecideInput, context: StartContext): Moved<DecideState> =>
    learn.begun(firstLoop(input, verification, context))
  const table = byPhase(phases(parts, learn), (here, seen) => learn.unasked(here, seen))
  return {
    ...DECIDE,
    actors,
    start,
    ...table,
    load: (stored) => loadDecideState(stored, verification),
  }
}

/** A check must change nothing, since no one approves it. */
const isHarmless = ({ does, needsApproval }: Tool): boolean => does === 'reads' && !needsApproval

function phases(
  { policy, tools, gate = FORM_ALONE }: DecideParts,
  learn: Transitions,
): Phases<DecideState, DecideResult, EffectOf<DecideActors> | Together> {
  const schemaOf = planSchemas(policy, tools)
  return {
    plan: {
      effect: 'generate',
      do: ({ loop }) =>
        planCall(loop, policy, {
          messages: planPrompt(loop, policy, tools),
          schema: schemaOf(loop),
        }),
      generated: (here, seen, meter) => learn.planned(here, seen, meter),
      failed: (here, seen, meter) => learn.modelFailed(here, seen, meter),
      refused: (here, seen, meter) => learn.refused(here, seen, meter),
    },
    execute: {
      effect: 'call-tools',
      do: (here) => ({
        type: 'call-tools',
        actor: 'executor',
        calls: readyCalls(here, tools),
        atOnce: policy.atOnce,
        most: here.allowance,
      }),
      'tools-called': (here, seen, meter) => learn.executed(here, seen, meter),
      refused: (here, seen, meter) => learn.refused(here, seen, meter),
    },
    verify: {
      effect: 'call-tools',
      do: ({ checks }) => ({ type: 'call-tools', actor: 'verifier', calls: checks }),
      'tools-called': (here, seen, meter) => learn.checked(here, seen, meter),
      refused: (here, seen, meter) => learn.refused(here, seen, meter),
    },
    judge: {
      effect: 'together',
      do: (here) => ({
        type: 'together',
        effects: performedEffects(here, benchOf(here.loop, policy, gate)),
      }),
      together: (here, { observations }, meter) => learn.judged(here, observations, meter),
      failed: (here, seen, meter) => learn.judged(here, [seen], meter),
      refused: (here, seen, meter) => learn.refused(here, seen, meter),
    },
    done: {
      finish: ({ loop, reason, limit }) => ({
        type: 'finish',
        reason,
        result: { reason, limit, loop, verified: reason === 'success' },
      }),
    },
  }
}

/** The call that asks the model of a rung. Journals hold a digest of it, in which the order of its fields counts. */
const planCall = (
  loop: Loop,
  policy: Policy,
  { messages, schema }: Pick<Generate, 'messages' | 'schema'>,
): Generate & { readonly actor: 'planner'; readonly show?: 'nobody' } => ({
  type: 'generate',
  actor: 'planner',
  role: policy.rungs[loop.rung]?.role ?? '',
  messages,
  ...(schema !== undefined && { schema }),
  maxTokens: ceilingOf(loop, policy).maxTokens,
  sampling: {
    ...policy.sampling,
    ...(loop.task.seed === null ? {} : { seed: loop.task.seed }),
  },
  timeoutMs: ceilingOf(loop, policy).timeoutMs,
})

const benchOf = (loop: Loop, policy: Policy, gate: AnswerGate): Bench => ({
  gate,
  own: policy.rungs[loop.rung]?.role ?? '',
  timeoutMs: ceilingOf(loop, policy).timeoutMs,
})

/** The schema of an answer, which may be a direct one where the case allows it. */
function planSchemas({ planSize }: Policy, tools: readonly Tool[]): (loop: Loop) => JsonObject {
  const planned = wireSchema(tools, planSize)
  const inWords = wireSchema(tools, planSize, directSchema(undefined))
  return (loop) => {
    if (!mayAnswerInWords(loop)) return planned
    const { wanted } = loop.task
    return wanted?.kind === 'json' ? wireSchema(tools, planSize, directSchema(wanted)) : inWords
  }
}

/** Limits of one answer. Under the first rules they were the same for every rung. */
function ceilingOf(
  { rung, task }: Loop,
  policy: Policy,
): { readonly maxTokens: number; readonly timeoutMs: number } {
  const own = task.rules === 1 ? undefined : policy.rungs[rung]
  return {
    maxTokens: own?.maxTokens ?? policy.maxPlanTokens,
    timeoutMs: own?.callTimeoutMs ?? policy.callTimeoutMs,
  }
}

function firstLoop(input: DecideInput, verification: Verification, context: StartContext): Loop {
  const { at, timeZone, runId } = context
  const { mode: _, today, rules = 1, unchecked = 'escalate', ...given } = input
  const day = today ?? dateIn(timeZone, at)
  const task = { ...given, today: day, timeZone, runId, unchecked, rules }
  return { ...FRESH, task, claim: verification.read(task) }
}

const FRESH: Omit<Loop, 'task' | 'claim'> = {
  rung: 0,
  rounds: 0,
  actSteps: 0,
  reprompt: null,
  best: 0,
  stalled: 0,
  evidence: [],
  failure: null,
  answer: null,
  checked: 'not_checked',
}
