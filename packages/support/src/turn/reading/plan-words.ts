import { headsOf, nameScore, plainWords } from '../../customer/item-words.ts'
import type { OwnItem } from '../../customer/own-order.ts'
import type { PlanScope } from './plan-scope.ts'

/** The words of what a plan does, and those of something else than it does. */
interface Actions {
  readonly own: RegExp
  readonly other: RegExp
}

const MONEY =
  'refund(?:s|ed|ing)?|money|cash|reimburse(?:d|ment)?|rep(?:ay|aid)|pay|paid|credit(?:ed)?|amount|price|sum'
const BRING_BACK = 'return(?:s|ed|ing)?|send(?:ing)?|sent|ship(?:ping)?|go(?:es|ing)?|goes|label'
const SENT_BACK =
  '(?:send|ship|mail|post|give|take|bring|sent) (?!(?:me )?(?:the |my |back )*(?:money|cash|amount))(?:it|them|this|that|these|those|(?:the|my) \\p{L}+) back'
const EXCHANGED =
  'exchang\\p{L}*|replac\\p{L}*|swap\\p{L}*|send (?:me |us )?(?:a|an|another|the) (?:new|other|different|second)(?: one)?'
const CANCELS = 'cancel\\p{L}*'

const words = (text: string): RegExp => new RegExp(`^(?:${text})$`, 'iu')
const within = (...texts: readonly string[]): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${texts.join('|')})(?!\\p{L})`, 'iu')

/** By the word for it in the name of an intent. */
const ACTIONS: ReadonlyMap<string, Actions> = new Map([
  [
    'refund',
    {
      own: words(`${MONEY}|back`),
      other: within(
        CANCELS,
        EXCHANGED,
        SENT_BACK,
        'return\\p{L}*(?! (?:of )?(?:me )?(?:the|my) (?:money|cash|amount|price))',
      ),
    },
  ],
  [
    'return',
    {
      own: words(`${BRING_BACK}|back`),
      other: within(CANCELS, EXCHANGED, 'refund\\p{L}*|money|cash|reimburs\\p{L}*'),
    },
  ],
  [
    'cancel',
    {
      own: words(`cancel(?:s|led|ed|ling|ing|lation)?|call(?:ed|ing)?|off|${MONEY}|back`),
      other: within(EXCHANGED, SENT_BACK, 'return\\p{L}*|ship\\p{L}*|deliver\\p{L}*|address'),
    },
  ],
  [
    'address',
    {
      own: words(
        'chang(?:e|ed|es)|send|ship|deliver(?:ed|y)?|go(?:es)?|address|new|there|place|updated?',
      ),
      other: within(CANCELS, EXCHANGED, 'refund\\p{L}*|return\\p{L}*|money'),
    },
  ],
])

export const actionsOf = (intentId: string): Actions | null => {
  const name = intentId.split('_').find((word) => ACTIONS.has(word))
  return name === undefined ? null : (ACTIONS.get(name) ?? null)
}

/** Words with letters, in lower case, and their apostrophes left out. */
export const lettersIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/\b(?:t|tee)[\s-]?shirt(s?)\b/g, 'tshirt$1')
    .match(/\p{L}+/gu) ?? []

/** Whether a word names an item, or is a word of its name. */
const isOfItem = (word: string, item: OwnItem): boolean => {
  const [plain = word] = plainWords(word)
  return nameScore([plain], item) > 0 || plainWords(item.name).includes(plain)
}

/** Words that say nothing of a plan by themselves. */
export const FILLERS: ReadonlySet<string> = new Set(
  `a an the this that thats these those it its they them theyre i im id ill ive me my mine our us we you youre your
  yours of for in on at to with and so then too also as is are was were be will would can do done have has get got go
  goes going ahead now right away asap immediately straight today already please pls plz just only alone really very
  oh ah well hey um uh ugh hi hello dear want wanted like love need needed said asked meant thing item items one ones
  start begin process proceed register arrange submit continue make give take by all means way here there
  yes yeah yep yup yea ya yess yessir sure ok okay okey k fine alright right exactly correct absolutely definitely
  certainly course agreed agree confirm confirmed perfect indeed totally good great sounds let lets
  thank thanks thx ty tysm cheers much lot lots kind kindly lovely awesome brilliant wonderful amazing excellent super
  nice cool sweet appreciate appreciated help helping helpful quick fast service best day evening weekend bye goodbye
  guys people team always friend mate sir madam maam again
  thatd itd sorry trouble bother quickly`.split(/\s+/u),
)

/** Whether a word says which of the things of a plan is meant. */
export const isNamed = (word: string, items: readonly OwnItem[]): boolean =>
  !FILLERS.has(word) && items.some((item) => isOfItem(word, item))

/** Whether a word names a thing that the customer bought and that is not in the plan. */
export function isOfOther(word: string, { orders, items }: PlanScope): boolean {
  const [plain = word] = plainWords(word)
  return (
    !items.some((item) => nameScore([plain], item) > 0) &&
    orders.some((order) => order.items.some((item) => headsOf(item).includes(plain)))
  )
}

/** Numbers in words that count pieces. */
const COUNTS: ReadonlyMap<string, number> = new Map([
  ['one', 1],
  ['single', 1],
  ['both', 2],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
])

export const countOf = (word: string): number | null => COUNTS.get(word) ?? null

/** Whether the words name what the plan is about: none of it, or all of it in its number. */
export function namesAll(text: string, { items }: PlanScope): boolean {
  const said = lettersIn(text)
  const named = items.filter((item) => said.some((word) => isNamed(word, [item])))
  if (named.length === 0) return true
  if (named.length < items.length) return false
  const numbers: readonly string[] = text.match(/\d+/g) ?? []
  const isCounted =
    numbers.includes(String(items.length)) ||
    said.some((word) => countOf(word) === items.length || ALL.has(word))
  return items.every((item) => {
    const pieces = items.filter(({ name }) => name === item.name).length
    const isPlural = said.some((word) => plainWords(word)[0] !== word && isNamed(word, [item]))
    return pieces === 1 || isPlural || isCounted
  })
}

/** Words for all of something. */
const ALL: ReadonlySet<string> = new Set(
  'all everything whole entire complete full total lot'.split(' '),
)

/** The numbers of a text that are not of the plan: neither its amount, its count, nor its order. */
export function strangeNumbers(text: string, scope: PlanScope): readonly string[] {
  const { order, items, amount } = scope
  const plain = withoutAddress(text, scope).replaceAll(order.id, ' ')
  const inNames = items.some((item) => lettersIn(plain).some((word) => isOfItem(word, item)))
    ? items.flatMap(({ name }) => name.match(/\d+(?:\.\d+)?/g) ?? [])
    : []
  return (plain.match(/\d+(?:[.,]\d+)*/gu) ?? []).filter((said) => {
    const value = Number(said.replace(/,(?=\d{3}\b)/g, '').replace(',', '.'))
    const isOfPlan =
      value === amount || value === items.length || said === order.id.replace(/^\D+/u, '')
    return !isOfPlan && !inNames.includes(said)
  })
}

const IS_NUMBERED = (part: string): boolean => /^\d+ \p{L}{3,}$/u.test(part)

/** A text without the address of the plan, or its street. */
export function withoutAddress(text: string, { address }: PlanScope): string {
  if (address === null) return text
  const parts = address.split(',').map((part) => part.trim())
  // "77 Dauphine" is "77 Dauphine Street".
  const short = parts.map((part) => part.split(' ').slice(0, 2).join(' ')).filter(IS_NUMBERED)
  return [address, ...parts, ...short].reduce((rest, part) => {
    const at = rest.toLowerCase().indexOf(part.toLowerCase())
    return at < 0 ? rest : `${rest.slice(0, at)} ${rest.slice(at + part.length)}`
  }, text)
}
