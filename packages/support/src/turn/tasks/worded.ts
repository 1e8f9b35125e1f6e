import type { Moved } from 'echelon/runtime'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import * as sentences from '../../wording/sentences.ts'
import { utc } from '../conclusion.ts'
import { canHandOver, HAND_OVER, ticketOf } from '../hand-over.ts'
import { completed, extended } from '../planning/plan-execution.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'
import { type TemplateAnswer, templateAnswer, templateWithOffer } from '../template-answer.ts'
import { offeringTo } from '../weighing/instead.ts'
import { finishTask } from './ended.ts'

type Turned = Moved<SupportState>

/**
 * Answers a task that succeeded.
 * @param byModel the model's wording, if it makes up no figures
 */
export function worded(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  byModel: string | null,
): Turned {
  const execution = completed(task.execution, utc(state.at))
  const { text, offer } =
    byModel === null ? toldOf(settings, state, task) : { text: byModel, offer: null }
  const ticket = task.intentId === HAND_OVER ? ticketOf(state.result) : null
  const handed: SupportState =
    ticket === null
      ? offeringTo(settings, state, task, offer)
      : {
          ...state,
          dialogue: { ...state.dialogue, handedOver: ticket, open: null, stack: [], queued: [] },
        }
  const outcome = ticket === null ? 'answered' : 'handed_over'
  const wordedBy = byModel === null ? 'template' : 'model'
  return finishTask(settings, { ...handed, wordedBy }, { ...task, execution }, { text, outcome })
}

/** The answer; where the reason was asked for, which no data holds, a colleague is offered. */
function toldOf(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
): TemplateAnswer {
  const given = templateWithOffer(settings, task, state.at)
  const told = withCheck(withoutSecondPerson(state, given), task, state.text)
  const isAsked = task.asks?.includes('why') === true && told.answers !== 'why'
  if (!isAsked || told.offer !== null) return told
  const { text } = told
  const reason = reasonOf(state, task)
  if (reason !== null) {
    const isToldBeside = state.queue.length > 0 || state.texts.some((one) => one.includes(reason))
    return isToldBeside ? told : { ...told, text: `${text}. ${sentences.theReason(reason)}` }
  }
  return canHandOver(settings, state)
    ? { ...told, text: `${text}. ${sentences.REASON_UNKNOWN}`, offer: HAND_OVER }
    : { ...told, text: `${text}. ${sentences.NO_REASON}` }
}

/** Nobody offers a colleague where one has the conversation already. */
const withoutSecondPerson = ({ dialogue }: SupportState, told: TemplateAnswer): TemplateAnswer =>
  told.offer === HAND_OVER && dialogue.handedOver !== null
    ? { ...told, text: told.text.replace(LAST_QUESTION, ''), offer: null }
    : told

const LAST_QUESTION = /\.? +[^.!?]*\?$/u

/** What delays the order, as far as its data says. */
function reasonOf({ orders }: SupportState, { params }: ActiveIntent): string | null {
  const order = ownOrdersIn(orders).find(({ id }) => id === params[ORDER])
  const reason = order?.record['delay_cause']
  return typeof reason === 'string' ? reason : null
}

/** To a doubt, that it was looked up once more. */
function withCheck(
  told: TemplateAnswer,
  { asks = [] }: ActiveIntent,
  said: string,
): TemplateAnswer {
  if (!asks.includes('sure')) return told
  // A yes would answer whatever else is asked: "will it really come, and is the label right?"
  const lead = DOUBTS_ANSWER.test(said)
    ? sentences.LOOKED_AGAIN
    : WANTS_PROMISE.test(said)
      ? sentences.NO_PROMISE
      : sentences.LOOKED_UP
  return { ...told, text: `${lead} ${told.text}` }
}

/** What asks for a second look, which is a yes. */
const DOUBTS_ANSWER =
  /\b(?:are |r )?(?:you|u) (?:\p{L}+ ){0,2}(?:sure|certain|positive)\b|\b(?:check|look|verify)\b[^.!?]{0,20}\b(?:again|once more|twice)\b|\bdouble[- ]?check\b/iu

/** A time that is still to come. */
const WANTS_PROMISE =
  /\b(?:guarant\p{L}*|garant\p{L}*|promis\p{L}*|rely|reliable|count on|trust|hold you|(?:will|would|does|gonna|going to|is (?:it|that)|they) (?:\p{L}+ ){0,4}?(?:come|arrive|be (?:here|there|delivered)|get here|make it|reach|happen|for sure)|by then|(?:that|the) (?:date|day|estimate|eta)|the \d{1,2}(?:st|nd|rd|th)|estimate)\b/iu

/**
 * Answers with the text of a model that planned by itself, if all its figures have a source; otherwise with the
 * intent's template for the last result.
 */
export function answerOpenEnded(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  byModel: string | null,
): Turned {
  const template = templateAnswer(settings, task)
  const text = byModel ?? (template === '' ? sentences.MODEL_FAILED : template)
  const wordedBy = byModel === null ? 'template' : 'model'
  const told = extended(task.execution, [{ when: 'post', message: text }])
  const execution = completed(told, utc(state.at))
  const ended = { ...task, execution }
  return finishTask(settings, { ...state, wordedBy }, ended, { text, outcome: 'answered' })
}
