import { askedItems, namesOthers } from '../../customer/asked-items.ts'
import { type OwnItem, ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { changesScope, isFine } from '../../dialogue/veto.ts'
import { readAs, type Reading } from '../../understand/command.ts'
import { CONFIRMATION } from '../dialogue.ts'
import type { SupportState } from '../support-state.ts'

/** A yes to what is asked, at the beginning of a text. */
const YES =
  /^\W*(?:(?:oh|well|ok|okay|alright|all right|right|please|thanks|thank you)[\s,.!-]+)*(?:yes|yeah|yep|yup|yea|sure|of course|absolutely|definitely|exactly|correct|do it|do that|go ahead|(?:that'?s|that is) (?:right|correct))(?![\p{L}'])(?:[\s,.!-]+(?:yes|please|pls|do it|do that|go ahead|thanks|thank you|exactly|correct|(?:that'?s|that is) (?:right|correct|it))(?![\p{L}']))*/iu

/** Longer texts may hold anything. */
const MOST_WORDS = 14

/**
 * "Yes, they don't fit my ears": a yes, and behind it why. A text that may change what is asked does not count as such
 * a yes.
 */
export function agreedAndWhy(state: SupportState): Reading | null {
  const { dialogue, text } = state
  const { open } = dialogue
  if (open?.param !== CONFIRMATION || text.includes('?')) return null
  const [said] = YES.exec(text) ?? []
  if (said === undefined) return null
  const rest = text.slice(said.length).replace(/^[\s,.;:!-]+|[\s.!]+$/gu, '')
  if (rest === '' || rest.split(/\s+/).length > MOST_WORDS) return null
  const orders = ownOrdersIn(state.orders)
  const order = orders.find(({ id }) => id === open.params[ORDER])
  const asked = order === undefined ? null : askedItems(order, open.params)
  if (asked === null || namesOthers(rest, asked, orders)) return null
  return isReason(rest) && !isNarrower(rest, asked)
    ? readAs([{ type: 'confirm', said }], 'it says yes, and why')
    : null
}

/** A statement about the thing: what it is like, or does not do. */
const REASON =
  /^(?:(?:because|cause|cos|cuz|since|as)\s+)?(?:(?:it|they|this|that|these|those)(?:'s|'re)?\s+\p{L}|(?:its|theyre|thats)\s+\p{L}|(?:the|my) (?:\p{L}+ ){0,3}?\p{L}+(?:'s)?\s+(?:is|are|was|were|has|had|does|do|did|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|doesnt|dont|didnt|came|broke|arrived|stopped|fell|got|feels?|looks?|smells?|hurts?|fits?|leaks?|crackles?|keeps? \p{L}+ing)\b)/iu

/** Whether a text only says what is wrong with the thing. */
export const isReason = (rest: string): boolean =>
  REASON.test(rest) && !changesScope(rest) && !isFine(rest)

/** "Yes, it is broken", where several things are asked about, may mean one of them. */
export const isNarrower = (rest: string, asked: readonly OwnItem[]): boolean =>
  asked.length > 1 && !/\b(?:they|these|those|they're|theyre)\b/iu.test(rest)
