import type { Classifier } from 'echelon/internal/classify'
import { POSTAL as ADDRESS } from '../customer/address-text.ts'
import { withPlainItems } from '../customer/item-words.ts'
import { hesitates } from '../dialogue/veto.ts'
import type { Intent } from '../intent.ts'
import { foreignLanguage } from '../language/other-languages.ts'
import { CONFIRMATION } from '../turn/dialogue.ts'
import { HAND_OVER } from '../turn/hand-over.ts'
import { clausesOf, isRequest, requestSentences } from './clauses.ts'
import {
  type Command,
  isUnclear,
  lowest,
  NOT_UNDERSTOOD,
  readAs,
  type Reading,
  type StartTask,
} from './command.ts'
import {
  asksForDecision,
  asksForWaiting,
  directiveIn,
  isConditional,
  isHypothetical,
  wantsPersonToLook,
  withdrawsRequest,
} from './directives.ts'
import { asksUntilWhen } from './questions/until-when.ts'
import { followUp } from './afterwards/follow-ups.ts'
import { prospect } from './afterwards/prospects.ts'
import { followedUp } from './follow-up.ts'
import {
  type FurtherExamples,
  followUpClassifier,
  learnedClassifier,
  OR,
} from './learned-classifier.ts'
import { byRule, intentOf, type Lesson, openersByIntent, openersFor, SURE } from './lesson.ts'
import { asksAnew, isOnceMore } from './phrases.ts'
import {
  answeredOffer,
  beginsWithDecline,
  declinedAndAsked,
  leftAsItIs,
} from './replies/offered.ts'
import { picked } from './replies/pick-choice.ts'
import { asks, moneyPlace, partsOf, topicLabel } from './read-questions.ts'
import { answered, corrected, replied, repliedAndWished } from './read-reply.ts'
import { unlikely } from './read-unlikely.ts'
import { howToDoThat } from './questions/how-to-do-that.ts'
import { ofSending } from './questions/of-sending.ts'
import { ofOthers } from './orders-of-others.ts'
import { restrained } from './restraint.ts'
import { switched } from './switched.ts'
import { correctedParams, thingsIn, wishesOf } from './read-wishes.ts'
import type { Reader } from './reader.ts'
import { asksWhich, chosen } from './replies/chosen.ts'
import { keptForMoney } from './topics/kept-for-money.ts'
import { reportIn } from './topics/report.ts'
import { courteous, thankedAbroad, vented } from './courtesies.ts'
import { dismissed, remarked } from './remarks.ts'
import { readable, wholeValue } from './slots.ts'
import { smallTalkIn, withoutCourtesy } from './social.ts'
import { haggled } from './topics/haggling.ts'
import { placesOrder, withOwnWords } from './topics/own-words.ts'

/**
 * Trains the embedded reader, which needs no model, from the intents' examples. With those that come along the first message takes 1.6 s. The
 * same intents give the same reader. Trained models of the last few sets of examples are cached in the process.
 *
 * @param outOfScope messages outside all intents, so that the reader learns to reject them
 */
export function trainReader(
  intents: readonly Intent[],
  outOfScope: readonly string[] = [],
  further: FurtherExamples = {},
): Reader {
  const learned = learnedClassifier(intents, outOfScope, further)
  const afterwards = followUpClassifier(intents, further)
  const openers = openersByIntent(intents)
  return (text, context) => {
    const plain = (classifier: Pick<Classifier, 'classify'>): Pick<Classifier, 'classify'> => ({
      classify: (said) => classifier.classify(withPlainItems(said, context.itemWords)),
    })
    const followUps = afterwards === undefined ? undefined : plain(afterwards)
    const { topics = [] } = further
    const offering = topics.flatMap((topic) => (topic.offer ? [topicLabel(topic)] : []))
    const isOffering = (label: string): boolean => offering.includes(label)
    const likely = plain(learned)
    const classifier: typeof likely = {
      classify: (said) => withOwnWords(likely.classify(said), said, isOffering),
    }
    return read(readable(text).trim(), { classifier, followUps, openers, topics, context })
  }
}

function read(text: string, lesson: Lesson): Reading {
  if (!/[\p{L}\p{N}]/u.test(text)) return NOT_UNDERSTOOD
  const placed = addressAlone(text, lesson)
  if (placed !== null) return placed
  const thanked = thankedAbroad(text, lesson)
  if (thanked !== null) return thanked
  const language = givesValue(text, lesson) ? null : foreignLanguage(text)
  if (language !== null) {
    return readAs([{ type: 'other-language', language }], `it is written in ${language}`)
  }
  const taken = answeredOffer(text, lesson)
  const isYes = taken?.commands.some(({ type }) => type === 'confirm') === true
  if (taken !== null && (isYes || beginsWithDecline(text))) return taken
  const asked = declinedAndAsked(text, lesson)
  if (asked !== null) return readEnglish(asked, lesson)
  const reading = readEnglish(text, lesson)
  const isWeak = isUnclear(reading) || reading.confidence < SURE
  const follows = followUp(text, lesson, reading)
  if (follows !== null) return follows
  return withPersons(
    isWeak
      ? (remarked(text, lesson) ?? dismissed(text, lesson) ?? sociallyRead(text, lesson, reading))
      : reading,
  )
}

