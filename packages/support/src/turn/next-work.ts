import type { Moved } from 'echelon/runtime'
import { withPlainItems } from '../customer/item-words.ts'
import { itemWordsIn } from '../customer/resolution.ts'
import { ORDER } from '../customer/resolve-order.ts'
import type { Saying, Work } from '../dialogue/work.ts'
import type { Passage } from '../knowledge/knowledge.ts'
import { clausesOf } from '../understand/clauses.ts'
import type { Facet } from '../understand/facets.ts'
import { asks } from '../understand/read-questions.ts'
import * as sentences from '../wording/sentences.ts'
import { askAgain, beginTask, dropped, notUnderstood, planTask } from './begin-task.ts'
import { answered, conclude, utc } from './conclusion.ts'
import { CONFIRMATION, type OpenIntent } from './dialogue.ts'
import { canHandOver, HAND_OVER } from './hand-over.ts'
import { resumedTask } from './open-task.ts'
import { completed, currentStep } from './planning/plan-execution.ts'
import { isAbsent } from './planning/planner.ts'
import { isAskUser } from '../plan.ts'
import { textOfSaying } from './sayings.ts'
import type { SupportSettings } from './support-settings.ts'
import type { ActiveIntent, SupportState } from './support-state.ts'
import { answeredWeighing } from './weighing/answer.ts'
import { canWeigh, otherWays } from './weighing/candidates.ts'
import { RETURN_COSTS } from './weighing/facts.ts'
import { unclearAnswer } from './weighing/unclear.ts'
import { weighNext } from './weighing/weigh.ts'

type Turned = Moved<SupportState>

/** Does the next piece of the turn's work; at its end, the question of an interrupted task comes back. */
export function nextWork(settings: SupportSettings, state: SupportState): Turned {
  const [next, ...queue] = state.queue
  if (next === undefined) return resumed(withoutEcho(settings, state))
  return done(settings, { ...state, queue }, next)
}

function done(settings: SupportSettings, state: SupportState, work: Work): Turned {
  switch (work.do) {
    case 'begin': {
      const { do: _, ...request } = work
      return request.wonders === undefined && isWaiting(state, request)
        ? said(settings, state, { about: 'waiting' })
        : beginTask(settings, state, request)
    }
    case 'go-on':
      return goOn(settings, state, work)
    case 'confirmed':
      return confirmed(settings, state, work.open)
    case 'ask-again':
      return askAgain(settings, state, work.open)
    case 'not-understood':
      return unclearAnswer(settings, state, work)
    case 'look-up':
      return nextWork(settings, lookedUp(settings, state, work))
    case 'weigh':
      return (
        weighNext(settings, state, work) ??
        nextWork(settings, answeredWeighing(settings, state, work))
      )
    case 'say':
      return said(settings, state, work.saying)
  }
}

/** Whether the very request already waits for a person. */
const isWaiting = (
  { dialogue: { blocked } }: SupportState,
  { intentId, params }: Pick<OpenIntent, 'intentId' | 'params'>,
): boolean =>
  blocked.some((one) => one.intentId === intentId && one.params[ORDER] === params[ORDER])

function said(settings: SupportSettings, state: SupportState, saying: Saying): Turned {
  const restored = saying.about === 'undo' ? restoring(settings, state) : null
  if (restored !== null) return beginTask(settings, state, restored)
  const text = textOfSaying(settings, state, saying)
  const isDropped = saying.about === 'dropped' || saying.about === 'withdrawn'
  const outcome = isDropped ? 'dropped' : 'answered'
  const told = text === '' ? state : answered(state, text, outcome)
  const after = saying.about === 'undo' ? offeringPerson(settings, told) : told
  return nextWork(settings, { ...after, dialogue: { ...after.dialogue, misses: 0 } })
}

/** What was done stays done here: a yes brings a person, who may know more. */
function offeringPerson(settings: SupportSettings, state: SupportState): SupportState {
  const { done, open, stack } = state.dialogue
  const isFree = open === null && stack.length === 0 && state.queue.length === 0
  const isOfOrder = done?.params[ORDER] !== undefined
  if (!isOfOrder || !isFree || !canHandOver(settings, state)) return state
  const texts = [...state.texts.slice(0, -1), `${state.texts.at(-1)} ${sentences.LOOK_AT_IT}`]
  return {
    ...state,
    texts,
    dialogue: { ...state.dialogue, choices: [{ intentId: HAND_OVER, params: {} }] },
  }
}

