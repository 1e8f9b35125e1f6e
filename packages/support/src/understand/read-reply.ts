import type { JsonObject } from 'echelon/runtime'
import {
  CONFIRMATION,
  type Dialogue,
  type OpenIntent,
  type QueuedIntent,
} from '../turn/dialogue.ts'
import { doubtOfYes, threatens } from '../dialogue/veto.ts'
import { HAND_OVER } from '../turn/hand-over.ts'
import type { Intent } from '../intent.ts'
import type { Message } from '../message.ts'
import { isBareCommand, isRefused, isRequest } from './clauses.ts'
import { type Command, lowest, readAs, type Reading, type StartTask, tasksOf } from './command.ts'
import { intentOf, type Lesson, openersFor, SURE } from './lesson.ts'
import {
  afterReply,
  endsWithNo,
  hintsAtCorrection,
  isCorrection,
  leavesIt,
  meansOther,
  namesOther,
  type Reply,
  replyOf,
} from './phrases.ts'
import { asks, asksAnywhere, isOfDocuments, requestsIn } from './read-questions.ts'
import { correctedParams, thingsIn, turnOf, wishesOf } from './read-wishes.ts'
import { askedOfSubject } from './replies/of-subject.ts'
import { mentionsOf, wholeValue } from './slots.ts'

/** Longer texts are not replies to a question. */
const MOST_IN_CORRECTION = 200

/** The command that a reply stands for. */
const REPLIES: Readonly<Record<Reply, Command>> = {
  yes: { type: 'confirm' },
  no: { type: 'deny' },
  drop: { type: 'cancel-task' },
}

/** A plain yes, no or never mind. */
export function replied(text: string, { context }: Lesson): Reading | null {
  const { open } = context.dialogue
  if (open === null && takesColleague(text, context.dialogue)) {
    return readAs([REPLIES.yes], 'it says yes to a colleague')
  }
  const reply = replyOf(text) ?? (open === null && endsWithNo(text) ? 'no' : null)
  if (reply === null) return null
  // "Ok, never mind" ends what was spoken of, and takes back nothing that waits for a person.
  if (open === null && leavesIt(text)) return readAs([REPLIES.no], 'it wants nothing more')
  // Where nothing is open, a yes agrees to nothing, and "cancel this" is a request.
  const isIdle = reply === 'no' || (reply === 'drop' && !/cancel/iu.test(text))
  if (open === null && !isIdle && !isOffered(text, context.dialogue)) return null
  return readAs([REPLIES[reply]], `it says ${reply}`)
}

/** Whether a yes agrees to something: to a person only a plain one does, since "ok" is most often no more than that. */
function isOffered(text: string, { choices }: Dialogue): boolean {
  const [first] = choices
  if (first === undefined || THANKS.test(text)) return false
  return first.intentId !== HAND_OVER || choices.length > 1 || PLAIN_YES.test(text)
}

/** "Yes, ask one please", where nothing but a colleague was offered. */
function takesColleague(text: string, { choices }: Dialogue): boolean {
  const [first, ...others] = choices
  return (
    first?.intentId === HAND_OVER &&
    others.length === 0 &&
    STARTS_WITH_YES.test(text) &&
    text.split(/\s+/u).length <= MOST_IN_YES &&
    !text.includes('?') &&
    !/\d/u.test(text) &&
    doubtOfYes(text) === null
  )
}

const STARTS_WITH_YES =
  /^\W*(?:yes|yeah|yep|yup|sure)\b[\s,.!]*(?:please\b[\s,.!]*)?(?:ask|get|call|do|bring|find|let|have)\b/iu
const MOST_IN_YES = 8

const THANKS = /\b(?:great|perfect|cool|ok|okay|fine|good)\W+(?:thanks|thank you|thx)\b/iu

const PLAIN_YES =
  /^\W*(?:(?:ok|okay)\W+)?(?:yes|yeah|yea|yep|yup|ya|sure|please|do (?:it|so|that)|go ahead|ja|oui|s[iíì]|sim|da|claro|gerne|of course|absolutely|definitely|i would|would be (?:great|good|nice))(?!\p{L})/iu

