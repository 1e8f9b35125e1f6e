import assert from 'node:assert/strict'
import type {
  PlanExecution,
  StepStatus,
} from '../../packages/support/src/turn/planning/plan-execution.ts'
import type { Dialogue } from '../../packages/support/src/turn/dialogue.ts'
import type { SupportResult } from '../../packages/support/src/turn/support-result.ts'
import { textOf } from '../../packages/support/src/turn/conclusion.ts'
import { isJsonObject, sameJson } from '../../packages/echelon/src/core/value/json.ts'
import type { ExploredStep } from '../../packages/echelon/src/testing/explore/explored.ts'
import { type Testimony, wantedCall, type Witnessed } from './witness.ts'
import { INTENTS } from './world.ts'

export type SupportStep = ExploredStep<Witnessed, SupportResult>

/** The allowed status changes of a step. Final ones stay. */
const MOVES: Readonly<Record<StepStatus, readonly StepStatus[]>> = {
  pending: ['in_progress', 'completed', 'failed', 'blocked', 'waiting_user', 'canceled'],
  in_progress: ['completed', 'failed', 'canceled'],
  waiting_user: ['completed', 'canceled'],
  blocked: ['in_progress', 'canceled'],
  completed: [],
  failed: [],
  canceled: [],
}

/** Rules for every step of every turn. */
export const RULES: Readonly<Record<string, (step: SupportStep) => boolean>> = {
  'the customer’s message is on record before anything is done': ({ before, asked }) => {
    const { inner, testimony } = before
    const isDeed =
      asked.type === 'generate' ||
      asked.type === 'say' ||
      asked.type === 'call-tools' ||
      asked.type === 'permit'
    return !isDeed || testimony.isNoted || inner.input.review !== null
  },
  'no tool is called that the rules did not allow for this very call': ({ before, asked }) =>
    asked.type !== 'call-tools' ||
    asked.calls.every(({ id, tool, input }) => {
      const judged = before.testimony.judged[id]
      const isThis =
        judged?.call?.toolName === tool &&
        isJsonObject(input) &&
        sameJson(judged.call.params, input)
      return isThis && isAllowed(id, before)
    }),
  'nothing is said before the rules allowed it': ({ before, asked }) =>
    asked.type !== 'say' || isAllowed(before.inner.task?.execution.planId ?? '', before),
  'what must be confirmed is called after a yes to that very call': ({ before, asked }) =>
    asked.type !== 'call-tools' ||
    asked.calls.every(({ tool, input }) => {
      if (!INTENTS.some((intent) => intent.tool === tool && intent.confirm)) return true
      const wanted = wantedCall(before.testimony, before.inner)
      return wanted?.toolName === tool && sameJson(wanted.params, input)
    }),
  'no call lacks what its intent requires': ({ asked }) =>
    asked.type !== 'call-tools' ||
    asked.calls.every(({ tool, input }) => {
      const intent = INTENTS.find((one) => one.tool === tool && one.tools.length === 0)
      return (intent?.requiredParams ?? []).every((name) => isJsonObject(input) && !!input[name])
    }),
  'a plan is told of to the rules once, and called once': ({ after: { testimony } }) =>
    [testimony.policyEvents, testimony.called].every((counts) =>
      Object.values(counts).every((count) => count === 1),
    ),
  'steps move as they may': ({ before, after }) => {
    for (const [plan, now] of executionsOf(after)) {
      const then = executionsOf(before).get(plan)
      if (then !== undefined) assert.deepEqual(wrongMoves(then, now), [])
    }
    return true
  },
  'stages come in their order, for each plan': ({ after }) => after.testimony.stagesAreOrdered,
  'a turn that is over was told of once': ({ before, after: { inner, testimony } }) =>
    inner.phase !== 'done' ||
    before.inner.phase === 'done' ||
    testimony.stages.filter((stage) => stage === 'response_generated').length === 1,
  'a plan that is left waits, or is over': ({ after: { inner } }) =>
    inner.phase !== 'done' || inner.executions.every((one) => isLeftWell(one, inner.dialogue)),
  'a conversation that was not read is not written to': ({ before, asked }) => {
    const { inner, testimony } = before
    const isAnswer =
      asked.type === 'remember' && isJsonObject(asked.value) && asked.value['role'] === 'agent'
    if (!isAnswer) return true
    return testimony.before !== null && (testimony.isNoted || inner.input.review !== null)
  },
  'what waits for a person waits until one decides': ({ after: { inner, testimony } }) => {
    if (testimony.before === null || inner.phase !== 'keeping') return true
    const { review } = inner.input
    // A customer may take back what was passed on last.
    if (testimony.saidDrop) return true
    const mustWait = testimony.before.blocked.slice(review === null ? 0 : 1)
    const kept = new Set(inner.dialogue.blocked.map((one) => JSON.stringify(one)))
    return mustWait.every((one) => kept.has(JSON.stringify(one)))
  },
  'nobody but a person takes a conversation from a person': ({ after: { inner, testimony } }) =>
    inner.phase !== 'keeping' ||
    testimony.before?.handedOver == null ||
    inner.dialogue.handedOver === testimony.before.handedOver,
  'somebody is answered': ({ after: { inner } }) =>
    inner.phase !== 'done' || inner.problem === 'conflict' || textOf(inner).trim() !== '',
  'who is asked can answer': ({ after: { inner } }) =>
    inner.outcome !== 'asked' ||
    inner.dialogue.open?.execution.steps[inner.dialogue.open.execution.currentIndex]?.status ===
      'waiting_user',
}

