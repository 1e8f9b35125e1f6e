import type { Intent, ParamSpec } from '../../../packages/support/src/intent.ts'
import { intentOf } from './ask-or-call.ts'
import type { Turn } from './sgd-dialogue.ts'
import type { SgdSchema } from './sgd-schema.ts'

/** More examples of one intent teach a reader of words nothing new. */
const MOST_EXAMPLES = 150

/**
 * The intents of a schema as a shop would write them: examples and lists of values come from the dialogues that are
 * learned from, patterns from the names of the slots.
 */
export function sgdIntents(
  schema: SgdSchema,
  learned: readonly (readonly Turn[])[],
): readonly Intent[] {
  const users = learned.flat().filter(({ byUser }) => byUser)
  return [...schema].map(([key, spec]) => {
    const [service = '', name = ''] = key.split(' ')
    const examples = users.flatMap(({ text, frames }) => {
      const starts = frames.some(
        ({ service: own, state, actions }) =>
          own === service &&
          state?.intent === name &&
          actions.some(({ act }) => act === 'INFORM_INTENT' || act === 'AFFIRM_INTENT'),
      )
      return starts && text.split(' ').length > 3 ? [text] : []
    })
    const slots = [...spec.required, ...spec.optional]
    const params = Object.fromEntries(
      slots.map((slot) => [slot, specOf(slot, valuesOf(slot, service, users))]),
    )
    return {
      ...intentOf(key, spec),
      examples: [...new Set(examples)].slice(0, MOST_EXAMPLES),
      params,
    }
  })
}

const DATE =
  '(?:(?:the )?\\d{1,2}(?:st|nd|rd|th)(?: of (?:this month|next month|january|february|march|april|may))?|(?:january|february|march|april|may) (?:the )?\\d{1,2}(?:st|nd|rd|th)?|(?:this |next |upcoming )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?: (?:this|next) week)?|today|tomorrow|day after tomorrow|later today)'
const TIME =
  "(?:(?:(?:in the )?(?:morning|afternoon|evening) )?(?:at )?\\d{1,2}(?::\\d{2}| o'clock)?(?: ?(?:am|pm))?(?: in the (?:morning|afternoon|evening)| at night)?|half past \\d{1,2}(?: in the (?:morning|afternoon|evening))?|noon|midnight)"
const AMOUNT = '\\$ ?\\d[\\d,]*(?:\\.\\d+)?|\\d[\\d,]* dollars'

function specOf(slot: string, values: ReadonlyMap<string, readonly string[]>): ParamSpec {
  const pattern = /date/.test(slot)
    ? DATE
    : /time/.test(slot)
      ? TIME
      : /amount|rent|price|fare/.test(slot)
        ? AMOUNT
        : null
  // Few values are a list; many, such as names and cities, are only known in part.
  const isList = pattern === null && values.size > 0 && values.size <= 12
  const named = [...values].map(([value, words]) => [value, words] as const)
  return {
    label: slot.replaceAll('_', ' '),
    pattern,
    form: 'as-said',
    ask: '',
    values: isList ? Object.fromEntries(named) : {},
    wholeAnswer: false,
  }
}

/** The values of a slot that were said, each with its words. */
function valuesOf(
  slot: string,
  service: string,
  users: readonly Turn[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { frames } of users) {
    for (const { service: own, actions } of frames) {
      if (own !== service) continue
      for (const { act, slot: named, values } of actions) {
        if (act !== 'INFORM' || named !== slot) continue
        for (const value of values) found.set(value, [value])
      }
    }
  }
  return found
}