/** The request that sets back what was done last, if its intent allows that. */
function restoring(
  { registry }: SupportSettings,
  { dialogue: { done: last } }: SupportState,
): Pick<OpenIntent, 'intentId' | 'params'> | null {
  const restores = last === null ? null : (registry.find(last.intentId)?.restores ?? null)
  if (last === null || restores === null || last.previous === null) return null
  return { intentId: last.intentId, params: { ...last.params, [restores]: last.previous } }
}

/** "And my email?", after the same passage for a password: a word of it that was not asked for before. */
function namesMore({ history }: SupportState, question: string, { text }: Passage): boolean {
  const before = history.findLast(({ role }) => role === 'user')?.text.toLowerCase() ?? ''
  const words = question.toLowerCase().match(/\p{L}{5,}/gu) ?? []
  const passage = text.toLowerCase()
  return words.some((word) => passage.includes(word) && !before.includes(word))
}

function lookedUp(
  settings: SupportSettings,
  state: SupportState,
  { question, isBeyond, offer = [] }: Extract<Work, { readonly do: 'look-up' }>,
): SupportState {
  const found = isBeyond
    ? settings.knowledge(question, { isClosely: true })
    : passageFor(settings, state, question)
  const { open, stack, choices } = state.dialogue
  const isFree = open === null && stack.length === 0
  const isAlone = isFree && state.queue.length === 0
  // What was offered before a question is offered again behind the answer.
  const ways = canWeigh(settings, choices) ? choices : otherWays(settings, state, offer)
  const isEcho =
    found !== null &&
    isSaidBefore(state, sentences.fromSource(found)) &&
    !namesMore(state, question, found)
  if (isAlone && ways.length > 0) {
    const text =
      found === null
        ? sentences.NOT_KNOWN
        : isEcho
          ? sentences.SAID_ALL
          : sentences.fromSource(found)
    const weighing: Work = { do: 'weigh', left: ways, weighed: [], answers: { kind: 'choice' } }
    return { ...answered(state, text, 'answered'), queue: [weighing] }
  }
  const mayOffer = isAlone && state.texts.length === 0 && canHandOver(settings, state)
  if (found !== null && mayOffer && offer.includes(HAND_OVER)) {
    const text = `${sentences.fromSource(found)} ${sentences.WHAT_ABOUT}`
    return offeringColleague(answered(state, text, 'answered'))
  }
  if (isEcho && mayOffer) {
    const text = `${sentences.SAID_ALL} ${sentences.LOOK_AT_IT}`
    return offeringColleague(answered(state, text, 'answered'))
  }
  if (found !== null) return answered(state, sentences.fromSource(found), 'answered')
  if (stack[0]?.param === CONFIRMATION && !isAsking(state.text)) {
    return answered(state, toRemark(state.text), 'answered')
  }
  if (state.texts.length > 0 || state.queue.length > 0) {
    return answered(state, sentences.partNotKnown(question), 'answered')
  }
  if (!isFree || !canHandOver(settings, state)) {
    return answered(state, sentences.NOT_KNOWN, 'answered')
  }
  const told = answered(state, sentences.NOT_KNOWN_OFFER, 'answered')
  return { ...told, dialogue: { ...told.dialogue, choices: [{ intentId: HAND_OVER, params: {} }] } }
}

const offeringColleague = (state: SupportState): SupportState => ({
  ...state,
  dialogue: { ...state.dialogue, choices: [{ intentId: HAND_OVER, params: {} }] },
})

/** Whether the last answer said the same. */
const isSaidBefore = ({ history }: SupportState, text: string): boolean =>
  history.findLast(({ role }) => role === 'agent')?.text.includes(text) === true

/**
 * The same answer twice in a row is of no help: that there is no more is said, and a colleague offered. What was asked
 * to be repeated, and short courtesies, stay.
 */