/** Approved by the rules, in this turn; or by a person, if the rules required one. */
function isAllowed(plan: string, { inner, testimony }: Witnessed): boolean {
  const judged = testimony.judged[plan]
  if (judged === undefined) return false
  return judged.allowed || (judged.escalated && inner.input.review?.approved === true)
}

/** The current state of every known plan, by its id. */
function executionsOf({ inner, testimony }: Witnessed): ReadonlyMap<string, PlanExecution> {
  const known = [
    ...waitingIn(testimony),
    ...waitingIn({ before: inner.dialogue }),
    ...inner.executions,
    ...(inner.task === null ? [] : [inner.task.execution]),
  ]
  return new Map(known.map((execution) => [execution.planId, execution]))
}

const waitingIn = ({ before }: Pick<Testimony, 'before'>): readonly PlanExecution[] =>
  before === null
    ? []
    : [before.open, ...before.stack, ...before.blocked].flatMap((one) => one?.execution ?? [])

/** Steps with forbidden changes; those not yet started may be planned anew. */
function wrongMoves(then: PlanExecution, now: PlanExecution): readonly string[] {
  return movesOf(then, now)
    .filter((move) => {
      const [from, to] = move
      return !(MOVES[from].includes(to) || (from === to && !OVER.includes(from)))
    })
    .map(([from, to]) => `${from} → ${to}`)
}

function movesOf(
  then: PlanExecution,
  now: PlanExecution,
): readonly (readonly [StepStatus, StepStatus])[] {
  return then.steps.flatMap((one, place) => {
    const same = now.steps[place]
    // Unchanged parts are mostly the same object, and comparing texts is slow.
    if (same === one) return []
    const isSame = same !== undefined && isEqual(same.step, one.step)
    // Another step in its place: it must not have started, or the change is an error.
    if (!isSame) {
      const isShifted = now.steps.some(
        ({ step, status }) => status === 'canceled' && isEqual(step, one.step),
      )
      if (isShifted) return [[one.status, 'canceled'] as const]
      return one.status === 'pending' ? [] : [[one.status, 'pending'] as const]
    }
    return isEqual(same, one) ? [] : [[one.status, same.status] as const]
  })
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

const OVER: readonly StepStatus[] = ['completed', 'failed', 'canceled']

function isLeftWell(execution: PlanExecution, { open, stack, blocked }: Dialogue): boolean {
  const waits = [open, ...stack, ...blocked].some(
    (one) => one?.execution.planId === execution.planId,
  )
  return waits
    ? execution.steps.some(({ status }) => status === 'waiting_user' || status === 'blocked')
    : execution.steps.every(({ status }) => OVER.includes(status))
}

export const statusesOf = (step: SupportStep): readonly StepStatus[] =>
  [...executionsOf(step.after).values()].flatMap(({ steps }) => steps.map(({ status }) => status))