/** "Never mind, where is O-1?", "no, cancel it", "yes, and where is O-2?". */
export function repliedAndWished(text: string, lesson: Lesson): Reading | null {
  if (lesson.context.dialogue.open === null) return null
  const split = afterReply(text)
  if (split === null) return null
  const { reply, isPause, rest } = split
  // "No, the old address is fine" gives the reason, and asks for nothing.
  if (reply !== 'yes' && !isPause && STAYS.test(rest)) return readAs([REPLIES[reply]], 'it stays')
  const subject = askedOfSubject(rest, lesson)
  const wishes = subject.length === 0 ? requestsIn(rest, lesson) : subject
  if (wishes.length === 0 || givesValue(rest, wishes, lesson)) return null
  const sure = lowest(tasksOf({ commands: wishes }))
  if (isPause) {
    // "Hold on, make that 5 Elm Court" may correct a value, and asks nothing.
    const isPlain = wishes.every(({ type }) => type === 'ask-knowledge') && !asks(rest)
    return isPlain ? null : readAs(wishes, 'it asks something first', sure)
  }
  if (reply !== 'yes') {
    // "No, refund it": the open one is given up.
    const commands = [REPLIES[reply], ...wishes]
    return readAs(commands, 'something else instead', sure)
  }
  // Text after a yes may be a condition, so only a plain addition counts.
  if (!/^(?:and|also|then)\b/iu.test(rest)) return null
  const yes: Command =
    LIMITS.test(rest) || threatens(text)
      ? REPLIES.yes
      : { type: 'confirm', said: text.slice(0, -rest.length) }
  return readAs([yes, ...wishes], 'it says yes, and asks for more', sure)
}

/** "No. Make it 20 dollars": another value of what is open, which asks nothing. */
function givesValue(text: string, wishes: readonly Command[], lesson: Lesson): boolean {
  const intent = intentOf(lesson, lesson.context.dialogue.open?.intentId ?? '')
  const isAsked = wishes.every(({ type }) => type === 'ask-knowledge') && !asksAnywhere(text)
  return isAsked && intent !== undefined && Object.keys(correctedParams(text, intent)).length > 0
}

/** What is left as it is. */
const STAYS =
  /^(?:(?:the|my|this|that) (?:\p{L}+ ){0,2}\p{L}+|it|that) (?:is|was|are) (?:\p{L}+ )?(?:fine|ok|okay|good|right|correct|all right|alright|enough)(?: (?:as it is|then|after all|really))?\W*$/iu

/** Words by which what follows a yes may limit it. */
const LIMITS =
  /\b(?:only|but|unless|if|except|not|never|without|until|before|first|instead|rather|once|provided|half|part)\b|n't\b/iu

/** "No, the other order", "I meant O-2", "not that one". */
export function corrected(text: string, lesson: Lesson): Reading | null {
  const { open, last } = lesson.context.dialogue
  const target = open ?? last
  const intent = target === null ? undefined : intentOf(lesson, target.intentId)
  if (target === null || intent === undefined || text.length > MOST_IN_CORRECTION) return null
  if (!hintsAtCorrection(text) || turnsElsewhere(text, target, lesson)) return null
  // "And the other one, can I add a mug to it?" asks the rules.
  if (asksRules(text, lesson)) return null
  const strong = isCorrection(text)
  const said = { ...correctedParams(text, intent), ...newWholeAnswer(text, intent) }
  const news = Object.fromEntries(
    Object.entries(said).filter(
      ([param, value]) =>
        target.params[param] !== value && (strong || intent.requiredParams.includes(param)),
    ),
  )
  if (Object.keys(news).length > 0) return correction(intent, news, 'it gives another value')
  if (!strong) return null
  // "Not that one" means no order that only an answer named before.
  const isOwn = open?.param === CONFIRMATION && !namesOther(text)
  const { history } = lesson.context
  const before = isOwn ? history.filter(({ role }) => role === 'user') : history
  const other = meansOther(text) ? otherValues(target, intent, before) : {}
  return correction(intent, other, 'it means another than before')
}

function asksRules(text: string, { classifier }: Lesson): boolean {
  const { label, confidence } = classifier.classify(text)
  return asksAnywhere(text) && isOfDocuments(label) && confidence >= SURE
}

const correction = (intent: Intent, params: JsonObject, reasoning: string): Reading =>
  readAs([{ type: 'correct-slots', intentId: intent.id, params }], reasoning)