function withoutEcho(settings: SupportSettings, state: SupportState): SupportState {
  const { dialogue, texts, reading } = state
  const text = texts.join('\n\n')
  const last = state.history.findLast(({ role }) => role === 'agent')?.text
  const isFree = dialogue.open === null && dialogue.stack.length === 0 && state.task === null
  const isMeant = reading?.commands.some(({ type }) => ECHOES.has(type)) === true
  if (text !== last || !isFree || isMeant || dialogue.handedOver !== null) return state
  if (text.length < SHORT || !canHandOver(settings, state)) return state
  const asks =
    state.outcome === 'denied' ? sentences.STAYS_REFUSED : `${text}\n\n${sentences.ALL_I_SEE}`
  const isOffering = text.endsWith('?') && state.outcome !== 'denied'
  return isOffering ? state : offeringColleague({ ...state, texts: [asks] })
}

const SHORT = 45
const ECHOES: ReadonlySet<string> = new Set(['repeat', 'small-talk', 'undo'])

const isAsking = (text: string): boolean => text.includes('?') || clausesOf(text).some(asks)

/** A friendly word to what asks for nothing, before a confirmation is asked again. */
function toRemark(text: string): string {
  if (THANKS.test(text)) return sentences.BESIDE_QUESTION.thanks
  if (REPLIES.test(text)) return sentences.NOT_UNDERSTOOD_ANSWER
  return PRAISES.test(text) ? sentences.BESIDE_QUESTION.praise : sentences.NOTED
}

const THANKS = /\b(?:thank(?:s| you)|thx|cheers|appreciate[ds]?)\b/iu
const PRAISES =
  /\b(?:great|lovely|love|wonderful|amazing|awesome|perfect|brilliant|kind|best|excellent|super|nice|good)\b/iu
/** A yes, a no, or a limit, with something that was not understood. */
const REPLIES = /^\W*(?:yes|yeah|yep|no|nope|ok|okay|just|only|wait|but)\b/iu

function passageFor(settings: SupportSettings, state: SupportState, given: string): Passage | null {
  const { dialogue } = state
  const question = given.replace(LEAD_IN, '')
  const subject = dialogue.stack[0] ?? dialogue.open
  const isOfReturn = isOfReturnCosts(state, question)
  const before = dialogue.last?.intentId.replaceAll('_', ' ') ?? ''
  const full =
    subject !== null && subject !== undefined && REFERS.test(question)
      ? `${question} ${subject.intentId.replaceAll('_', ' ')}`
      : question
  // Documents say what the rules are, and not what has happened.
  const isClosely = OF_THE_PAST.test(question)
  // What the thing is called that the customer bought says nothing about the rules for it.
  return (
    (isOfReturn && ASKS_COSTS.test(question) ? settings.knowledge(RETURN_COSTS) : null) ??
    settings.knowledge(question, { isClosely }) ??
    (isOfReturn ? settings.knowledge(`${question} ${RETURN}`, { isClosely }) : null) ??
    settings.knowledge(full, { isClosely }) ??
    // "Do I have to pay for that?", after a return.
    (REFERS.test(question) ? settings.knowledge(`${question} ${before}`, { isClosely }) : null) ??
    settings.knowledge(withPlainItems(question, itemWordsIn(state)), { isClosely }) ??
    settings.knowledge(state.text, { isClosely }) ??
    firstOf(clausesOf(question).filter(asks), (clause) =>
      settings.knowledge(clause, { isClosely: true }),
    )
  )
}

/** Whether a question of costs that names nothing of its own is about a return: the open task, or else the last one. */
function isOfReturnCosts({ dialogue }: SupportState, question: string): boolean {
  if (!OF_COSTS.test(question) || HAS_SUBJECT.test(question)) return false
  const task = dialogue.stack[0] ?? dialogue.open ?? dialogue.last
  return task?.intentId === RETURN
}

/** Whether something costs the customer money, rather than when they are paid: "is shipping free?" */
const ASKS_COSTS =
  /^(?!.*\b(?:when|where|how (?:do|does|can|long|soon|fast)|paid|back)\b).*\b(?:costs?|fees?|free|charges?|charged|postage|expensive|pays?(?! (?:me|us|out)\b))\b/isu

/** A return is sent, too: "do I have to pay for shipping?" would be read as a question about deliveries. */
const RETURN: Facet = 'return'

const OF_COSTS =
  /\b(?:pay|paid|pays|costs?|fees?|free|charged?|charges|postage|shipping|expensive|label)\b/iu

