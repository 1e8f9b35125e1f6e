import type { JsonObject } from 'echelon/runtime'
import { CONFIRMATION, type OpenIntent, type QueuedIntent } from '../turn/dialogue.ts'
import type { Intent } from '../intent.ts'
import { isBareCommand, isRefused, isRequest } from './clauses.ts'
import { BY_RULE, byRule, intentOf, type Lesson, openersFor, SURE } from './lesson.ts'
import { afterReply, hintsAtCorrection, isCorrection, meansOther, replyOf } from './phrases.ts'
import { correctedParams, turnOf, wishesOf } from './read-wishes.ts'
import { mentionsOf, wholeValue } from './slots.ts'
import type { Understanding, Wish } from './understanding.ts'

/** Longer texts are not replies to a question. */
const MOST_IN_CORRECTION = 200

/** A plain yes, no or never mind. */
export function replied(text: string, { context }: Lesson): Understanding | null {
  const reply = replyOf(text)
  if (reply === null) return null
  const { open } = context.dialogue
  if (open === null && !(reply === 'drop' && /never ?mind|forget/iu.test(text))) return null
  return { act: reply, wishes: [], confidence: BY_RULE, reasoning: `it says ${reply}` }
}

/** "Never mind, where is O-1?", "no, cancel it", "yes, and where is O-2?". */
export function repliedAndWished(text: string, lesson: Lesson): Understanding | null {
  if (lesson.context.dialogue.open === null) return null
  const split = afterReply(text)
  if (split === null) return null
  const { reply, rest } = split
  const wishes = wishesOf(rest, lesson).filter(({ confidence }) => confidence >= SURE)
  if (wishes.length === 0) return null
  const confidence = leastOf(wishes)
  if (reply !== 'yes')
    return { act: 'wish', wishes, confidence, reasoning: 'something else instead' }
  // Text after a yes may be a condition, so only a plain addition counts.
  return /^(?:and|also|then)\b/iu.test(rest)
    ? { act: 'yes', wishes, confidence, reasoning: 'it says yes, and asks for more' }
    : null
}

/** "No, the other order", "I meant O-2", "not that one". */
export function corrected(text: string, lesson: Lesson): Understanding | null {
  const { open, last } = lesson.context.dialogue
  const target = open ?? last
  const intent = target === null ? undefined : intentOf(lesson, target.intentId)
  if (target === null || intent === undefined || text.length > MOST_IN_CORRECTION) return null
  if (!hintsAtCorrection(text) || turnsElsewhere(text, target, lesson)) return null
  const strong = isCorrection(text)
  const said = correctedParams(text, intent)
  const news = Object.fromEntries(
    Object.entries(said).filter(
      ([param, value]) =>
        target.params[param] !== value && (strong || intent.requiredParams.includes(param)),
    ),
  )
  if (Object.keys(news).length > 0) return correction(intent, news, 'it gives another value')
  if (!strong) return null
  const other = meansOther(text) ? otherValues(target, intent, lesson) : {}
  return correction(intent, other, 'it means another than before')
}

const correction = (intent: Intent, params: JsonObject, reasoning: string): Understanding => ({
  act: 'correct',
  wishes: [byRule(intent.id, params)],
  confidence: BY_RULE,
  reasoning,
})

/** Previously named values, if only one remains besides the rejected one. */
function otherValues(target: QueuedIntent, intent: Intent, { context }: Lesson): JsonObject {
  const texts = context.history.slice(-50).map(({ text }) => text)
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
export function answered(text: string, lesson: Lesson): Understanding | null {
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
  const wishes = [byRule(intent.id, params), ...more.filter(({ confidence }) => confidence >= SURE)]
  const reasoning = 'it answers the question'
  return { act: 'answer', wishes, confidence: leastOf(wishes), reasoning }
}

function answerOf(text: string, param: string, intent: Intent): JsonObject | null {
  const said = correctedParams(text, intent)
  const whole = wholeAnswer(text, param, intent)
  if (whole !== null) return { ...said, [param]: whole }
  return said[param] === undefined ? null : said
}

function wholeAnswer(text: string, param: string, intent: Intent): string | null {
  const spec = intent.params[param]
  const free =
    spec === undefined || (spec.pattern === null && Object.keys(spec.values).length === 0)
  // Another parameter may be given along with it: "O-1, to 5 Main St".
  const plain = mentionsOf(text, intent).some((mention) => mention.param === param)
  return (spec?.wholeAnswer ?? true) && (free || !plain) ? wholeValue(text, spec) : null
}

function confirmed(
  text: string,
  open: OpenIntent,
  { intent, lesson }: { readonly intent: Intent; readonly lesson: Lesson },
): Understanding | null {
  if (turnsElsewhere(text, open, lesson)) return null
  const news = Object.entries(correctedParams(text, intent)).filter(
    ([param, value]) => intent.requiredParams.includes(param) && open.params[param] !== value,
  )
  if (news.length > 0) {
    return correction(intent, Object.fromEntries(news), 'it gives another value')
  }
  const act = confirmationOf(text, open, openersFor(lesson, intent.id))
  return act === null
    ? null
    : {
        act,
        wishes: [],
        confidence: BY_RULE,
        reasoning: `it says ${act} in the words of the question`,
      }
}

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
  /^(?:\P{L}*(?:no|nope|yes|yeah|actually|sorry|wait|oh|well|ok|okay|sure|and|but|also)\b)+[\s,.!-]*/iu

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

export const leastOf = (wishes: readonly Wish[]): number =>
  Math.min(...wishes.map(({ confidence }) => confidence))
