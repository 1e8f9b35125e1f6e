import { sameJson } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { mergedParams, ORDER } from '../customer/resolve-order.ts'
import {
  CONFIRMATION,
  type Dialogue,
  type OpenIntent,
  type QueuedIntent,
} from '../turn/dialogue.ts'
import { HAND_OVER } from '../turn/hand-over.ts'
import type { Command } from '../understand/command.ts'
import { replacedBy } from './replaced.ts'
import { doubtOfYes } from './veto.ts'
import type { Applied, Saying, Work } from './work.ts'

/** A message's commands, with what is known of the request of each. */
export interface Said {
  /** The customer's words: the veto on confirmations reads them itself. */
  readonly text: string
  readonly commands: readonly TaskCommand[]
  /** Whether an intent only reads, so that it may interrupt anything. */
  readonly isReading: (intentId: string) => boolean
}

/** A command, whose request may carry hints at its order, and what it asks of it. */
export type TaskCommand = Command & Pick<QueuedIntent, 'hints' | 'asks'>

/** More tasks are not interrupted: the oldest is given up. */
const MOST_STACKED = 3

/**
 * Applies the commands of a message to the stack of tasks. Pure, and the only place that decides what a message
 * does, whichever reader read it.
 */
export function applyCommands(dialogue: Dialogue, said: Said): Applied {
  // A question before a choice leaves it open, as does who hesitates.
  const isLeftOpen =
    said.commands.every((command) => asksOnly(command, said)) && !declinesPerson(dialogue, said)
  const start: Applied = {
    open: dialogue.open,
    stack: dialogue.stack,
    choices: isLeftOpen ? dialogue.choices : [],
    canceled: [],
    withdrawn: [],
    work: [],
  }
  const applied = said.commands.reduce(
    (standing, command) => apply(standing, command, { ...said, dialogue }),
    start,
  )
  // Who only gains time knows what was offered.
  const isHeld = said.commands.every((one) => one.type === 'wait' && one.for !== undefined)
  const isOffered = isLeftOpen && !isHeld && dialogue.choices.length > 0 && dialogue.open === null
  return withoutIdle(isOffered ? adding(applied, { do: 'offer-again' }) : applied)
}

/** "No, just tell me when it comes": the colleague who was offered is not offered again. */
const declinesPerson = ({ choices }: Dialogue, { text }: Said): boolean =>
  BEGINS_WITH_NO.test(text) && choices.every(({ intentId }) => intentId === HAND_OVER)

const BEGINS_WITH_NO = /^\W*(?:(?:ok|okay|well|oh|hm+)[\s,.!]+)*(?:no|nope|nah)\b/iu

/** Whether a command only wants to know something, or hesitates. */
function asksOnly(command: TaskCommand, { isReading }: Said): boolean {
  if (command.type === 'start-task') return isReading(command.intentId)
  return ['ask-knowledge', 'wait', 'ask-waiting', 'repeat'].includes(command.type)
}

interface Around extends Said {
  readonly dialogue: Dialogue
}

function apply(standing: Applied, command: TaskCommand, around: Around): Applied {
  switch (command.type) {
    case 'start-task':
      return begun(standing, command, around)
    case 'ask-person':
      return handedOn(standing, command.params)
    case 'set-slots':
      return answered(standing, command.params, command.hints)
    case 'correct-slots':
      return corrected(standing, command, around)
    case 'confirm':
      return confirmed(standing, { ...around, text: command.said ?? around.text })
    case 'deny':
      return denied(standing, around)
    case 'cancel-task':
      return standing.open === null ? withdrawn(standing, around) : dropped(standing)
    case 'go-back':
      return goneBack(standing)
    case 'undo':
      // Nothing has been done yet of what is open, so leaving it undoes it.
      return standing.open?.param === CONFIRMATION
        ? dropped(standing)
        : said(standing, { about: 'undo' })
    case 'remark':
      return said(standing, { about: 'noted' })
    case 'wait':
      return said(standing, { about: command.for === 'value' ? 'wrong' : 'hold' })
    case 'repeat':
      return said(standing, { about: 'repeat' })
    case 'ask-waiting':
      return said(standing, { about: 'waiting' })
    case 'follow-up':
      // It is resolved before, with the state of the conversation.
      return unclear(standing, [])
    case 'ask-options':
      return adding(interrupted(standing), optionsOf(command))
    case 'ask-done':
      return said(standing, { about: 'only-done' })
    case 'conditional':
      return command.isOfPerson === true
        ? offering(said(standing, { about: 'later-person' }), HAND_OVER)
        : said(standing, { about: 'conditional' })
    case 'small-talk':
      return said(
        command.kind === 'goodbye' && standing.open?.param === ORDER
          ? abandoned(standing)
          : standing,
        { about: 'small-talk', kind: command.kind },
      )
    case 'other-language':
      return offering(said(standing, { about: 'language', language: command.language }), HAND_OVER)
    case 'ask-knowledge':
      return adding(interrupted(standing), {
        do: 'look-up',
        question: command.question,
        ...(command.isBeyond && { isBeyond: true }),
        ...(command.offer && { offer: command.offer }),
      })
    case 'unclear':
      return unclear(standing, command.readings, command.isReport)
  }
}

