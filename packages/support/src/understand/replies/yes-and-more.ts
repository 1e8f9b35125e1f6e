import type { JsonObject } from 'echelon/runtime'
import { ORDER } from '../../customer/resolve-order.ts'
import { doubtOfYes } from '../../dialogue/veto.ts'
import { isRequest } from '../clauses.ts'
import { type Command, readAs, type Reading } from '../command.ts'
import { byRule, intentOf, LEAST, type Lesson, openersFor } from '../lesson.ts'
import { replyOf } from '../phrases.ts'
import { CANCELLED_MONEY, newOneOf } from '../questions/standard.ts'
import { requestsIn } from '../read-questions.ts'
import { correctedParams, thingsIn } from '../read-wishes.ts'
import { ofSendingBack } from '../readings/of-documents.ts'
import { onceArrived } from '../readings/once-arrived.ts'
import { agrees, isStrong, isWeak } from './agrees.ts'
import type { Asked } from './asked.ts'
import { askedOfSubject } from './of-subject.ts'
import { subjectsIn } from './plain-reply.ts'
import { askedOfPlan } from './taken-up/asked-of-plan.ts'
import { wantsNewOne } from './taken-up/preferred.ts'
import { leadsIn } from './taken-up/yes-first.ts'
import { isStory, tellsOfIt } from './remarks-beside.ts'
import { type Piece, piecesOf } from './said-and-asked.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** A yes, what is asked with it, and what is wished besides; no yes if anything in it speaks against it. */
export function agreed(
  said: string,
  question: string,
  asked: Asked,
  lesson: Lesson,
): Reading | null {
  if (DOUBTS.test(question)) return readAs([{ type: 'wait' }], 'it asks whether it should')
  if (leadsIn(said, question)) {
    return readAs(asking(question, asked, lesson), 'it asks before it agrees')
  }
  const pieces = withPurpose(piecesOf(said))
  const wishes = pieces.map(({ text, isAdded }, at) =>
    at > 0 && isAdded ? (knownWish(text, asked) ?? wishedIn(text, lesson)) : [],
  )
  const limits = pieces.some(
    ({ text }, at) => (wishes[at] ?? []).length > 0 && !stopsParcel(text, asked) && isLimit(text),
  )
  if (limits) return null
  const own = pieces.filter((_, at) => wishes[at]?.length === 0).map(({ text }) => text)
  const but = own.find((piece) => adds(piece, asked))
  // "Yes, but gift-wrap it" wants more than what was asked.
  if (but !== undefined && agrees(own.join(', '), asked)) {
    return readAs(asking(but.replace(BUT, ''), asked, lesson), 'it says yes, but')
  }
  if (own.length === 0) return null
  // "Please, show me my orders" asks for that, and agrees to nothing.
  if (own.every((piece) => PLEADS.test(piece)) && wishes.some((found) => found.length > 0)) {
    return readAs(wishes.flat(), 'it asks for something else')
  }
  // "Ok, and until when can I return it?" goes on without the colleague who was offered.
  if (isElsewhere(own, question, asked)) {
    return readAs(asking(question, asked, lesson), 'it asks something else')
  }
  const elsewhere = asked.about === 'hand' ? wishInPlace(own, lesson) : []
  if (elsewhere.length > 0) return readAs(elsewhere, 'it wants something else than a colleague')
  if (!agrees(own.join(', '), asked)) return null
  if (doubtOfYes(own.join(', ')) !== null) return null
  const more = [
    ...wishes.flat(),
    ...(question === ''
      ? []
      : stopsParcel(question, asked)
        ? lookUp(SECTIONS.stopping)
        : asking(question, asked, lesson)),
  ]
  const plain = own.filter((piece) => !isStory(piece))
  return readAs([{ type: 'confirm', said: plain.join(', ') }, ...more], 'it says yes')
}

/** Whether a courtesy leads to a question about another thing, or one that an offered colleague has no part in. */
function isElsewhere(own: readonly string[], question: string, { about }: Asked): boolean {
  if (question === '') return false
  const said = own.join(', ')
  if (isWeak(said) && OF_ANOTHER.test(question)) return true
  const agreesToOffer = isStrong(said) || subjectsIn(said).includes('hand')
  const isOfPerson = subjectsIn(question).includes('hand') || OF_PERSON.test(question)
  return about === 'hand' && !agreesToOffer && !isOfPerson
}

/** "Please give me the number, so that I can ask them", where only a colleague was offered: no word of it is a yes. */
function wishInPlace(own: readonly string[], lesson: Lesson): readonly Command[] {
  const said = own.join(', ')
  const isYes = own.some((piece) => replyOf(piece) === 'yes')
  if (isYes || subjectsIn(said).includes('hand') || OF_PERSON.test(said)) return []
  return requestsIn(said, lesson).filter(({ type }) => type === 'start-task')
}

const OF_ANOTHER = /^\W*(?:(?:and|but|so)\s+)?(?:what|how) about (?:my|the|our)\b/iu

const OF_PERSON =
  /\b(?:they|them|he|she|him|her|person|human|agent|someone|somebody|answers?|repl(?:y|ies)|calls?|writes?|hear|reach\p{L}*|hours|how long|how soon|wait)\b/iu

const PLEADS = /^\W*(?:please|pls|plz)\W*$/iu

/** What a wish is for belongs to it: "and cancel the parcel, so I don't get two". */
const withPurpose = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.filter(({ text }, at) => at < 2 || !PURPOSE.test(text))

const PURPOSE = /^so (?:that )?(?:i|we|it|they|he|she|my|there|nobody|nothing)\b/iu

