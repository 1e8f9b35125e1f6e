import type { OwnItem } from './own-order.ts'
import { isNear } from './order-ids.ts'

/** An item of an order, in the words by which a message may name it. */
interface ItemWords {
  /** What it is: `lamp`; one of these names it. */
  readonly heads: ReadonlySet<string>
  /** Its other words: `desk`, `brass`; two of these name it, or one together with a head. */
  readonly others: ReadonlySet<string>
}

/** Words that customers use for other words of a catalogue. */
const SAME: readonly (readonly string[])[] = [
  ['tshirt', 'tee', 'shirt', 'top'],
  ['paperback', 'hardcover', 'book', 'novel'],
  ['hoodie', 'hoody', 'sweater', 'jumper', 'sweatshirt', 'pullover'],
  ['jeans', 'pants', 'trouser', 'denim'],
  ['shoe', 'sneaker', 'trainer', 'boot', 'runner', 'footwear'],
  ['earbud', 'headphone', 'earphone', 'earpod', 'airpod', 'headset', 'bud'],
  ['charger', 'adapter', 'adaptor'],
  ['bedding', 'sheet', 'linen', 'duvet', 'bedsheet'],
  ['mug', 'cup'],
  ['backpack', 'rucksack', 'bag'],
  ['puzzle', 'jigsaw'],
  ['pan', 'skillet', 'frypan'],
  ['scarf', 'shawl'],
  ['kettle', 'teakettle'],
  ['lamp', 'light'],
  ['bulb', 'lightbulb'],
  ['cable', 'cord', 'wire'],
  ['bottle', 'flask', 'thermos'],
  ['watch', 'smartwatch', 'wristwatch', 'tracker'],
  ['sock', 'stocking'],
]

/** Words that name no item by themselves. */
const NO_HEAD = new Set(['set', 'pack', 'piece', 'size', 'of', 'the', 'a', 'and', 'for', 'with'])

const synonyms = (word: string): readonly string[] =>
  SAME.find((row) => row.includes(word)) ?? [word]

/** The words of a text in their plain form: lower case, singular, "t-shirt" as one. */
export const plainWords = (text: string): readonly string[] =>
  (
    text
      .slice(0, 2_000)
      .toLowerCase()
      .replaceAll(/\b(?:t|tee)[\s-]?shirts?\b/g, 'tshirt')
      .replaceAll(/\b(?:help|service|support|customer)\s?desk\b/g, ' ')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(singular)

const singular = (word: string): string => {
  if (word === 'jeans' || word === 'glasses' || word.length < 4) return word
  if (/(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '')
}

function wordsOfItem({ name }: OwnItem): ItemWords {
  const [main = ''] = name.split(/[,(]/)
  const own = (text: string): readonly string[] =>
    plainWords(text).filter((word) => !NO_HEAD.has(word) && /^\p{L}{2,}$/u.test(word))
  const all = own(name)
  const last = own(main).at(-1)
  // "Paperback" behind the title says what it is, too.
  const listed = all.filter((word) => SAME.some((row) => row[0] === word))
  const heads = [...(last === undefined ? [] : [last]), ...listed]
  return {
    heads: new Set(heads.flatMap(synonyms)),
    others: new Set(all.filter((word) => !heads.includes(word))),
  }
}

/** The words that say what an item is. */
export const headsOf = (item: OwnItem): readonly string[] => [...wordsOfItem(item).heads]

/**
 * A text in which each thing that one can buy is called the same: what it is says nothing about what is wanted.
 * @param own words for the things that the customer bought
 */
export function withPlainItems(text: string, own: ReadonlySet<string> = new Set()): string {
  return text
    .replaceAll(/\b(?:t|tee)[\s-]?shirts?\b/giu, 'tshirt')
    .replaceAll(/\p{L}{3,}/gu, (word) => {
      const one = singular(word.toLowerCase())
      if (!own.has(one) && !THINGS.has(one) && !isMisspelt(one, own)) return word
      return one === word.toLowerCase() ? 'item' : 'items'
    })
}

/** Common things of shops. */
const THINGS: ReadonlySet<string> = new Set([
  ...SAME.flat(),
  ...`jacket coat dress skirt scarf hat cap glove belt wallet ring necklace perfume lipstick phone laptop tablet
  camera tv monitor keyboard mouse speaker toaster kettle fridge sofa table chair desk bed mattress pillow blanket
  towel rug curtain mirror plant toy doll game console guitar bike tent mat kettle plate bowl knife fork spoon lens
  vacuum toothbrush shampoo cream pen notebook`.split(/\s+/),
])

/** How well a text names an item: 0 if it does not. */
export const nameScore = (words: readonly string[], item: OwnItem): number =>
  nameMatch(words, item).score

/** How well a text names an item, and the words by which it does. */
export function nameMatch(
  words: readonly string[],
  item: OwnItem,
): { readonly score: number; readonly used: readonly string[] } {
  const { heads, others } = wordsOfItem(item)
  const head = words.filter((word) => heads.has(word) || isMisspelt(word, heads))
  const more = [...new Set(words.filter((word) => others.has(word)))]
  const used = [...head, ...more]
  if (head.length > 0) return { score: 2 + more.length, used }
  return more.length >= 2 ? { score: 1 + more.length, used } : { score: 0, used: [] }
}

/** Longer words may have one slip, unless they are words of their own. */
const isMisspelt = (word: string, heads: ReadonlySet<string>): boolean =>
  word.length >= 5 &&
  !OTHER_WORDS.has(word) &&
  [...heads].some((head) => head.length >= 5 && isNear(head, word))

/** Common words that differ from a thing in one letter: "long story short" means no shirt. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  `short shift skirt match catch witch water chain table battle settle right night might eight fight sight tight
  slight means beans sheep sweet sheer charge charged changed speaker boost booth clock shock store shore shove`.split(
    /\s+/,
  ),
)

/** Whether a text speaks of several of a thing: "the mugs", "both mugs". */
export const isPlural = (text: string, item: OwnItem): boolean => {
  const { heads } = wordsOfItem(item)
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const isSeveral = words.some((word) => word !== singular(word) && heads.has(singular(word)))
  return (
    (isSeveral || /\d ×/u.test(text)) &&
    !/\b(?:one|single|only 1|1) (?:of|mug|\p{L}+)\b|\b(?:an?|this|that|each|the other) (?:pack|box|set|pair) of\b/iu.test(
      text,
    )
  )
}
