import type { Moved } from 'echelon/runtime'
import { isAskUser, isToolCall } from '../../plan.ts'
import type { PolicyDecision } from '../../primitives/policy-engine.ts'
import { replacedBy } from '../../dialogue/replaced.ts'
import { TOO_LATE } from '../../understand/facets.ts'
import * as sentences from '../../wording/sentences.ts'
import { goTo, planTask, waitFor } from '../begin-task.ts'
import { noting, utc } from '../conclusion.ts'
import { withoutSecondPerson } from '../hand-over.ts'
import { nextWork } from '../next-work.ts'
import { askedAgain } from '../open-task.ts'
import { currentStep, entered, reworded } from '../planning/plan-execution.ts'
import { policyChecked } from '../stages.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'
import { offeringTo } from '../weighing/instead.ts'
import { withDecision } from '../weighing/weigh.ts'
import { endTask, notFound } from './ended.ts'
import { waitForPerson } from './wait-for-person.ts'

type Turned = Moved<SupportState>

/** The rules' decision on a plan, with a digest of what an approval would cover. */
export interface Judgement {
  readonly decision: PolicyDecision
  readonly rests: string | undefined
}

/** Applies the rules' decision: proceed, refuse, or ask a person first. */
export function checked(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { decision: judged, rests }: Judgement,
): Turned {
  const decision = withoutSecondPerson(state, judged)
  const isApproved = decision.requiresEscalation && task.approvedBy !== null
  const notes = [policyChecked(task, decision)]
  const { weighing } = task
  if (weighing !== undefined) {
    return noting(
      notes,
      nextWork(settings, withDecision(state, { ...task, weighing }, { decision, rests })),
    )
  }
  const step = currentStep(task.execution)
  const isQuestion = step !== undefined && isAskUser(step)
  if (!decision.allowed && !decision.requiresEscalation) {
    return noting(notes, denied(settings, state, task, decision))
  }
  // The customer confirms first: a person need not review unwanted actions.
  if (isQuestion) {
    const isAsked = task.asks?.includes('whether') === true
    const possible = TOO_LATE.test(state.text) ? sentences.STILL_POSSIBLE : sentences.POSSIBLE
    const plain = [
      step.prompt,
      ...(decision.requiresEscalation ? [sentences.APPROVED_FIRST] : []),
      ...(replacedBy(state.dialogue, task).length > 0 ? [sentences.REPLACES_REQUEST] : []),
    ].join(' ')
    const execution = reworded(task.execution, plain)
    const prompt = isAsked ? `${possible} ${plain}` : plain
    return noting(notes, waitFor(state, { ...task, execution }, { ...step, prompt }, rests))
  }
  if (task.rests !== undefined && task.rests !== rests) {
    return noting(notes, allowAgain(settings, state, task, rests))
  }
  if (!decision.allowed && !isApproved) {
    return noting(notes, waitForPerson(settings, state, task, { rests, again: false }))
  }
  const phase = step !== undefined && isToolCall(step) ? 'acting' : 'announcing'
  const execution = entered(task.execution, 'in_progress', utc(state.at))
  return noting(notes, goTo(state, phase, { ...task, execution }))
}

function denied(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { violations, asNotFound = false, instead }: PolicyDecision,
): Turned {
  const reason = violations.join('; ') || 'it is not allowed'
  if (asNotFound || instead === undefined) {
    const text = asNotFound ? notFound(task.params) : sentences.policyViolation(violations)
    return endTask(settings, state, { task, text, outcome: 'denied', error: reason })
  }
  const text = `${sentences.policyViolation(violations)}. ${instead.say}`
  const offered = offeringTo(settings, state, task, instead.offer)
  return endTask(settings, offered, { task, text, outcome: 'denied', error: reason })
}

/** What was approved has changed, so the same person is asked again. */
function allowAgain(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  rests: string | undefined,
): Turned {
  if (task.approvedBy !== null) return waitForPerson(settings, state, task, { rests, again: true })
  // What was agreed to as an offer is asked for now.
  if (!task.execution.steps.some(({ step }) => isAskUser(step))) {
    const { rests: _, ...fresh } = task
    return planTask(settings, state, { ...fresh, isConfirmed: false })
  }
  const { unallowed, question } = askedAgain(task)
  return waitFor(state, unallowed, question, rests)
}