const optionsOf = ({
  order,
  requests,
}: Extract<Command, { readonly type: 'ask-options' }>): Work => ({
  do: 'weigh',
  left: requests,
  weighed: [],
  answers: { kind: 'options', order },
})

const adding = (standing: Applied, ...work: readonly Work[]): Applied => ({
  ...standing,
  work: [...standing.work, ...work],
})

const said = (standing: Applied, saying: Saying): Applied =>
  adding(interrupted(standing), { do: 'say', saying })

/** A yes to what was said begins this, unless a question is open. */
const offering = (standing: Applied, intentId: string): Applied =>
  standing.stack.length > 0 ? standing : { ...standing, choices: [{ intentId, params: {} }] }

/** Puts the open task onto the stack: its question comes back after what interrupts it. */
function interrupted(standing: Applied): Applied {
  const { open, stack } = standing
  if (open === null) return standing
  const kept = [open, ...stack]
  const given = kept.slice(MOST_STACKED)
  return {
    ...standing,
    open: null,
    stack: kept.slice(0, MOST_STACKED),
    canceled: [...standing.canceled, ...given],
  }
}

const abandoned = (standing: Applied): Applied =>
  standing.open === null
    ? standing
    : { ...standing, open: null, canceled: [...standing.canceled, standing.open] }

function begun(
  standing: Applied,
  { intentId, params, hints, asks, wonders }: QueuedIntent,
  { isReading }: Around,
): Applied {
  const { open } = standing
  const request: Work = {
    do: 'begin',
    intentId,
    params,
    ...(hints && { hints }),
    ...(asks && { asks }),
    ...(wonders && { wonders }),
  }
  if (open === null) return adding(standing, request)
  if (wonders !== undefined) return adding(interrupted(standing), request)
  if (open.intentId === intentId && isReading(intentId) === isReading(open.intentId)) {
    return answered(standing, params, hints)
  }
  // A question about an order that was only looked for is left behind by the next request.
  const isDigression =
    !isReading(open.intentId) &&
    (isReading(intentId) || (open.param === CONFIRMATION && isOfOther(open, params)))
  return adding(isDigression ? interrupted(standing) : abandoned(standing), request)
}

/** Whether a request is about another order than the open one, which therefore stays. */
const isOfOther = ({ params: own }: OpenIntent, params: JsonObject): boolean =>
  typeof params[ORDER] === 'string' && params[ORDER] !== own[ORDER]

/** A request for a person drops all other tasks: that person takes care of them. */
function handedOn(standing: Applied, params: JsonObject): Applied {
  const { stack, canceled } = standing
  const rest = abandoned(standing)
  return adding(
    {
      ...rest,
      stack: [],
      canceled: [...rest.canceled, ...stack.filter((one) => !canceled.includes(one))],
    },
    { do: 'begin', intentId: HAND_OVER, params },
  )
}

/**
 * Naming the requested value answers the question. If this changes a plan to be confirmed, the confirmation is
 * asked again.
 */
function answered(standing: Applied, params: JsonObject, hints: QueuedIntent['hints']): Applied {
  const { open } = standing
  if (open === null) return unclear(standing, [])
  const rest = { ...standing, open: null }
  if (open.param !== CONFIRMATION) {
    const waiting = hints === undefined ? open : { ...open, hints }
    return adding(rest, { do: 'go-on', open: waiting, params })
  }
  if (!hasNews(open, params)) return adding(rest, { do: 'ask-again', open })
  return begunAnew(standing, open, mergedParams(open.params, params))
}

const hasNews = ({ params: own }: OpenIntent, params: JsonObject): boolean =>
  Object.entries(params).some(([name, value]) => !sameJson(own[name], value))

const begunAnew = (standing: Applied, { intentId }: QueuedIntent, params: JsonObject): Applied =>
  adding(abandoned(standing), { do: 'begin', intentId, params })

/**
 * Applies a correction to earlier values. If it gives no new value, the value is asked for: a correction that
 * names nothing takes back all values.
 */
