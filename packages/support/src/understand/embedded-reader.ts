import { type Classifier, train } from 'echelon/internal/classify'
import { digestText } from 'echelon/internal/value'
import type { Intent } from '../intent.ts'
import { byRule, intentOf, type Lesson, openersByIntent, openersFor } from './lesson.ts'
import { isOnceMore } from './phrases.ts'
import { answered, corrected, leastOf, replied, repliedAndWished } from './read-reply.ts'
import { correctedParams, wishesOf } from './read-wishes.ts'
import type { Reader } from './reader.ts'
import { readable } from './slots.ts'
import { NOT_UNDERSTOOD, type Understanding } from './understanding.ts'

/**
 * Trains the embedded rung, which reads without a model, from the intents' examples, in well under a second. The
 * same intents give the same reader. Trained models of the last few sets of examples are cached in the process.
 *
 * @param outOfScope messages outside all intents, so that the reader learns to reject them
 */
export function trainReader(
  intents: readonly Intent[],
  outOfScope: readonly string[] = [],
): Reader {
  const classifier = learnt(intents, outOfScope)
  const openers = openersByIntent(intents)
  return (text, context) => read(readable(text).trim(), { classifier, openers, context })
}

function read(text: string, lesson: Lesson): Understanding {
  if (!/[\p{L}\p{N}]/u.test(text)) return NOT_UNDERSTOOD
  return (
    // Try an answer first: a reason such as "I changed my mind" would otherwise be a refusal.
    answeredFromList(text, lesson) ??
    replied(text, lesson) ??
    corrected(text, lesson) ??
    repliedAndWished(text, lesson) ??
    answered(text, lesson) ??
    onceMore(text, lesson) ??
    wished(text, lesson) ??
    NOT_UNDERSTOOD
  )
}

/** An answer from a closed list of values. */
function answeredFromList(text: string, lesson: Lesson): Understanding | null {
  const { open } = lesson.context.dialogue
  const param = open?.param ?? null
  const spec =
    open === null || param === null ? undefined : intentOf(lesson, open.intentId)?.params[param]
  return spec === undefined || Object.keys(spec.values).length === 0 ? null : answered(text, lesson)
}

/** "And O-2?", or only another order, after an answer: the same request for that one. */
function onceMore(text: string, lesson: Lesson): Understanding | null {
  const { open, last } = lesson.context.dialogue
  const intent = last === null ? undefined : intentOf(lesson, last.intentId)
  if (open !== null || intent === undefined) return null
  const params = correctedParams(text, intent)
  if (!intent.requiredParams.some((param) => params[param] !== undefined)) return null
  const words = text.match(/\p{L}{2,}/gu) ?? []
  if (words.length > 6 || (words.length > 0 && !isOnceMore(text))) return null
  const [first = ''] = words.map((word) => word.toLowerCase()).filter((word) => !isOnceMore(word))
  const commands = lesson.context.intents.some(({ id }) => openersFor(lesson, id).has(first))
  if (commands && !/^(?:about|how|what)$/u.test(first)) return null
  const wishes = [byRule(intent.id, params)]
  return { act: 'wish', wishes, confidence: leastOf(wishes), reasoning: 'the same of another' }
}

function wished(text: string, lesson: Lesson): Understanding | null {
  const { open } = lesson.context.dialogue
  const wishes = wishesOf(text, lesson)
  const [first, ...more] = wishes
  if (first === undefined) return null
  // Repeats the open request without anything new, so the question stays open.
  const repeats = open !== null && open.intentId === first.intentId && more.length === 0
  if (
    repeats &&
    Object.entries(first.params).every(([name, value]) => open.params[name] === value)
  ) {
    return { ...NOT_UNDERSTOOD, reasoning: 'it says nothing new' }
  }
  const names = wishes.map(({ intentId }) => intentId).join(', ')
  return { act: 'wish', wishes, confidence: leastOf(wishes), reasoning: `it reads like ${names}` }
}

/** The latest trained models, by their training data. */
const learntLately = new Map<string, Classifier>()
const MOST_KEPT = 4

function learnt(intents: readonly Intent[], outOfScope: readonly string[]): Classifier {
  const rows = [
    ...intents.flatMap(({ id, examples }) => examples.map((text) => ({ text, label: id }))),
    ...outOfScope.map((text) => ({ text, label: null })),
  ]
  const written = JSON.stringify(rows.map(({ text, label }) => [label, text]))
  const key = `${written.length}.${digestText(written)}`
  const kept = learntLately.get(key) ?? train(rows)
  learntLately.delete(key)
  learntLately.set(key, kept)
  for (const oldest of learntLately.keys()) {
    if (learntLately.size > MOST_KEPT) learntLately.delete(oldest)
  }
  return kept
}
