import type { JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { type Reading, readAs } from './command.ts'
import { byRule, type Lesson } from './lesson.ts'
import { CONFIRMATION } from '../turn/dialogue.ts'

/** Words by which another thing is preferred to the one that is open. */
const INSTEAD =
  /\b(?:instead|rather|better|prefer|after all|on second thoughts?|changed my mind)\b/iu

/** "Actually refund", and nothing else. */
const ACTUALLY =
  /^\W*(?:(?:no|wait|hm+|oh|ok|okay|well)[\s,.]+)*actually,? (?:(?:please|a|the|just|i(?:'d| would) (?:like|prefer|rather have)|i want|make it) )*\p{L}+(?: (?:it|them|please|pls|then))*\W*$/iu

/** What is known already, as far as the other intent needs it. */
const sharedParams = (known: JsonObject, { requiredParams }: Intent): JsonObject =>
  Object.fromEntries(Object.entries(known).filter(([name]) => requiredParams.includes(name)))

/**
 * "A return is the proper way, right? Let's do that instead", before the confirmation of a refund: what is open is
 * left for the one other thing that is named.
 */
export function switched(text: string, { context }: Lesson): Reading | null {
  const { open } = context.dialogue
  if (open?.param !== CONFIRMATION || !(INSTEAD.test(text) || ACTUALLY.test(text))) return null
  const named = context.intents.filter(
    ({ id, confirm }) =>
      confirm &&
      id !== open.intentId &&
      new RegExp(`\\b${id.replaceAll('_', ' ')}`, 'iu').test(text),
  )
  const [other] = named
  const isRefused =
    /\b(?:don'?t|do not|not|no) (?:want |need )?(?:to |a |the )?(?:return|refund|cancel)/iu.test(
      text,
    )
  return other === undefined || named.length > 1 || isRefused
    ? null
    : readAs([byRule(other.id, sharedParams(open.params, other))], 'it prefers something else')
}
