import { CONFIRMATION } from '../../turn/dialogue.ts'
import { HAND_OVER } from '../../turn/hand-over.ts'
import { readAs, type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'

/** Whether the last answer offered a person. */
export const isPersonOffered = ({ context }: Lesson): boolean =>
  context.dialogue.choices.some(({ intentId }) => intentId === HAND_OVER)

const NO_MORE: ReadonlySet<string> = new Set(['ask-person', 'confirm', 'deny'])

/** "I don't want a colleague. What is the rule?": nobody comes, where one was offered or something is to be confirmed. */
export function withoutRefusedPerson(reading: Reading, text: string, lesson: Lesson): Reading {
  const isOffered = isPersonOffered(lesson)
  const isPerson = reading.commands.some(
    ({ type }) => type === 'ask-person' || (isOffered && type === 'confirm'),
  )
  const isAsked = isOffered || lesson.context.dialogue.open?.param === CONFIRMATION
  if (!isPerson || !isAsked || !(refusesPerson(text) || doubtsPerson(text))) return reading
  const rest = reading.commands.filter(({ type }) => !NO_MORE.has(type))
  return readAs([{ type: 'deny' }, ...rest], 'it wants no person')
}

const refusesPerson = (text: string): boolean =>
  /\b(?:no|not|never|without|don'?t (?:want|need|get|ask|bother)|do not (?:want|need|get|ask|bother)) (?:\p{L}+ ){0,2}?(?:colleagues?|person|people|human|agent|someone|somebody|anyone|anybody)\b/iu.test(
    text,
  ) && !/\b(?:not|no) (?:a )?(?:bot|robot|machine)\b/iu.test(text)

/** "A colleague won't help either", "a colleague? Then rather not", "your colleague said yes last time". */
const doubtsPerson = (text: string): boolean =>
  /\b(?:colleagues?|person|people|humans?|agents?|someone|somebody) (?:(?:won'?t|can'?t|cannot|wouldn'?t|couldn'?t|doesn'?t|isn'?t|never|will not|can not|told|promised|said)\b)|\b(?:colleagues?|person|human)\W+(?:\p{L}+ ){0,3}(?:rather|better|please) (?:not|no)\W*$/iu.test(
    text,
  )