/** Previously named values, if only one remains besides the rejected one. */
function otherValues(
  target: QueuedIntent,
  intent: Intent,
  history: readonly Message[],
): JsonObject {
  const texts = history.slice(-50).map(({ text }) => text)
  const named = texts.flatMap((text) => mentionsOf(text.slice(0, 2_000), intent))
  const found = intent.requiredParams.flatMap((param) => {
    if (intent.params[param]?.wholeAnswer === true) return []
    const values = new Set(named.flatMap((each) => (each.param === param ? [each.value] : [])))
    // If nothing is settled yet, any of the named values may be meant.
    const rest = [...values].filter((value) => value !== target.params[param])
    return target.params[param] !== undefined && rest.length === 1
      ? [[param, rest[0] ?? ''] as const]
      : []
  })
  return Object.fromEntries(found)
}

/** The answer to the open question, and any requests after it. */
export function answered(text: string, lesson: Lesson): Reading | null {
  const { open } = lesson.context.dialogue
  const intent = open === null ? undefined : intentOf(lesson, open.intentId)
  if (open === null || intent === undefined) return null
  if (open.param === CONFIRMATION) return confirmed(text, open, { intent, lesson })
  const turn = turnOf(text, intent.id, lesson)
  const own = text
    .slice(0, turn)
    .replace(/[\s,.;]*(?:\b(?:and|also|then|please|plus|but)\b\s*)*$/iu, '')
  const params = answerOf(own, open.param, intent)
  if (params === null || turnsElsewhere(own, open, lesson)) return null
  const more = turn < text.length ? wishesOf(text.slice(turn), lesson) : []
  const sure: readonly StartTask[] = more.filter(({ confidence }) => confidence >= SURE)
  return readAs([{ type: 'set-slots', params }, ...sure], 'it answers the question', lowest(sure))
}

function answerOf(text: string, param: string, intent: Intent): JsonObject | null {
  const said = correctedParams(text, askedFirst(intent, param))
  const whole = wholeAnswer(text, param, intent)
  if (whole !== null) return { ...said, [param]: whole }
  return said[param] === undefined ? null : said
}

/** Of several parameters of one form, such as two dates, the one that was asked for is meant. */
const askedFirst = (intent: Intent, param: string): Intent => ({
  ...intent,
  requiredParams: [param, ...intent.requiredParams.filter((name) => name !== param)],
})

function wholeAnswer(text: string, param: string, intent: Intent): string | null {
  const spec = intent.params[param]
  const free =
    spec === undefined || (spec.pattern === null && Object.keys(spec.values).length === 0)
  // Another parameter may be given along with it: "O-1, to 5 Main St".
  const plain = mentionsOf(text, intent).some((mention) => mention.param === param)
  if (!(spec?.wholeAnswer ?? true) || (!free && plain)) return null
  // "Hmm wait, it's 14 Elm Court" gives only what comes behind.
  const [, rest = text] = spec?.wholeAnswer === true ? (CORRECTS.exec(text) ?? []) : []
  return wholeValue(rest, spec)
}

function confirmed(
  text: string,
  open: OpenIntent,
  { intent, lesson }: { readonly intent: Intent; readonly lesson: Lesson },
): Reading | null {
  if (turnsElsewhere(text, open, lesson)) return null
  const said = { ...correctedParams(text, intent), ...newWholeAnswer(text, intent) }
  const isChange = CHANGES.test(text) && !text.includes('?')
  const news = Object.entries(said).filter(
    ([param, value]) =>
      (isChange || intent.requiredParams.includes(param)) && open.params[param] !== value,
  )
  if (news.length > 0) {
    return correction(intent, Object.fromEntries(news), 'it gives another value')
  }
  const same = sameWholeAnswer(text, open, intent)
  if (same !== null) return correction(intent, same, 'it gives the same value once more')
  if (agreesInWords(text, open, lesson)) return readAs([REPLIES.yes], 'it says yes, and to what')
  const act = confirmationOf(text, open, openersFor(lesson, intent.id))
  // "Yes. And stop it, so that I don't get it twice" refuses nothing.
  if (act === null || (act === 'no' && afterReply(text)?.reply === 'yes')) return null
  return readAs([REPLIES[act]], `it says ${act} in the words of the question`)
}

/** "Alright, please proceed with the refund", "okay then just the cash": a yes, and what is open in other words. */
function agreesInWords(text: string, { intentId }: OpenIntent, lesson: Lesson): boolean {
  const last = text.split(/(?<=[.!])\s+/u).at(-1) ?? ''
  const [, rest = ''] = YES_FIRST.exec(last) ?? YES_LAST.exec(text) ?? []
  if (rest === '' || text.includes('?') || doubtOfYes(text) !== null) return false
  // "Ok, refund the mug" may mean less than what is open.
  if (thingsIn(text, lesson).length > 0 || /\d|\b(?:one|two|both|all|half)\b/iu.test(text))
    return false
  const { label, confidence } = lesson.classifier.classify(rest)
  return label === intentId && confidence >= SURE
}