const sociallyRead = (text: string, lesson: Lesson, reading: Reading): Reading =>
  isUnclear(reading)
    ? (courteous(text, lesson) ??
      (thingsIn(text, lesson).length > 0 ? null : vented(text)) ??
      reading)
    : reading

/** Whether a text may be what was asked for: an address tells nothing of the language. */
function givesValue(text: string, lesson: Lesson): boolean {
  if (ADDRESS.test(text)) return true
  const { open } = lesson.context.dialogue
  const spec = open === null ? undefined : intentOf(lesson, open.intentId)?.params[open.param]
  return spec?.wholeAnswer === true && wholeValue(text, spec) !== null
}

/** An address with its postal code, and nothing else, where none was asked for: it says where to send something. */
function addressAlone(text: string, lesson: Lesson): Reading | null {
  const { open } = lesson.context.dialogue
  if (open !== null || !POSTAL.test(text.trim())) return null
  for (const { id, params } of lesson.context.intents) {
    const [found] = Object.entries(params).filter(([, { wholeAnswer }]) => wholeAnswer)
    const value = found === undefined ? null : wholeValue(text, found[1])
    if (found !== undefined && value !== null) {
      return readAs([byRule(id, { [found[0]]: value })], 'it is an address')
    }
  }
  return null
}

/** "8 Elm Court, Omaha, NE 68104". */
const POSTAL = /^\d[^.!?]{5,120},? [A-Z]{2},? \d{5}(?:-\d{4})?\.?$/u

const readEnglish = (text: string, lesson: Lesson): Reading =>
  // Try an answer first: a reason such as "I changed my mind" would otherwise be a refusal.
  answeredFromList(text, lesson) ??
  haggled(text, lesson) ??
  keptForMoney(text, lesson) ??
  asksWhich(text, lesson) ??
  chosen(text, lesson) ??
  picked(text, lesson) ??
  answeredOffer(text, lesson) ??
  leftAsItIs(text, lesson) ??
  withdrawn(text, lesson) ??
  restrained(text, lesson) ??
  replied(text, lesson) ??
  switched(text, lesson) ??
  ofOthers(text) ??
  directed(text, lesson) ??
  sociable(text, lesson) ??
  howToDoThat(text, lesson) ??
  prospect(text, lesson) ??
  corrected(text, lesson) ??
  repliedAndWished(text, lesson) ??
  hesitant(text, lesson) ??
  answered(text, lesson) ??
  onceMore(text, lesson) ??
  followedUp(text, lesson) ??
  moneyPlace(text) ??
  ofSending(text) ??
  placesOrder(text) ??
  wished(withoutWhatNow(withoutCourtesy(text)), lesson) ??
  toldAround(text, lesson) ??
  NOT_UNDERSTOOD

/** A request within a story: the sentences that ask for something, without an introduction. */
function toldAround(text: string, lesson: Lesson): Reading | null {
  const asking = requestSentences(text).replace(INTRODUCES, '')
  return asking === text || asking.trim() === '' ? null : wished(asking, lesson)
}