const BUT = /^\W*(?:but|though|only)\s+(?:please\s+)?/iu
const HURRIES = /\b(?:hurry|quick\p{L}*|fast|soon|asap|now|next time|sorry|thanks?|thank you)\b/iu

/** Whether a piece wants something besides that nothing here was asked about. */
function adds(piece: string, { about }: Asked): boolean {
  if (!/^\W*but\b/iu.test(piece)) return false
  const rest = piece.replace(BUT, '')
  const isTold = isStory(rest) || tellsOfIt(rest) || HURRIES.test(rest) || replyOf(rest) === 'yes'
  return (
    !isTold &&
    !subjectsIn(rest).includes(about) &&
    !/^(?:yes|yeah|yep|ok|okay|sure|do|go)\b/iu.test(rest)
  )
}

const lookUp = (question: string): readonly Command[] => [{ type: 'ask-knowledge', question }]

/** A wish besides whose answer the documents give, whatever its words. */
function knownWish(piece: string, { about }: Asked): readonly Command[] | null {
  if (stopsParcel(piece, { about })) return lookUp(SECTIONS.stopping)
  if (about === 'return' && /\b(?:send|give|get|mail|need|email)\b.*\blabel\b/iu.test(piece))
    return lookUp(SECTIONS.returnCost)
  const subjects = subjectsIn(piece)
  if (about === 'cancel' && subjects.length === 1 && subjects[0] === 'refund') {
    return lookUp(CANCELLED_MONEY)
  }
  return wantsNewOne(piece) ? lookUp(newOneOf(piece)) : null
}

/** Whether a parcel is to be stopped whose money is given back. */
const stopsParcel = (piece: string, { about }: Pick<Asked, 'about'>): boolean =>
  about === 'refund' && STOPS_PARCEL.test(piece)

const STOPS_PARCEL =
  /\b(?:stop|cancel|call back|recall|hold back|intercept|turn around)\b (?:the |my |that |this |its |any )?(?:parcels?|packages?|deliver(?:y|ies)|shipments?|shipping|sending|orders?|it|that|transport)\b/iu

/** A question that doubts what is agreed to. */
const DOUBTS =
  /^\W*or\b|^\W*(?:but |and )?should i\b(?! (?:send|put|wait|expect|pack|write|throw|bin|dispose|recycle|discard|keep|do (?:any|some)thing|do with))|\bis (?:it|that) (?:wise|a yes|better)\b|\bor not\b/iu

/** Whether what is wished besides limits the yes. */
const isLimit = (piece: string): boolean =>
  doubtOfYes(piece.replace(/^(?:and |but |so )?(?:after|before) that\b|\balso\b/iu, ' ')) !== null

/** Requests besides what is open: more than a thing that is named. */
function wishedIn(said: string, lesson: Lesson): readonly Command[] {
  const piece = said
    .replace(AND, '')
    .replace(AND, '')
    .replace(/\balso\s+/iu, '')
  const isAsked = lesson.context.intents.some(({ id }) => isRequest(piece, openersFor(lesson, id)))
  if (!isAsked || replyOf(piece) === 'yes') return []
  const { open, choices } = lesson.context.dialogue
  const asked = open ?? choices[0]
  // "And refund the backpack too" is another request of the same kind, whose thing only that piece names.
  const isMore = TOO.test(said) && thingsIn(piece, lesson).length > 0
  const found = requestsIn(piece, lesson)
  const { label, confidence } = lesson.classifier.classify(piece)
  const likely = confidence >= LEAST ? intentOf(lesson, label ?? '') : undefined
  const tasks =
    found.length === 0 && likely !== undefined
      ? [byRule(likely.id, correctedParams(piece, likely))].map((task) => ({
          ...task,
          said: piece,
        }))
      : found.map((one) => (isMore && one.type === 'start-task' ? { ...one, said: piece } : one))
  return tasks.filter(
    (one) =>
      one.type === 'ask-knowledge' ||
      (one.type === 'start-task' &&
        (one.intentId !== asked?.intentId || isOfOtherOrder(one.params, asked.params) || isMore)),
  )
}

const TOO = /\b(?:too|also|as well)\b/iu

const AND = /^(?:and|also|then|plus|so|but)\s+/iu

const isOfOtherOrder = (said: JsonObject, own: JsonObject): boolean =>
  said[ORDER] !== undefined && said[ORDER] !== own[ORDER]

/** What a question asks: a request, or else the documents. */
function asking(question: string, asked: Asked, lesson: Lesson): readonly Command[] {
  const ofPlan = askedOfPlan(question, asked, lesson)
  if (ofPlan !== null) return [ofPlan]
  const subject = askedOfSubject(question, lesson)
  if (subject.length > 0) return subject
  const own = onceArrived(question, lesson) ?? ofSendingBack(question, lesson)
  if (own !== null) return own.commands
  const state = stateOfThing(question, lesson)
  if (state !== null) return [state]
  const found = requestsIn(question, lesson)
  return found.length > 0 ? found : [{ type: 'ask-knowledge', question }]
}

/** "And the backpack?" asks for its state. */
function stateOfThing(question: string, lesson: Lesson): Command | null {
  if (!ONLY_NAMES.test(question) || thingsIn(question, lesson).length === 0) return null
  const tells = lesson.context.intents.find(
    ({ confirm, requiredParams }) => !confirm && requiredParams.includes(ORDER),
  )
  return tells === undefined ? null : { ...byRule(tells.id, {}), said: question }
}

const ONLY_NAMES =
  /^\W*(?:(?:and|what about|how about|also)\s+)+(?:(?:the|my)\s+)?\p{L}+(?:\s\p{L}+)?\W*$/iu