const YES_FIRST =
  /^\W*(?:yes|yeah|yep|yup|ok|okay|sure|fine|alright|all right|right|please|perfect|great|good)\b[\s,!.-]*(?:then\b[\s,]*)?(.{3,60})$/iu

const YES_LAST = /^(.{3,60}?)[\s,.!-]+(?:yes|yeah|yep|yup)(?: please)?\W*$/iu

/** "Make it 12.50", "only 10", or the value alone. */
const CHANGES =
  /\b(?:make (?:it|that)|only|just|instead|rather|no|nope|actually|sorry|should be|i (?:want|meant|said)|change (?:it|that|the amount) to|better|let'?s say|say)\b|^\W*[$€£]?\d[\d.,]*\W*(?:dollars?|bucks|usd)?\W*$/iu

/** "Sorry, 6 Main St": another value of a parameter that may be anything. */
function newWholeAnswer(text: string, intent: Intent): JsonObject {
  const [, rest = ''] = CORRECTS.exec(text) ?? []
  const [param] = intent.requiredParams.filter((name) => intent.params[name]?.wholeAnswer === true)
  if (param === undefined) return {}
  const value = wholeValue(rest === '' ? text : rest, intent.params[param])
  return value === null || SENTENCE.test(value) ? {} : { [param]: value }
}

/** "No, it's just 5 Main St", where just that is to be confirmed: it refuses nothing. */
function sameWholeAnswer(text: string, { params }: OpenIntent, intent: Intent): JsonObject | null {
  const said = newWholeAnswer(text, intent)
  const [[param, value] = []] = Object.entries(said)
  const isSame = param !== undefined && params[param] === value && !REFUSES.test(text)
  return isSame && replyOf(afterReply(text)?.rest ?? text) === null ? said : null
}

const REFUSES = /\b(?:not|never|stop|cancel\p{L}*|leave)\b|n['’]t\b|\bdont\b/iu

const CORRECTS =
  /^\W*(?:(?:oh|oops|hmm+|hm|um+|uh+|well|so|hang on|hold on|ah|sorry|no|nope|wait|thanks|thank you|ok|okay|but|and|please|actually|i mean|i meant|rather|correction|make (?:it|that)|(?:the|my|our) (?:\p{L}+ )?address (?:is|should be|must be|would be)|just|only|simply|it'?s|it is|it should be|should be|change (?:it|that) to|send (?:it|them) to|(?:she|he|they) lives? at|to|not that|my mistake|my bad|wrong|typo)[\s,.!:-]+)+(.+)$/isu

/** What no address is. */
const SENTENCE =
  /\b(?:cancel|refund|return|order|where|what|when|how|why|please|you|i'?m|don'?t|not|is|are|wait|no|hmm+|oops|sorry|it'?s|that'?s|meant|actually)\b|\?/iu

/** "Refund it", or "I don't want a refund", as the answer to a confirmation. */
function confirmationOf(
  text: string,
  { intentId, params }: OpenIntent,
  openers: ReadonlySet<string>,
): 'yes' | 'no' | null {
  if (text.includes('?')) return null
  if (isRefused(text, openers)) return 'no'
  const [verb = ''] = intentId.split('_')
  const values = Object.values(params).filter((value) => typeof value === 'string')
  return openers.has(verb) && isBareCommand(text, verb, values) ? 'yes' : null
}

/** Introductory words before a request. */
const LEAD_IN =
  /^(?:\P{L}*(?:no|nope|yes|yeah|actually|sorry|wait|oh|well|ok|okay|sure|and|but|also|i meant?|rather|please|then|just)\b)+[\s,.!-]*/iu

/** Whether a text asks for something other than the open question's intent. */
function turnsElsewhere(text: string, target: QueuedIntent, lesson: Lesson): boolean {
  const wishes = wishesOf(text, lesson)
  return wishes.some(
    ({ intentId, confidence }) =>
      intentId !== target.intentId &&
      confidence >= SURE &&
      isRequest(text.replace(LEAD_IN, ''), openersFor(lesson, intentId)),
  )
}
