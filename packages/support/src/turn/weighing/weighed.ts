import type { JsonObject, Moved } from 'echelon/runtime'
import { ORDER } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import type { Facet } from '../../understand/facets.ts'
import type { PolicyDecision } from '../../primitives/policy-engine.ts'
import * as sentences from '../../wording/sentences.ts'
import { answered, utc } from '../conclusion.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { canHandOver, HAND_OVER } from '../hand-over.ts'
import { nextWork } from '../next-work.ts'
import { canceled } from '../planning/plan-execution.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, Outcome, SupportState } from '../support-state.ts'
import { furtherAsked } from './facts.ts'
import { wouldDo } from './would-do.ts'

/** What is said to a question of what the rules allow, and what a yes to it begins. */
interface Told {
  readonly text: string
  readonly outcome: Outcome
  readonly offer: QueuedIntent | null
}

/** Answers what the rules say to a request that was only asked about. Nothing is done, and nothing is left open. */
export function weighed(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  decision: PolicyDecision,
): Moved<SupportState> {
  const over: SupportState = {
    ...state,
    executions: [...state.executions, canceled(task.execution, utc(state.at))],
    task: null,
  }
  if (task.wonders === 'option') {
    const { intentId, params } = task
    const later = decision.instead?.offer === null ? decision.instead.say : null
    const option = { intentId, params, verdict: verdictOf(decision), later }
    return nextWork(settings, { ...over, options: [...(over.options ?? []), option] })
  }
  const { text, outcome, offer } = toldOf(settings, state, task, decision)
  const isOffered = offer !== null && offer.intentId !== HAND_OVER
  const { intentId, params } = task
  return nextWork(settings, {
    ...answered(over, text, outcome),
    dialogue: {
      ...over.dialogue,
      last: { intentId, params },
      about: null,
      choices: offer !== null && (isOffered || canHandOver(settings, state)) ? [offer] : [],
      misses: 0,
    },
  })
}

const verdictOf = ({
  allowed,
  requiresEscalation,
}: PolicyDecision): 'allowed' | 'approval' | 'denied' => {
  if (requiresEscalation) return 'approval'
  return allowed ? 'allowed' : 'denied'
}

function toldOf(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  decision: PolicyDecision,
): Told {
  const intent = settings.registry.find(task.intentId)
  const id = task.params[ORDER]
  if (intent === undefined || decision.asNotFound === true) {
    const text = typeof id === 'string' ? sentences.orderNotFound(id) : sentences.NO_INTENT
    return { text, outcome: 'denied', offer: null }
  }
  if (task.wonders === 'why') {
    if (!decision.allowed && !decision.requiresEscalation)
      return reason(settings, state, task, decision)
    if (decision.requiresEscalation) {
      const text = sentences.becauseOf(decision.violations)
      return { text, outcome: 'answered', offer: null }
    }
  }
  const verdict = verdictOf(decision)
  return verdict === 'denied'
    ? denied(settings, state, task, decision)
    : possible(settings, state, { task, intent }, verdict)
}

/** Why it was refused, and that no exception is made here. */
function reason(
  settings: SupportSettings,
  state: SupportState,
  { params }: ActiveIntent,
  { violations, instead }: PolicyDecision,
): Told {
  const why = sentences.ruledOut(violations)
  // What can be done instead is offered; where nothing can, a colleague.
  if (instead !== undefined && instead.offer !== null && instead.offer !== HAND_OVER) {
    const about = orderIn(params)
    return {
      text: `${why} ${instead.say}`,
      outcome: 'denied',
      offer: { intentId: instead.offer, params: about },
    }
  }
  const later = instead?.offer === null ? ` ${instead.say}` : ''
  const asks = canHandOver(settings, state) ? ` ${sentences.LOOK_AT_IT}` : ''
  return {
    text: `${why}${later}${asks}`,
    outcome: 'denied',
    offer: { intentId: HAND_OVER, params: {} },
  }
}

const orderIn = (params: JsonObject): JsonObject =>
  params[ORDER] === undefined ? {} : { [ORDER]: params[ORDER] }

function denied(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { violations, instead }: PolicyDecision,
): Told {
  const isLater = instead !== undefined && instead.offer === null
  const no = sentences.notPossible(violations, isLater)
  const facts = furtherAsked(settings, state, task, 'denied')
  const text = [no, instead?.say ?? '', ...facts].filter((one) => one !== '').join(' ')
  const offer =
    instead === undefined || instead.offer === null
      ? null
      : {
          intentId: instead.offer,
          params: instead.offer === HAND_OVER ? {} : orderIn(task.params),
        }
  return { text, outcome: 'denied', offer }
}

interface Asked {
  readonly task: ActiveIntent
  readonly intent: Intent
}

/** What would be done, who has to agree, and what else was asked; it is offered unless it depends on something. */
function possible(
  settings: SupportSettings,
  state: SupportState,
  { task, intent }: Asked,
  verdict: 'allowed' | 'approval',
): Told {
  const isApproval = verdict === 'approval'
  const would = wouldDo(state, intent, task.params)
  const could = isApproval ? sentences.withApproval(would) : sentences.couldDo(would)
  // Of a return, whether the money comes is another question.
  const isOfMoney = intent.id === RETURN && OF_MONEY.test(state.text)
  const lead = isYesNo(state.text) && !isOfMoney ? `${sentences.YES} ${could}` : could
  const facts = furtherAsked(settings, state, task, verdict)
  const isLater = task.wonders === 'later'
  const text = [lead, ...facts].join(' ')
  if (isLater || ASKS_EFFECT.test(state.text)) {
    const ending = isLater ? sentences.TELL_ME_THEN : sentences.TELL_ME_IF
    return { text: `${text} ${ending}`, outcome: 'answered', offer: null }
  }
  const ending = isApproval ? sentences.SHALL_I_REQUEST : sentences.SHALL_I_DO
  const { intentId, params } = task
  return { text: `${text} ${ending}`, outcome: 'answered', offer: { intentId, params } }
}

const RETURN: Facet = 'return'
const OF_MONEY = /\b(?:get|money|paid|refund\p{L}*)\b/iu

/** Whether it is asked if something is possible, and not only how much, when, or who pays. */
const isYesNo = (text: string): boolean =>
  /\b(?:can|could|may|might|would|will|is|are|am|do|does)\b/iu.test(
    text.replaceAll(OTHER_QUESTION, ' '),
  )

const OTHER_QUESTION =
  /\b(?:how (?:much|long|soon|many|do|would)|what|when|who|where|which|and do i|do i (?:have to )?pay)\b[^,.;!?]*|\bif\b[^,.;!?]*?\b(?:is|are|am|do|does)(?=n't| not)/giu

/** Whoever asks what happens wants to know it, and nothing done. */
const ASKS_EFFECT = /\bwhat (?:\p{L}+ )?(?:happens?|if)\b|\bdon'?t do\b|\b(?:only|just) asking\b/iu
