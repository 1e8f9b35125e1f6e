import type { Draw } from './draw.ts'
import { over, plus, type Rational, exact } from './rational.ts'

const words = (list: string): readonly string[] => list.trim().split(/\s+/)

export const HER_NAMES: readonly string[] = words(
  'Ann Mia Zoe Lucy Emma Olivia Priya Fatima Ingrid Carmen Yuki Nadia Chloe Rosa Elena Grace Hannah Aisha Wanda Bella Sofia Leila Mona Tessa Judy Karen Linda Nora Paula Ruth Sara Tina Vera Amara Bianca Dora Esther Freya Greta Heidi',
)
export const HIS_NAMES: readonly string[] = words(
  'Tom Ben Sam Leo Omar Raj Kofi Hiro Pablo Victor Ivan Jamal Diego Erik Felix George Henry Isaac Jack Kevin Liam Marcus Noah Oscar Peter Quentin Robert Simon Theo Umar Walter Xavier Yusuf Zack Adam Boris Carlos Dmitri Edgar Frank',
)

export interface Person {
  readonly name: string
  readonly he: 'he' | 'she'
  readonly his: 'his' | 'her'
  readonly him: 'him' | 'her'
  readonly He: 'He' | 'She'
  readonly His: 'His' | 'Her'
}

const HE = { he: 'he', his: 'his', him: 'him', He: 'He', His: 'His' } as const
const SHE = { he: 'she', his: 'her', him: 'her', He: 'She', His: 'Her' } as const

/** Different persons. */
export function people(draw: Draw, count: number): readonly Person[] {
  const all: readonly Person[] = [
    ...HER_NAMES.map((name) => ({ name, ...SHE })),
    ...HIS_NAMES.map((name) => ({ name, ...HE })),
  ]
  return draw.some(all, count)
}

export function person(draw: Draw): Person {
  const [one] = people(draw, 1)
  if (one === undefined) throw new RangeError('nobody')
  return one
}

/** A price in money. */
export interface Price {
  readonly text: string
  readonly value: Rational
}

/** A price in whole units, written as money. */
export const dollars = (draw: Draw, n: number): Price => ({
  text: draw.pick([`$${n}`, `$${n}`, `$${n}`, `${n} dollars`, `$${n}.00`]),
  value: exact(n),
})

/** `an apple`, `a unicorn`. */
export const an = (noun: string): string =>
  /^(?:[aeio]|u(?!ni))/i.test(noun) ? `an ${noun}` : `a ${noun}`

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** One and many. */
export type Noun = readonly [one: string, many: string]

const nouns = (list: string): readonly Noun[] =>
  words(list).map((noun) => {
    const [one = '', many] = noun.split('/')
    return [one, many ?? `${one}s`]
  })

/** Verbs for buying, selling, having, losing and giving away. */
export const THINGS: readonly Noun[] = nouns(
  'pen pencil book apple orange pear banana lemon melon ticket mug cup plate bowl spoon marble sticker stamp coin button bead balloon candle cookie muffin cupcake bagel donut sandwich/sandwiches egg toy doll puzzle kite ball shell rock flower rose tulip plant lamp chair shirt hat scarf/scarves sock glove belt bottle notebook eraser ruler marker crayon poster magazine comic postcard brush/brushes towel blanket pillow key nail screw brick tile mango plum peach/peaches onion carrot potato/potatoes cucumber pumpkin cabbage turnip',
)

/** Things bought at a price. */
export const WARES: readonly Noun[] = nouns(
  'pen pencil notebook book ticket mug plate shirt hat scarf/scarves toy puzzle lamp chair melon cake pie sandwich/sandwiches candle poster bag bottle towel blanket pillow basket ball kite belt comic magazine muffin bagel brush/brushes vase clock ring bracelet necklace umbrella plant rose',
)

export const CONTAINERS: readonly Noun[] = nouns(
  'box/boxes bag basket crate jar shelf/shelves tray pack case bin drawer',
)
export const FRIENDS: readonly string[] = words(
  'friend neighbor cousin classmate teammate colleague',
)
export const RELATIVES: readonly string[] = words(
  'sister brother cousin uncle aunt mother father neighbor friend',
)
export const COLORS: readonly string[] = words(
  'red blue green yellow white black orange purple pink brown',
)
export const WEEKDAYS: readonly string[] = words(
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday',
)
export const MONTHS: readonly string[] = words(
  'January February March April May June July August September October November December',
)

const ONES = words(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
)
const TENS = words('zero ten twenty thirty forty fifty sixty seventy eighty ninety')

/** A whole number under a million in words: `two hundred and five`. */
export function inWords(n: number): string {
  if (n < 20) return ONES[n] ?? ''
  if (n < 100)
    return [TENS[Math.floor(n / 10)], n % 10 > 0 ? ONES[n % 10] : ''].filter(Boolean).join('-')
  const [size, name] = n < 1000 ? [100, 'hundred'] : [1000, 'thousand']
  const rest = n % size
  const head = `${inWords(Math.floor(n / size))} ${name}`
  return rest === 0 ? head : `${head}${rest < 100 ? ' and' : ''} ${inWords(rest)}`
}

export interface Said {
  readonly text: string
  readonly value: Rational
}

const digits = (n: number): string =>
  n >= 1000 ? String(n).replace(/(?<=\d)(?=(\d{3})+$)/g, ',') : String(n)

/** A whole number, mostly in digits. */
export const said = (draw: Draw, n: number): Said => ({
  text: draw.chance(0.2) && n < 100 ? inWords(n) : digits(n),
  value: exact(n),
})

/** A typical number: mostly whole, else a decimal, sometimes money. */
export function amount(draw: Draw, from = 2, to = 99): Said {
  const n = draw.int(from, to)
  if (draw.chance(0.8)) return said(draw, n)
  const tenths = draw.int(1, 9)
  return { text: `${n}.${tenths}`, value: plus(n, over(tenths, 10)) }
}

/** A number in digits. */
export function figure(draw: Draw, from = 2, to = 99): Said {
  const n = draw.int(from, to)
  return { text: digits(n), value: exact(n) }
}

export const MULTIPLES: readonly (readonly [words: string, times: number])[] = [
  ['twice', 2],
  ['double', 2],
  ['triple', 3],
  ['three times', 3],
  ['four times', 4],
  ['5 times', 5],
]

export const PARTS: readonly (readonly [words: string, n: number, d: number])[] = [
  ['half', 1, 2],
  ['one half', 1, 2],
  ['a third', 1, 3],
  ['one third', 1, 3],
  ['a quarter', 1, 4],
  ['two thirds', 2, 3],
  ['three quarters', 3, 4],
  ['a fifth', 1, 5],
  ['3/5', 3, 5],
  ['1/2', 1, 2],
  ['3/4', 3, 4],
  ['a tenth', 1, 10],
]

/** A question for the value of a phrase. */
export const asking = (draw: Draw, phrase: string): string =>
  draw.pick([
    `What is ${phrase}?`,
    `What's ${phrase}?`,
    `How much is ${phrase}?`,
    `Calculate ${phrase}.`,
    `Find ${phrase}.`,
    `Compute ${phrase}.`,
    `Could you tell me what ${phrase} is?`,
    `Please work out ${phrase}.`,
  ])