const HAS_SUBJECT =
  /\b(?:deliver\p{L}*|express|orders?|refund\p{L}*|cancel\p{L}*|exchange\p{L}*|new one|account|card|paypal|invoice|receipt|address)\b/iu

const firstOf = <One, Found>(
  all: readonly One[],
  find: (one: One) => Found | null,
): Found | null => {
  for (const one of all) {
    const found = find(one)
    if (found !== null) return found
  }
  return null
}

/** Words that lead in to a question without being part of it. */
const LEAD_IN =
  /^\W*(?:(?:hang on|hold on|wait|ok|okay|so|and|but|hm+|oh|ah|great|fine|good|thanks|i see|alright|well|cool|yeah|one more thing|by the way|btw|also|just)\b[\s,.!:;-]+)+(?=\p{L})/iu

/** Questions about what has happened. */
const OF_THE_PAST =
  /^\W*(?:(?:and|so|but|ok|okay|well|hey|hi)[\s,]+)*(?:(?:did|have|has|was|were|had)\b|(?:who|when|where|how|which \p{L}+|what) (?:\p{L}+ )?(?:did|have|has|was|were|signed|took|accepted|cancelled|paid)\b)/iu

/** Words by which a question refers to what is open: "what happens if I do?" */
const REFERS = /\bif i (?:do|did|say|agree)\b|\b(?:it|that|this)\b/iu

/** Resumes the open plan with the new parameters, then the waiting requests. */
function goOn(
  settings: SupportSettings,
  state: SupportState,
  { open, params }: Extract<Work, { readonly do: 'go-on' }>,
): Turned {
  const known: OpenIntent = { ...open, params: { ...open.params, ...params } }
  if (isAbsent(params[open.param])) return stillAsked(settings, state, known)
  const execution = completed(open.execution, utc(state.at))
  const { hints: _, ...task } = resumedTask(known)
  return planTask(settings, taken(state), { ...task, execution, failedAsks: 0 })
}

/** An answer that narrows the choice is not one in vain: the question is asked for the rest. */
function stillAsked(settings: SupportSettings, state: SupportState, open: OpenIntent): Turned {
  if (open.hints === undefined) return askAgain(settings, state, open)
  const execution = completed(open.execution, utc(state.at))
  return planTask(settings, taken(state), { ...resumedTask(open), execution })
}

/** The customer confirmed: the rules are asked again, since time has passed. */
function confirmed(settings: SupportSettings, state: SupportState, open: OpenIntent): Turned {
  const isOffered =
    state.eligible.includes(open.intentId) && settings.registry.find(open.intentId) !== undefined
  if (!isOffered) return notUnderstood(settings, dropped(state, open))
  const execution = completed(open.execution, utc(state.at))
  const task: ActiveIntent = { ...resumedTask(open), execution, isConfirmed: true }
  return { state: { ...taken(state), phase: 'checking', task } }
}

/** Takes up the requests that waited behind the open plan. */
const taken = (state: SupportState): SupportState => ({
  ...state,
  queue: [
    ...state.queue,
    ...state.dialogue.queued.map((request) => ({ do: 'begin' as const, ...request })),
  ],
  dialogue: { ...state.dialogue, queued: [] },
})

/** Nothing is left to do: the question of the task that was interrupted last comes back. */
function resumed(state: SupportState): Turned {
  const { open, stack } = state.dialogue
  const [top, ...rest] = stack
  if (open !== null || top === undefined || state.dialogue.handedOver !== null) {
    return conclude(state)
  }
  const step = currentStep(top.execution)
  const dialogue = { ...state.dialogue, open: top, stack: rest }
  if (step === undefined || !isAskUser(step)) return conclude({ ...state, dialogue })
  const isBriefly = state.reading?.commands.every(({ type }) => type === 'small-talk') === true
  const prompt = isBriefly ? inShort(step.prompt) : step.prompt
  return conclude({
    ...answered({ ...state, dialogue }, prompt, 'asked'),
    executions: [...state.executions, top.execution],
  })
}

/** A question without what was said behind it. */
const inShort = (prompt: string): string =>
  prompt.includes('?') ? prompt.slice(0, prompt.lastIndexOf('?') + 1) : prompt
