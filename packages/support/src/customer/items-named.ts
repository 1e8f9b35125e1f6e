import { requestSentences } from '../understand/clauses.ts'
import { headsOf, isPlural, nameMatch, nameScore, plainWords } from './item-words.ts'
import { cents, type OwnItem, type OwnOrder } from './own-order.ts'

/** Items of one order that a text names, if it has others too. */
export interface ItemsNamed {
  readonly items: readonly OwnItem[]
  /** The price of these; `null` for none, or where one is not known. */
  readonly price: number | null
}

/**
 * The items that a text names of an order with several: what a refund of them would be. In a story, those that the
 * request itself names.
 */
export function itemsNamed(text: string, order: OwnOrder): ItemsNamed {
  const asking = requestSentences(text)
  const asked = asking === text ? null : itemsIn(asking, order)
  return asked !== null && asked.items.length > 0 ? asked : itemsIn(text, order)
}

function itemsIn(text: string, { items, id }: OwnOrder): ItemsNamed {
  const none = { items: [], price: null }
  if (items.length < 2) return none
  const meant = withoutSpared(text)
  const words = plainWords(meant)
  const matches = items.map((item) => nameMatch(words, item))
  const isOnly = /\b(?:only|just)\b/iu.test(meant)
  const scores = items.map((item, at) => {
    const isMeant = isOnly || !isPlural(meant, item)
    return isNamedLess(matches, items, at) && isMeant ? 0 : (matches[at]?.score ?? 0)
  })
  const best = Math.max(0, ...scores)
  const byWord = best === 0 ? byOwnWord(meant, items) : []
  if (byWord.length > 0) return { items: byWord, price: priceOf(byWord) }
  if (best === 0) return meant === text ? none : othersThan(sparedOf(text), items)
  const named = items.filter((_, at) => scores[at] === best || (scores[at] ?? 0) >= 2)
  if (WHOLE.test(text) || text.includes(`whole ${id}`)) return none
  // "The lamp order" is the order, not its lamp; "the bulbs of the lamp order" are the bulbs.
  const tells = [...text.matchAll(ORDER_OF)].map(([, word = '']) => plainWords(word))
  const own = named.filter((item) => !tells.some((word) => nameScore(word, item) > 0))
  const kept = own.filter((item, at) => {
    const isFirst = own.findIndex(({ name }) => name === item.name) === at
    return isFirst || isPlural(text, item)
  })
  if (kept.length === items.length || kept.length === 0) return none
  return { items: kept, price: priceOf(kept) }
}

/** "The blue shirt" is not the black one, which it names with a word less. */
function isNamedLess(
  matches: readonly { readonly used: readonly string[] }[],
  items: OwnOrder['items'],
  at: number,
): boolean {
  const own = matches[at]?.used ?? []
  return items.some((item, other) => {
    const used = matches[other]?.used ?? []
    const isSameKind = own.some((word) => headsOf(item).includes(word))
    return isSameKind && used.length > own.length && own.every((word) => used.includes(word))
  })
}

/** "The black one", "keep the blue": a word in the name of one thing of the order alone. */
function byOwnWord(text: string, items: OwnOrder['items']): OwnOrder['items'] {
  const said = [...text.matchAll(OWN_WORD)].map(([, word = '']) => word.toLowerCase())
  const named = said.flatMap((word) => {
    const [item, ...others] = items.filter(({ name }) => plainWords(name).includes(word))
    return item === undefined || others.length > 0 ? [] : [item]
  })
  return items.filter((item) => named.includes(item))
}

const OWN_WORD =
  /\b(?:the|my|only|just) (\p{L}{3,})(?: ones?)?(?=\W*$|\s*[.,;!?]| (?:and|but|please|pls|then|now|back|not)\b)/giu

