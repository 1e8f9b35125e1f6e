import { askedItems, namesOthers } from '../../customer/asked-items.ts'
import { nameScore, plainWords } from '../../customer/item-words.ts'
import { type OwnItem, ownOrdersIn } from '../../customer/own-order.ts'
import { AMOUNT, ITEM, ORDER } from '../../customer/resolve-order.ts'
import { changesScope } from '../../dialogue/veto.ts'
import { readAs, type Reading } from '../../understand/command.ts'
import { CONFIRMATION, type OpenIntent } from '../dialogue.ts'
import type { SupportState } from '../support-state.ts'

/** A yes to what is asked, at the beginning of a text. */
const YES =
  /^\W*(?:(?:oh|well|ok|okay|alright|all right|right|please|thanks|thank you)[\s,.!-]+)*(?:yes|yeah|yep|yup|yea|sure|of course|absolutely|definitely|exactly|correct|do it|do that|go ahead|(?:that'?s|that is) (?:right|correct))(?![\p{L}'])(?:[\s,.!-]+(?:yes|please|pls|do it|do that|go ahead|thanks|thank you|exactly|correct|(?:that'?s|that is) (?:right|correct|it))(?![\p{L}']))*/iu

/** Longer texts may hold anything. */
const MOST_WORDS = 14

/**
 * "Yes, they don't fit my ears", "yes, the full amount": a yes, and behind it why, or once more what. Anything that
 * may change what is asked is no such yes.
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
  return isSame(rest, open, asked) || (isReason(rest) && !isNarrower(rest, asked))
    ? readAs([{ type: 'confirm', said }], 'it says yes, and why or what')
    : null
}

/** A statement about the thing: what it is like, or does not do. */
const REASON =
  /^(?:(?:because|cause|cos|cuz|since|as)\s+)?(?:(?:it|they|this|that|these|those)(?:'s|'re)?\s+\p{L}|(?:its|theyre|thats)\s+\p{L}|(?:the|my) (?:\p{L}+ ){0,3}?\p{L}+(?:'s)?\s+(?:is|are|was|were|has|had|does|do|did|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|doesnt|dont|didnt|came|broke|arrived|stopped|fell|got|feels?|looks?|smells?|hurts?|fits?|leaks?|crackles?|keeps? \p{L}+ing)\b)/iu

const isReason = (rest: string): boolean => REASON.test(rest) && !changesScope(rest)

/** "Yes, it is broken", where several things are asked about, may mean one of them. */
const isNarrower = (rest: string, asked: readonly OwnItem[]): boolean =>
  asked.length > 1 && !/\b(?:they|these|those|they're|theyre)\b/iu.test(rest)

const WHOLE =
  /^(?:for )?(?:the )?(?:(?:full|whole|entire|complete|total) (?:amount|sum|price|order|thing|refund)|everything|all of (?:it|them)|it all|all)$/iu
const BOTH = /^(?:for )?(?:the two|both(?: of (?:them|these|those))?|both please)$/iu

/** Whether it says once more what is asked, and no less and no more. */
function isSame(rest: string, { params }: OpenIntent, asked: readonly OwnItem[]): boolean {
  const plain = rest.replace(/[\s,]+(?:please|pls|thanks|thank you)$/iu, '')
  // Of an item, "the full amount" may be that of the order.
  if (WHOLE.test(plain)) return params[ITEM] === undefined && params[AMOUNT] === undefined
  if (BOTH.test(plain)) return asked.length === 2 && !isShare(params)
  const words = plainWords(plain).filter((word) => !ARTICLES.has(word))
  const [first] = asked
  const isOneThing = first !== undefined && asked.length === 1
  return isOneThing && words.length > 0 && words.every((word) => isOf(word, first))
}

/** Whether the amount may be another than that of the items: then the count alone does not say it. */
const isShare = (params: OpenIntent['params']): boolean =>
  params[AMOUNT] !== undefined && params[ITEM] === undefined

const ARTICLES: ReadonlySet<string> = new Set(['the', 'my', 'that', 'this', 'a', 'it', 'for'])

const isOf = (word: string, item: OwnItem): boolean =>
  nameScore([word], item) > 0 || plainWords(item.name).includes(word)