function corrected(
  standing: Applied,
  { intentId, params, hints }: QueuedIntent,
  { dialogue }: Around,
): Applied {
  const about: QueuedIntent | null = standing.open ?? dialogue.last
  const isSame = about?.intentId === intentId
  const kept = isSame && Object.keys(params).length > 0 ? about.params : {}
  const request: Work = {
    do: 'begin',
    intentId,
    params: mergedParams(kept, params),
    ...(hints && { hints }),
  }
  return adding(abandoned(standing), request)
}

function confirmed(standing: Applied, { text, dialogue }: Around): Applied {
  const { open } = standing
  const [choice, ...others] = dialogue.choices
  if (open === null && choice !== undefined && others.length === 0) {
    // A yes with a doubt agrees to nothing yet: it is confirmed.
    const { agreed, ...plain } = choice
    const isAgreed = agreed !== undefined && doubtOfYes(text) === null
    return isAgreed
      ? adding(replacing(standing, dialogue, choice), { do: 'begin', ...choice })
      : adding(standing, { do: 'begin', ...plain })
  }
  if (open === null && choice === undefined) return said(standing, { about: 'nothing-asked' })
  if (open === null)
    return unclear(
      standing,
      dialogue.choices.map(({ intentId }) => intentId),
    )
  // Whatever a reader says, only the words of the customer make a yes.
  const doubt = doubtOfYes(text)
  if (doubt === 'negated') return denied(standing, { text, dialogue })
  if (doubt === 'hesitant') return said(standing, { about: 'hold' })
  const rest = { ...standing, open: null }
  if (open.param === CONFIRMATION) {
    return adding(replacing(rest, dialogue, open), { do: 'confirmed', open })
  }
  const suggested = open.hints?.suggested
  return suggested === undefined
    ? adding(rest, { do: 'ask-again', open })
    : adding(rest, { do: 'go-on', open, params: { [open.param]: suggested } })
}

/** Takes back what waits for a person, and in whose place something is confirmed, which said so. */
function replacing(standing: Applied, dialogue: Dialogue, by: QueuedIntent): Applied {
  const replaced = replacedBy(dialogue, by)
  return replaced.length === 0
    ? standing
    : adding(
        { ...standing, withdrawn: [...standing.withdrawn, ...replaced] },
        { do: 'say', saying: { about: 'replaced' } },
      )
}

function denied(standing: Applied, { dialogue }: Pick<Around, 'text' | 'dialogue'>): Applied {
  const { open } = standing
  if (open === null) {
    return said(standing, { about: dialogue.choices.length > 0 ? 'dropped' : 'idle' })
  }
  if (open.param === CONFIRMATION) return dropped(standing)
  const { hints, ...plain } = open
  const isSuggestion = hints?.suggested !== undefined
  return isSuggestion
    ? adding({ ...standing, open: null }, { do: 'go-on', open: plain, params: {} })
    : adding({ ...standing, open: null }, { do: 'ask-again', open })
}

/** Takes back what was passed on to a person last, if nothing else is open. */
function withdrawn(standing: Applied, { dialogue }: Around): Applied {
  const last = dialogue.blocked.at(-1)
  if (last === undefined) return said(standing, { about: 'idle' })
  return said({ ...standing, withdrawn: [last] }, { about: 'withdrawn' })
}

const dropped = (standing: Applied): Applied =>
  adding(abandoned(standing), { do: 'say', saying: { about: 'dropped' } })

/** Takes back the last value of the open task, and asks for it again. */
function goneBack(standing: Applied): Applied {
  const { open } = standing
  if (open === null) return said(standing, { about: 'repeat' })
  const given = Object.keys(open.params).filter((name) => name !== open.param)
  const last = given.at(-1)
  if (last === undefined) return dropped(standing)
  const params = Object.fromEntries(Object.entries(open.params).filter(([name]) => name !== last))
  return begunAnew(standing, open, params)
}

const unclear = (standing: Applied, readings: readonly string[], isReport?: true): Applied =>
  standing.open === null
    ? adding(standing, { do: 'not-understood', readings, ...(isReport && { isReport }) })
    : adding({ ...standing, open: null }, { do: 'ask-again', open: standing.open })

/** "All right, I'll leave it" goes without saying where something else was asked for. */
function withoutIdle(applied: Applied): Applied {
  const isAsked = applied.work.some(
    (one) =>
      one.do === 'begin' ||
      one.do === 'look-up' ||
      (one.do === 'say' && one.saying.about === 'withdrawn'),
  )
  const work = applied.work.filter(
    (one) => !(isAsked && one.do === 'say' && one.saying.about === 'dropped'),
  )
  return { ...applied, work }
}
