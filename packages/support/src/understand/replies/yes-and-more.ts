import type { JsonObject } from 'echelon/runtime'
import { ORDER } from '../../customer/resolve-order.ts'
import { doubtOfYes } from '../../dialogue/veto.ts'
import { isRequest } from '../clauses.ts'
import { type Command, readAs, type Reading } from '../command.ts'
import { byRule, intentOf, LEAST, type Lesson, openersFor } from '../lesson.ts'
import { requestsIn } from '../read-questions.ts'
import { correctedParams, thingsIn } from '../read-wishes.ts'
import { ofSendingBack } from '../readings/of-documents.ts'
import { onceArrived } from '../readings/once-arrived.ts'
import { agrees } from './agrees.ts'
import type { Asked } from './asked.ts'
import { askedOfSubject } from './of-subject.ts'
import { isStory } from './remarks-beside.ts'
import { piecesOf } from './said-and-asked.ts'

/** A yes, what is asked with it, and what is wished besides; no yes if anything in it speaks against it. */
export function agreed(
  said: string,
  question: string,
  asked: Asked,
  lesson: Lesson,
): Reading | null {
  if (DOUBTS.test(question)) return readAs([{ type: 'wait' }], 'it asks whether it should')
  const pieces = piecesOf(said)
  const wishes = pieces.map(({ text, isAdded }, at) =>
    at > 0 && isAdded ? wishedIn(text, lesson) : [],
  )
  const limits = pieces.some(({ text }, at) => (wishes[at] ?? []).length > 0 && isLimit(text))
  if (limits) return null
  const own = pieces.filter((_, at) => wishes[at]?.length === 0).map(({ text }) => text)
  if (own.length === 0 || !agrees(own.join(', '), asked)) return null
  if (doubtOfYes(own.join(', ')) !== null) return null
  const more = [...wishes.flat(), ...(question === '' ? [] : asking(question, lesson))]
  const plain = own.filter((piece) => !isStory(piece))
  return readAs([{ type: 'confirm', said: plain.join(', ') }, ...more], 'it says yes')
}

/** A question that doubts what is agreed to. */
const DOUBTS =
  /^\W*or\b|^\W*(?:but |and )?should i\b(?! (?:send|put|wait|expect|pack|write))|\bis (?:it|that) (?:wise|a yes|better)\b|\bor not\b/iu

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
  if (!isAsked) return []
  const { open, choices } = lesson.context.dialogue
  const asked = open ?? choices[0]
  const found = requestsIn(piece, lesson)
  const { label, confidence } = lesson.classifier.classify(piece)
  const likely = confidence >= LEAST ? intentOf(lesson, label ?? '') : undefined
  const tasks =
    found.length === 0 && likely !== undefined
      ? [byRule(likely.id, correctedParams(piece, likely))].map((task) => ({
          ...task,
          said: piece,
        }))
      : found
  return tasks.filter(
    (one) =>
      one.type === 'ask-knowledge' ||
      (one.type === 'start-task' &&
        (one.intentId !== asked?.intentId || isOfOtherOrder(one.params, asked.params))),
  )
}

const AND = /^(?:and|also|then|plus|so|but)\s+/iu

const isOfOtherOrder = (said: JsonObject, own: JsonObject): boolean =>
  said[ORDER] !== undefined && said[ORDER] !== own[ORDER]

/** What a question asks: a request, or else the documents. */
function asking(question: string, lesson: Lesson): readonly Command[] {
  const subject = askedOfSubject(question, lesson)
  if (subject !== null) return [subject]
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