/** "I want to keep the chair": what is not spared is meant. */
function othersThan(spared: string, items: OwnOrder['items']): ItemsNamed {
  const words = plainWords(spared)
  if (words.length === 0) return { items: [], price: null }
  const kept = byOwnWord(spared, items)
  const others = items.filter((item) => nameScore(words, item) === 0 && !kept.includes(item))
  const pieces = furtherPieces(spared, items)
  if (pieces.length > 0) return { items: pieces, price: priceOf(pieces) }
  return others.length === 0 || others.length === items.length
    ? { items: [], price: null }
    : { items: others, price: priceOf(others) }
}

/** "The other mug is fine", of several equal things: the rest of them is meant, and no other thing. */
function furtherPieces(spared: string, items: OwnOrder['items']): OwnOrder['items'] {
  const words = plainWords(spared)
  const named = items.filter((item) => nameScore(words, item) > 0)
  const [first] = named
  if (first === undefined || named.length < 2) return []
  if (named.some(({ name }) => name !== first.name)) return []
  const isSeveral = isPlural(spared, first)
  if (isSeveral && !OTHERS.test(spared)) return []
  return isSeveral ? named.slice(0, 1) : named.slice(1)
}

const OTHERS = /\b(?:others?|rest|remaining)\b/iu

const priceOf = (items: OwnOrder['items']): number | null =>
  items.every(({ price }) => price !== null)
    ? cents(items.reduce((sum, { price }) => sum + (price ?? 0), 0))
    : null

/** The parts of a text about things that stay; "the other mug" is one piece of what is meant. */
const sparedOf = (text: string): string =>
  partsOf(text)
    .filter((part) => SPARES.test(part) && !/\b(?:the|my) (?:other|second|rest)\b/iu.test(part))
    .join(', ')

/** A text without what it says of things that stay: "and keep the lamp", "the kettle is fine". */
const withoutSpared = (text: string): string =>
  partsOf(text)
    .filter((part) => !SPARES.test(part))
    .join(', ')

/** A sentence about what stays is one part: "the lamp is a darling and stays". */
const partsOf = (text: string): readonly string[] =>
  text
    .replaceAll(WITH_OTHERS, ' ')
    .split(/(?<=[.;!?])\s+/u)
    .flatMap((sentence) =>
      /\bstays?\b/iu.test(sentence) &&
      !/\b(?:return|refund|send|cancel|money|back|but)\b/iu.test(sentence)
        ? [sentence]
        : sentence.split(/(?<![.,;!?])[.,;!?]+\s|\s(?:and|but|while|whereas)\s/iu),
    )

/** "The lamp that came with my chair" is the lamp. */
const WITH_OTHERS =
  /\b(?:(?:that|which|i) )*(?:came|comes|come|got|bought|ordered|delivered|sent|arrived) (?:together |along )?with\b[^.,;!?]*/giu

const SPARES =
  /\b(?:keep(?:ing)?|kept|stays?|leave)\b|\bwait(?:ing)? for\b|\b(?:is|are|was|were|works?) (?!there (?:still|any|some|enough|no|an?|time)\b)(?:\p{L}+ )?(?:there|here|in (?:it|the box|there)|included|fine|ok|okay|good|great|perfect|alright|all right|nice|lovely)\b|\b\p{L}+ (?:ok|okay|fine|all right)\s*[.!]?$|^\s*(?:not|(?:forget|skip|ignore|drop|never ?mind)(?: about)?) (?:the|my)\b|\bonly (?:the|one|my) (?:\p{L}+ )?\p{L}+ (?:was in (?:it|there|the \p{L}+)|came|arrived|was there|showed up)\s*$/iu

const WHOLE =
  /\b(?:whole|entire|full|complete) (?:order|thing|amount|refund)\b|\bthe (?!other|first|second|third|last|only|same|right|wrong|left|new|old|broken|red|green|blue|black|white)\p{L}+ one\b/iu

/** "The lamp order": the word before it tells which. */
const ORDER_OF = /\b(\p{L}+) (?:order|purchase)\b/giu
