import type { Classifier } from 'echelon/internal/classify'
import { POSTAL as ADDRESS } from '../customer/address-text.ts'
import { withPlainItems } from '../customer/item-words.ts'
import type { Intent } from '../intent.ts'
import { foreignLanguage } from '../language/other-languages.ts'
import { CONFIRMATION } from '../turn/dialogue.ts'
import { HAND_OVER } from '../turn/hand-over.ts'
import { followUp } from './afterwards/follow-ups.ts'
import { needsNoPerson, releasesPerson } from './afterwards/no-person.ts'
import { type Command, isUnclear, NOT_UNDERSTOOD, readAs, type Reading } from './command.ts'
import { courteous, thankedAbroad, vented } from './courtesies.ts'
import {
  type FurtherExamples,
  followUpClassifier,
  learnedClassifier,
  replyClassifier,
} from './learned-classifier.ts'
import { intentOf, type Lesson, openersByIntent, SURE } from './lesson.ts'
import { topicLabel } from './read-questions.ts'
import { thingsIn } from './read-wishes.ts'
import type { Reader } from './reader.ts'
import { addressAlone } from './readings/address-alone.ts'
import { isConditional, wantsPersonToLook } from './directives.ts'
import { withdrawnWhileAsked } from './readings/conversation.ts'
import { readEnglish } from './readings/english.ts'
import { isNoYes, onlyAsks } from './replies/asked.ts'
import { repliedTo } from './replies/reply.ts'
import { isPersonOffered, withoutRefusedPerson } from './replies/refused-person.ts'
import { switched } from './switched.ts'
import { dismissed, remarked } from './remarks.ts'
import { answeredOffer, beginsWithDecline, declinedAndAsked } from './replies/offered.ts'
import { subjectsIn } from './replies/plain-reply.ts'
import { saidAndAsked } from './replies/said-and-asked.ts'
import { askedOfSubject, wantedBeside } from './replies/of-subject.ts'
import { readable, wholeValue } from './slots.ts'
import { ofAccount } from './topics/account-help.ts'
import { ofCharges } from './topics/charges.ts'
import { withOwnWords } from './topics/own-words.ts'
import { prefersThing } from './topics/prefers-thing.ts'

/**
 * Trains the embedded reader, which needs no model, from the intents' examples. For those that come along it takes the
 * classifiers that were trained on them before. The same intents give the same reader. Trained models of the last few
 * sets of examples are cached in the process.
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
  const replies = replyClassifier(intents, further)
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
    return read(readable(text).trim(), { classifier, followUps, replies, openers, topics, context })
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
  const taken = releasesPerson(text, lesson) ?? withdrawnWhileAsked(text, lesson)
  if (taken !== null) return taken
  const reply = switched(text, lesson) ?? repliedTo(text, lesson, readOn)
  return withoutRefusedPerson(
    reply === null ? guarded(readOn(text, lesson), text, lesson) : withPersons(text, reply),
    text,
    lesson,
  )
}

function readOn(text: string, lesson: Lesson): Reading {
  const charged = ofCharges(text, lesson) ?? ofAccount(text, lesson) ?? prefersThing(text, lesson)
  if (charged !== null) return charged
  const taken = answeredOffer(text, lesson)
  const isYes = taken?.commands.some(({ type }) => type === 'confirm') === true
  if (taken !== null && !isYes && beginsWithDecline(text)) {
    // "No thanks, I just want to know whether I have to do anything."
    const asked = askedOfSubject(text, lesson)
    if (asked.length > 0) return readAs([DECLINED, ...asked], 'it declines, and asks')
  }
  const wanted = taken === null || isYes ? [] : wantedBeside(text, lesson)
  if (wanted.length > 0) {
    return readAs([DECLINED, ...wanted], 'it declines, and wants to know something')
  }
  if (taken !== null && (isYes || beginsWithDecline(text))) return taken
  const asked = declinedAndAsked(text, lesson)
  if (asked !== null) return declining(readEnglish(asked, lesson))
  const reading = readEnglish(text, lesson)
  const isWeak = isUnclear(reading) || reading.confidence < SURE
  const isNo = reading.commands.every(({ type }) => type === 'deny')
  const besides = isNo ? askedOfSubject(text, lesson) : []
  if (besides.length > 0) return readAs([DECLINED, ...besides], 'it declines, and asks')
  const follows = followUp(text, lesson, reading)
  if (follows !== null) return follows
  return withPersons(
    text,
    isWeak
      ? (remarked(text, lesson) ?? dismissed(text, lesson) ?? sociallyRead(text, lesson, reading))
      : reading,
  )
}

/** What was offered is not offered again behind what is asked. */
const DECLINED: Command = { type: 'deny' }

const declining = (reading: Reading): Reading =>
  isUnclear(reading) ? reading : { ...reading, commands: [DECLINED, ...reading.commands] }

/** Takes back a yes, or a wish for a person, where the reply to what is open is learned to be something else. */
function guarded(reading: Reading, text: string, lesson: Lesson): Reading {
  const isYes = reading.commands.some(({ type }) => type === 'confirm')
  if (isYes && isNoYes(text, lesson)) return NOT_UNDERSTOOD
  const isPerson = reading.commands.some(({ type }) => type === 'ask-person')
  if (isPerson && needsNoPerson(text, lesson)) {
    return readAs([DECLINED], 'it needs no person')
  }
  // "What would your colleague do about that?", where something is to be confirmed, wants no person in its place.
  const isOpen = lesson.context.dialogue.open?.param === CONFIRMATION
  if (!isPerson || !(isOpen || isPersonOffered(lesson))) return reading
  const isChosen = subjectsIn(saidAndAsked(text).said).includes('hand')
  if (!isChosen && onlyAsks(text, lesson) && !wantsPersonToLook(text) && !isToTalk(text)) {
    return readAs([{ type: 'ask-knowledge', question: text }], 'it asks about the colleague')
  }
  // "Only if it's a real person", where a colleague was offered.
  return isNoYes(text, lesson) && isConditional(text)
    ? readAs([{ type: 'wait' }], 'it depends on something')
    : reading
}

/** Who is to be talked to is wanted. */
const isToTalk = (text: string): boolean =>
  /\b(?:talk|speak|chat|writ(?:e|ing)|call|phone|contact|connect|transfer|reach|(?:get|give|put) me)\b/iu.test(
    text,
  )

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

/** The intent of a person has a command of its own; under a condition, nobody comes yet. */
const withPersons = (text: string, reading: Reading): Reading => ({
  ...reading,
  commands: reading.commands.map((command): Command => {
    const isPerson =
      command.type === 'ask-person' ||
      (command.type === 'start-task' && command.intentId === HAND_OVER)
    if (!isPerson) return command
    return IF_LATER.test(text) && isConditional(text)
      ? { type: 'conditional', isOfPerson: true }
      : { type: 'ask-person', params: command.params }
  }),
})

/** "If it isn't there on Monday, can someone look into it?" */
const IF_LATER =
  /\b(?:if|in case|should) (?:it|they|that|the|my|this|nothing|nobody)\b[^.!?]{0,60}\b(?:not|n't|still|never|nothing|late|lost|doesn'?t|isn'?t|hasn'?t|by|until|till|on|tomorrow)\b/iu
