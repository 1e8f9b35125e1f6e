import { nameOfIntent } from '../../intent.ts'
import type { QueuedIntent } from '../../turn/dialogue.ts'
import { HAND_OVER } from '../../turn/hand-over.ts'
import { hesitates } from '../../dialogue/veto.ts'
import { type Command, readAs, type Reading } from '../command.ts'
import { isConditional } from '../directives.ts'
import { intentOf, LEAST, type Lesson, SURE } from '../lesson.ts'
import { isOfDocuments } from '../read-questions.ts'
import { correctedParams } from '../read-wishes.ts'
import { ASKS_ABOUT } from './chosen.ts'
import { declinesOffer } from './offered.ts'
import { placeIn } from './places.ts'
import { isPick } from './asked.ts'
import { WHICH } from './which.ts'

/** Longer texts tell more than which of two things is wanted. */
const MOST_CHARACTERS = 160

/** One of the intents that the last answer offered. */
export function picked(text: string, lesson: Lesson): Reading | null {
  const { choices, open } = lesson.context.dialogue
  // One thing alone that was offered is agreed to, not picked.
  if (choices.length < 2 || open !== null || text.length > MOST_CHARACTERS) return null
  if (declinesOffer(text)) return readAs([{ type: 'deny' }], 'it wants none of what was offered')
  if (WHICH.test(text)) return explained(choices)
  if (hesitates(text) || isConditional(text)) return null
  const { label, confidence } = lesson.classifier.classify(text)
  const isAsked = isOfDocuments(label) && confidence >= SURE
  if (text.includes('?') && (isAsked || ASKS_ABOUT.test(text))) return null
  const place = placeIn(text, choices.length)
  const named = place === -1 ? byTopic(text, choices) : place
  const worded = named === -1 ? byWords(text, lesson) : named
  const isLabel = worded === -1 && confidence >= LEAST && isPick(text, lesson)
  const choice = isLabel ? choices.find(({ intentId }) => intentId === label) : choices[worded]
  if (choice === undefined) return null
  const intent = intentOf(lesson, choice.intentId)
  const said = intent === undefined ? {} : correctedParams(text, intent)
  const task = {
    type: 'start-task',
    confidence: 0.95,
    ...choice,
    params: { ...choice.params, ...said },
  } as const
  return readAs([task], 'it picks what was offered')
}

/** What differs is looked up, and the choice is offered again. */
function explained(choices: readonly QueuedIntent[]): Reading {
  const readings = choices.map(({ intentId }) => intentId)
  const names = readings.filter((id) => id !== HAND_OVER).map((id) => id.replaceAll('_', ' '))
  const question = `what is the difference between a ${names.join(' and a ')}`
  const commands: readonly Command[] = [
    { type: 'ask-knowledge', question },
    { type: 'unclear', readings },
  ]
  return readAs(commands, 'it asks which is better')
}

const THING = '(?:it|them|this|that|these|those|both|(?:the|my) \\p{L}+(?: \\p{L}+)?)'

/** The words for what an intent does, by the word for it in its name. */
const TOPICS: ReadonlyMap<string, RegExp> = new Map([
  [
    'refund',
    new RegExp(
      `\\b(?:money|cash|refund\\p{L}*|reimburs\\p{L}*|paid back|pay (?:me )?back|dollars?|bucks)\\b|\\$\\s?\\d|\\b\\d+\\.\\d{2}\\b|\\b(?:get|have|want|like|need|give me|gimme) (?:${THING}|all|everything|half|(?:all|half|some) of (?:it|that)|the (?:full|whole) (?:amount|price|sum|thing)|\\d+) back\\b|^\\W*(?:all|everything|all of it|half of it|the (?:full|whole) (?:amount|price|sum)) back\\b|\\b(?:full|whole) (?:amount|price|sum)\\b|^\\W*(?:(?:yes|yeah|ok|okay|just|only|the)[\\s,]+)*\\d+(?:\\.\\d+)?(?: (?:please|back|is fine))*\\W*$`,
      'iu',
    ),
  ],
  [
    'return',
    new RegExp(
      `\\b(?:return\\p{L}*)\\b(?! (?:me |of )?(?:the|my) (?:money|cash|amount))|\\b(?:send|sending|sent|ship|mail|post|take|bring|give|giving) (?:${THING} )?back\\b(?! (?:the|my) money)|\\b(?:label|drop (?:${THING}) off|pick (?:${THING}) up|goes back|go back)\\b`,
      'iu',
    ),
  ],
  ['cancel', /\bcancel\p{L}*\b|\bcall it off\b/iu],
  ['address', /\baddress\b/iu],
  ['status', /\b(?:where|track\p{L}*|status|when)\b/iu],
  ['hand', /\b(?:colleague|person|human|someone|somebody|agent|supervisor|manager)\b/iu],
])

/** What is not wanted, is asked for by itself, or is about the way to the money. */
const UNWANTED =
  /\bto (?:sending|returning|mailing|shipping|posting)\b[^,.;!?]*|(?:\bnot|n't|\bdont|\bwithout|\bthan|\bover (?=the|my|a)|\binstead of|\bno need|\bnever)\b[^,.;!?]*|[^.!?]*\?|\b(?:give|send|pay) me (?=(?:the|my|back)? ?(?:money|cash))/giu

/** The choice whose topic a text names; -1 for none or several. */
function byTopic(text: string, choices: readonly QueuedIntent[]): number {
  const wanted = text.replaceAll(UNWANTED, ' ')
  const found = choices.flatMap(({ intentId }, at) => {
    const topic = intentId.split('_').find((word) => TOPICS.has(word))
    const words = topic === undefined ? undefined : TOPICS.get(topic)
    return words?.test(wanted) === true ? [at] : []
  })
  const [only = -1] = found
  return found.length === 1 ? only : -1
}

/** Longer texts use the words of a choice for something else. */
const MOST_WORDS = 8

/** The choice that the words of a short text name; -1 for none. */
function byWords(text: string, lesson: Lesson): number {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length > MOST_WORDS || text.includes('?')) return -1
  const { intents, dialogue } = lesson.context
  const { choices } = dialogue
  const scores = choices.map(({ intentId }) => {
    // A person comes only for words of one.
    if (intentId === HAND_OVER) return 0
    const intent = intents.find(({ id }) => id === intentId)
    const name = intent === undefined ? '' : nameOfIntent(intent).toLowerCase()
    const own = intentId.split('_')
    return words.filter((word) => own.includes(word) || (word.length > 3 && name.includes(word)))
      .length
  })
  const best = Math.max(0, ...scores)
  return best > 0 && scores.filter((score) => score === best).length === 1
    ? scores.indexOf(best)
    : -1
}
