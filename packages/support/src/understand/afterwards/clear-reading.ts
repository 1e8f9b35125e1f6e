import { clausesOf } from '../clauses.ts'
import { type Command, isUnclear, type Reading, tasksOf } from '../command.ts'
import { intentOf, type Lesson, SURE } from '../lesson.ts'
import { asks } from '../read-questions.ts'
import { thingsIn } from '../read-wishes.ts'
import type { FollowUp } from './kinds.ts'
import { wasDenied } from './may-follow.ts'

/** Confidence at which another reading is clear by itself. */
export const CERTAIN = 0.8

/** Whether a message holds a request that is clear by itself. */
export function isClear(text: string, reading: Reading, about: FollowUp, lesson: Lesson): boolean {
  if (isUnclear(reading)) return false
  // "It was ordered only yesterday", after a refusal, asks for no state; "where is the other one" does.
  const isObjecting = about === 'why' && wasDenied(lesson)
  const isAsked = clausesOf(text).some(
    (clause) => asks(clause) && lesson.followUps?.classify(clause).label !== about,
  )
  if (isObjecting && isAsked && tasksOf(reading).length > 0) return reading.confidence >= SURE
  return (
    reading.confidence >= CERTAIN &&
    reading.commands.some(
      (command) =>
        isOwn(command, { about, isNear: isObjecting || isOfDone(about, text, lesson) }, lesson) &&
        // "And the other one stays, right?" means no other one.
        (command.type !== 'correct-slots' || !text.includes('?')),
    )
  )
}

/** Right after something was done, without a thing of an order: "when do I have it?" */
export function isOfDone(about: FollowUp, text: string, lesson: Lesson): boolean {
  const { done, last } = lesson.context.dialogue
  const isJust = done !== null && done.intentId === last?.intentId
  return isJust && OF_DONE.has(about) && thingsIn(text, lesson).length === 0
}

/** Kinds that rather are about what was just done. */
export const OF_DONE: ReadonlySet<FollowUp> = new Set<FollowUp>([
  'money_when',
  'send_back',
  'untouched',
])

interface Against {
  readonly about: FollowUp
  /** Whether it rather is about what was just said or done than about the state of an order. */
  readonly isNear: boolean
}

function isOwn(command: Command, { about, isNear }: Against, lesson: Lesson): boolean {
  switch (command.type) {
    case 'ask-person':
    case 'correct-slots':
    case 'other-language':
      return true
    case 'small-talk':
      // "Is anybody there today?" is not a greeting while a colleague has to decide.
      return command.kind !== 'capabilities' && about !== 'decision_when'
    case 'undo':
      return about !== 'reopen'
    case 'start-task':
      return !isNear || intentOf(lesson, command.intentId)?.confirm === true
    case 'ask-done':
    case 'ask-knowledge':
    case 'ask-options':
    case 'ask-waiting':
    case 'cancel-task':
    case 'conditional':
    case 'confirm':
    case 'deny':
    case 'follow-up':
    case 'go-back':
    case 'remark':
    case 'repeat':
    case 'set-slots':
    case 'unclear':
    case 'wait':
      return false
  }
}