/** "Hello, my name is Daniel and …", "this is Grace." */
const INTRODUCES =
  /^\W*(?:(?:hi|hello|hey|good \p{L}+|dear \p{L}+)[\s,.!]+(?:there[\s,.!]+)?)*(?:my name is|this is|i am|i'm) \p{Lu}\p{L}*(?: \p{Lu}\p{L}*)?[\s,.!-]+(?:(?:here|and|from \p{L}+)[\s,.]+)*/u

/** The intent of a person has a command of its own. */
const withPersons = (reading: Reading): Reading => ({
  ...reading,
  commands: reading.commands.map((command): Command =>
    command.type === 'start-task' && command.intentId === HAND_OVER
      ? { type: 'ask-person', params: command.params }
      : command,
  ),
})

/** An answer from a closed list of values. */
function answeredFromList(text: string, lesson: Lesson): Reading | null {
  const { open } = lesson.context.dialogue
  const param = open?.param ?? null
  const spec =
    open === null || param === null ? undefined : intentOf(lesson, open.intentId)?.params[param]
  return spec === undefined || Object.keys(spec.values).length === 0 ? null : answered(text, lesson)
}

/** Takes back a request that waits for a person. */
function withdrawn(text: string, { context }: Lesson): Reading | null {
  const { blocked, open } = context.dialogue
  return blocked.length > 0 && open === null && withdrawsRequest(text)
    ? readAs([{ type: 'cancel-task' }], 'it takes back what waits')
    : null
}

/** A request about the conversation itself. */
function directed(text: string, { context }: Lesson): Reading | null {
  const command = directiveIn(text)
  if (command !== null) return readAs([command], `it is a request to ${command.type}`)
  const { blocked, open } = context.dialogue
  // While something waits for a person, words of one may ask for news of it.
  if (blocked.length === 0 && wantsPersonToLook(text)) {
    return readAs([{ type: 'ask-person', params: {} }], 'it wants a person to look at it')
  }
  const asks = asksForDecision(text) || (blocked.length > 0 && asksForWaiting(text))
  return asks && open === null ? readAs([{ type: 'ask-waiting' }], 'it asks what waits') : null
}

function sociable(text: string, { context }: Lesson): Reading | null {
  const kinds = smallTalkIn(text)
  const isReply =
    context.dialogue.open?.param === CONFIRMATION && /\b(?:yes|yeah|yep|no|nope)\b/iu.test(text)
  if (kinds.length === 0 || isReply) return null
  // "Thanks, bye": the last one says where it goes.
  const kind = kinds.includes('insult') ? 'insult' : (kinds.at(-1) ?? 'praise')
  return readAs([{ type: 'small-talk', kind }], `it is ${kind}`)
}

/** Neither yes nor no to the open confirmation. */
function hesitant(text: string, { context }: Lesson): Reading | null {
  if (context.dialogue.open?.param !== CONFIRMATION) return null
  if (hesitates(text)) {
    const questions = clausesOf(text).filter(asks).slice(0, 1)
    const asked = questions.map((question): Command => ({ type: 'ask-knowledge', question }))
    return readAs(asked.length > 0 ? asked : [{ type: 'wait' }], 'it hesitates')
  }
  return isConditional(text) && !text.includes('?') && !HOW_LONG.test(text)
    ? readAs([{ type: 'conditional' }], 'it depends on something')
    : null
}

/** "How many days until I have my money" depends on nothing. */
const HOW_LONG = /^\W*(?:(?:and|so|but|ok|okay)[\s,]+)*how (?:many|long|soon)\b/iu

/** "And O-2?", or only another order, after an answer: the same request for that one. */
function onceMore(text: string, lesson: Lesson): Reading | null {
  const { open, last } = lesson.context.dialogue
  const intent = last === null ? undefined : intentOf(lesson, last.intentId)
  if (open !== null || intent === undefined) return null
  const params = correctedParams(text, intent)
  if (!intent.requiredParams.some((param) => params[param] !== undefined)) return null
  const words = text.match(/\p{L}{2,}/gu) ?? []
  if (words.length > 6 || (words.length > 0 && !isOnceMore(text))) return null
  if (asksAnew(text)) return null
  const [first = ''] = words.map((word) => word.toLowerCase()).filter((word) => !isOnceMore(word))
  const commands = lesson.context.intents.some(({ id }) => openersFor(lesson, id).has(first))
  if (commands && !/^(?:about|how|what)$/u.test(first)) return null
  return readAs([byRule(intent.id, params)], 'the same of another')
}

function wished(text: string, lesson: Lesson): Reading | null {
  // Figures alone ask for nothing.
  if (!/\p{L}/u.test(text)) return null
  const { open } = lesson.context.dialogue
  const question: Command = { type: 'ask-knowledge', question: text }
  if (isHypothetical(text)) {
    // "If she doesn't like it, until when can it go back?" only asks something, which may be answered.
    const asked = wishesOf(requestSentences(text), lesson)
    const isHarmless = asked.length > 0 && !isActing(asked, lesson) && lowest(asked) >= SURE
    return isHarmless
      ? readAs(asked, 'it only asks', lowest(asked))
      : readAs([question], 'it asks what would be')
  }
  // "Cancel it, no sorry, I mean change its address": only the second is meant.
  const [, after = ''] = TAKES_BACK.exec(text) ?? []
  const meant = wishesOf(after, lesson)
  const [main] = meant
  if (
    main !== undefined &&
    lowest(meant) >= SURE &&
    isRequest(after, openersFor(lesson, main.intentId))
  ) {
    return readAs(meant, 'it corrects itself', lowest(meant))
  }
  const parts = partsOf(text, lesson)
  if (parts !== null) {
    const isPlain = parts.commands.every(
      (one) => one.type === 'ask-knowledge' && (one.offer ?? []).length === 0,
    )
    const report = open === null && isPlain ? reportIn(text, lesson, true) : null
    const commands = report === null ? parts.commands : [...parts.commands, report]
    return readAs(commands, 'it asks several things', parts.confidence)
  }
  const wishes = wishesOf(text, lesson)
  const [first, ...more] = wishes
  if (first === undefined) return storyIn(text, lesson) ?? unlikely(text, lesson)
  if (isActing([first], lesson) && asksUntilWhen(text)) {
    const rule = `until when can I ${first.intentId.replaceAll('_', ' ')}`
    return readAs([{ type: 'ask-knowledge', question: rule }], 'it asks until when')
  }
  if (isActing(wishes, lesson) && ASKS_WHAT.test(text)) {
    return readAs([question], 'it asks what the rules are')
  }
  if (isActing(wishes, lesson) && isConditional(text)) return onCondition(text, wishes, lesson)
  // Repeats the open request without anything new, so the question stays open.
  const repeats = open !== null && open.intentId === first.intentId && more.length === 0
  if (
    repeats &&
    Object.entries(first.params).every(([name, value]) => open.params[name] === value)
  ) {
    return asks(text)
      ? readAs([question], 'it asks about what is open')
      : { ...NOT_UNDERSTOOD, reasoning: 'it says nothing new' }
  }
  const names = wishes.map(({ intentId }) => intentId).join(', ')
  const reading = readAs(wishes, `it reads like ${names}`, lowest(wishes))
  const alternatives = secondOf(text, lesson)
  return alternatives.length === 0 ? reading : { ...reading, alternatives }
}

/** What depends on something is not done; before the confirmation of a refund, a question asks what the rules allow. */
function onCondition(text: string, wishes: readonly StartTask[], lesson: Lesson): Reading {
  const { open } = lesson.context.dialogue
  const isOfOpen = open?.param === CONFIRMATION && open.intentId === wishes[0]?.intentId
  if (isOfOpen && text.includes('?') && open.intentId === REFUND) {
    const question: Command = { type: 'ask-knowledge', question: WHEN_REFUNDED }
    return readAs([question], 'it asks what the rules allow')
  }
  const harmless = wishes.filter((wish) => !isActing([wish], lesson))
  return readAs([...harmless, { type: 'conditional' }], 'it depends on something')
}

const REFUND = 'refund'
const WHEN_REFUNDED = 'in which cases can I get my money back'

/** A clear request in one sentence of a story that is about many things. */
function storyIn(text: string, lesson: Lesson): Reading | null {
  const asking = requestSentences(text)
  const wishes = asking === text ? [] : wishesOf(asking, lesson)
  return wishes.length > 0 && lowest(wishes) >= SURE
    ? readAs(wishes, 'one sentence asks for it', lowest(wishes))
    : null
}

/** The intents of the second likeliest label. */
const secondOf = (text: string, { classifier, context }: Lesson): readonly string[] =>
  classifier
    .classify(text)
    .next?.split(OR)
    .filter((id) => context.intents.some((one) => one.id === id)) ?? []

/** A correction within a message, and what is meant instead. */
const TAKES_BACK =
  /^.{3,}?(?:\b(?:no|oh|wait|sorry|oops|ah|hang on|hold on|actually)\b[\s,.!-]+(?:(?:no|sorry|wait|actually|rather|i mean|i meant)\b[\s,.!-]+)+|\b(?:scratch that|i mean|i meant|correction|or rather)\b[\s,.!:-]+)(.{5,})$/isu

/** "What's your refund time?" asks for no refund. */
const ASKS_WHAT =
  /^\W*(?:(?:ok|okay|and|so|hi|hello|hey|but)[\s,]+)*what(?:'?s| is| are)\s+(?:your|ur)\b/iu

/** "The shoes are too small, what now?" asks what a report of it asks. */
const WHAT_NOW =
  /[,.;!?-]+\s*(?:and |so |but )?(?:what now|now what|what (?:can|should|could|shall|do|would) (?:i|we|you)(?: \p{L}+)? (?:do|suggest|propose)(?: now| about (?:it|that|this))?|any (?:ideas?|suggestions?))\s*[?!.]*\s*$/iu

function withoutWhatNow(text: string): string {
  const rest = text.slice(0, 1_000).replace(WHAT_NOW, '')
  return text.length <= 1_000 && rest.split(/\s+/).length > 2 ? rest : text
}

/** Whether any of the requests would change something. */
const isActing = (wishes: readonly StartTask[], lesson: Lesson): boolean =>
  wishes.some(({ intentId }) => intentOf(lesson, intentId)?.confirm === true)
