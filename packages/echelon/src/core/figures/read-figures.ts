import { CARDINALS, ORDINALS, SCALES } from '../value/number-words.ts'
import { type CalendarDay, isDay, MONTHS, WEEKDAYS } from './calendar.ts'
import type { Figure } from './figure.ts'

/** Characters of a text that are searched for figures; answers are far shorter. */
const LONGEST_TEXT = 50_000

/**
 * The figures of a text, in order. Numbers are read in digits (of any width, with commas or points) and in words
 * from two up; also "one" before a currency or a time, ordinals in words beside a month, and "half" before its
 * object. The numbering of a list from one is ignored.
 */
export function readFigures(text: string): readonly Figure[] {
  const figures: Figure[] = []
  for (const match of withoutMarkers(plainText(text)).matchAll(PIECE)) {
    const figure = figureOf(match[0].trim(), match.groups ?? {})
    if (figure !== null) figures.push(figure)
  }
  return figures
}

/** Normalizes a text, so that figures compare equal in any typesetting. */
const plainText = (text: string): string =>
  text
    .slice(0, LONGEST_TEXT)
    // Invisible characters, and thin spaces within a number.
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/(?<=\d)[\u00a0\u2009\u202f'’](?=\d{3})/g, '')
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2012\u2212]/g, '-')
    .replaceAll(/[*`]/g, '')

const MONTH_WORD =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b'
const CURRENCY_CODES = ['USD', 'EUR', 'GBP', 'JPY', 'INR', 'CAD', 'AUD', 'CHF'] as const
const SYMBOLS: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  dollar: 'USD',
  buck: 'USD',
  euro: 'EUR',
  pound: 'GBP',
}
const BEFORE = `(?<before>(?:US)?\\$|[€£¥₹]|\\b(?:${CURRENCY_CODES.join('|')}))\\s?`
const AFTER = `\\s?(?<after>%|percent\\b|per cent\\b|[$€£¥₹]|(?:${CURRENCY_CODES.join('|')}|dollars?|bucks?|euros?|pounds?)\\b)`
const COUNTED =
  'items?|articles?|products?|orders?|packages?|parcels?|things?|results?|pieces?|reservations?|bookings?|flights?|passengers?|segments?|tickets?|options?|matches|entries|records?'
const COUNTS = `(?<counts>(?=\\s(?:different |open |other |active |upcoming |available )?(?:${COUNTED})\\b))`
const TIMES =
  '(?:(?:business|working|calendar|full|whole)\\s)?(?:seconds?|minutes?|hours?|days?|nights?|weeks?|weekends?|months?|years?)\\b'
const SCALE = '(?:\\s(?<scale>hundred|thousand|million|billion|dozen)\\b)'
/** "One" is mostly a pronoun. */
const NUMBER_WORDS = [...CARDINALS.keys(), ...SCALES.keys()].filter(
  (word) => word !== 'zero' && word !== 'one',
)
const ORDINAL = `(?:(?:twenty|thirty)[- ])?(?:${[...ORDINALS.keys()].join('|')})`
const ONES = 'one|two|three|four|five|six|seven|eight|nine'
/** Days, times and amounts that are relative to others. */
const RELATIVE_WORDS = [
  '(?:next|last|this|coming) (?:week|weekend|month|year)',
  '(?:a|one) fortnight',
  '(?:in|within) an? (?:minute|hour|day|week|month|year)',
  'an? couple of (?:hours|days|weeks|months)',
  '(?:double|twice|triple|half|a third|a quarter|three[- ]quarters) (?:of )?(?:the|your|that|this|its|what)',
  'half of',
].join('|')

/** From the most to the least specific. Built to avoid retrying at each character of a run. */
const PIECE: RegExp = new RegExp(
  [
    String.raw`(?<link>\b(?:https?:\/\/|www\.)[^\s<>()"']+|\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8})`,
    String.raw`(?<iso>\b\d{4}-\d{2}-\d{2}(?!\d|-\d)(?:T(?=\d))?)`,
    String.raw`(?<relative>\b(?:${RELATIVE_WORDS})\b)`,
    String.raw`(?<ordinalDay>\b(?:(?<m4>(?!(?:may|march)\s+(?!the\b))${MONTH_WORD})\.?\s+(?:the\s+)?(?<o4>${ORDINAL})\b|(?<o5>${ORDINAL})\s+of\s+(?<m5>${MONTH_WORD})))`,
    String.raw`(?<monthFirst>\b(?<m1>${MONTH_WORD})\.?\s+(?:the\s+)?(?<d1>\d{1,2})(?:st|nd|rd|th)?(?![\d:]|[.,]\d|\s?[ap]m\b)(?:,?\s+(?<y1>\d{4})(?!\d))?)`,
    String.raw`(?<dayFirst>\b(?<d2>\d{1,2})(?:st|nd|rd|th|\.)?(?:\s+of)?[\s-]+(?<m2>${MONTH_WORD})\.?(?:[,-]?\s*(?<y2>\d{4})(?!\d))?)`,
    String.raw`(?<monthYear>\b(?<m3>${MONTH_WORD})\.?,?\s+(?:of\s+)?(?<y3>\d{4})(?!\d))`,
    String.raw`(?<parts>(?<![\d/.-])\d{1,4}(?<mark>[/.])\d{1,2}(?:\k<mark>\d{2,4})(?![\d/-]|\.\d))`,
    String.raw`(?<slash>(?<![\d/.-])\d{1,2}\/\d{1,2}(?![\d/]))`,
    String.raw`(?<clock>(?<h1>\d{1,2}):(?<min>\d{2})(?::\d{2}(?:\.\d+)?)?(?:\s?(?<half1>[ap])\.?m\b)?(?:Z|[+-]\d{2}:?\d{2}\b)?)`,
    String.raw`(?<hour>\b(?<h2>\d{1,2})\s?(?<half2>[ap])\.?m\b)`,
    String.raw`(?<number>(?:${BEFORE})?(?<digits>\d+(?:[.,]\d+)*)(?:(?![\p{L}\d_]|-[\p{L}\d])${SCALE}?(?:${AFTER})?${COUNTS}?|${AFTER.replace('after', 'tight')}))`,
    String.raw`(?<spelled>\b(?<words>(?:one|${NUMBER_WORDS.join('|')})(?:-(?:${ONES}))?\b)(?:${AFTER.replace('after', 'unit')}|(?=[\s-]${TIMES})))`,
    String.raw`(?<word>[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*)`,
  ].join('|'),
  'giu',
)

type Groups = Readonly<Record<string, string | undefined>>

function figureOf(said: string, groups: Groups): Figure | null {
  const { link, iso, parts, slash, clock, hour, number, word = '' } = groups
  if (link !== undefined) return { kind: 'id', said, id: trimmedEnd(said.toLowerCase()) }
  if (iso !== undefined) return dateIn(said, iso.replace(/t$/i, '').split('-').map(Number))
  if (groups['monthFirst'] !== undefined)
    return dateOf(said, groups['m1'], groups['d1'], groups['y1'])
  if (groups['dayFirst'] !== undefined)
    return dateOf(said, groups['m2'], groups['d2'], groups['y2'])
  if (groups['monthYear'] !== undefined) {
    return { kind: 'month', said, month: monthOf(groups['m3']), year: Number(groups['y3']) }
  }
  if (parts !== undefined || slash !== undefined)
    return dateIn(said, said.split(/[/.]/).map(Number))
  if (clock !== undefined) return timeOf(said, groups['h1'], groups['min'], groups['half1'])
  if (hour !== undefined) return timeOf(said, groups['h2'], '0', groups['half2'])
  if (groups['relative'] !== undefined)
    return { kind: 'relative', said, word: said.toLowerCase().replaceAll(/\s+/g, ' ') }
  if (groups['ordinalDay'] !== undefined) return ordinalDay(said, groups)
  if (groups['spelled'] !== undefined) return spelledFigure(said, groups)
  return number === undefined ? wordFigure(word) : numberFigure(said, groups)
}

/** `one dollar`, `two days`: never the length of a list. */
const spelledFigure = (said: string, { words = '', unit }: Groups): Figure => ({
  kind: 'number',
  said,
  values: [numberInWords(words.toLowerCase()) ?? 1],
  currency: currencyOf(unit),
  isPercent: isPercent(unit),
  counts: false,
})

function ordinalDay(said: string, { m4, o4, m5 = m4, o5 = o4 ?? '' }: Groups): Figure {
  const [first = '', second = first] = o5.toLowerCase().split(/[- ]/)
  const tens = first === second ? 0 : first === 'twenty' ? 20 : 30
  const ones = ORDINALS.get(second) ?? 0
  return dateOf(said, m5, String(tens + ones))
}

/** `1. Shirt`, `Option 2: Socks`: list numbering that counts up from one. */
function withoutMarkers(text: string): string {
  let last = 0
  return text.replaceAll(MARKER, (line: string, before: string, digits: string) => {
    const place = Number(digits)
    if (place !== 1 && place !== last + 1) return line
    last = place
    return before
  })
}

const MARKER = new RegExp(
  `^([ \\t>#_-]*(?:(?:option|step|choice|item|order|flight|passenger|reservation) )?)(\\d{1,2})[.):](?=[ \\t]+(?!${TIMES}|${MONTH_WORD})\\S|[ \\t]*$)`,
  'gimu',
)

const trimmedEnd = (text: string): string => text.replace(/[.,;:!?]+$/, '')

// ---- days and times ----

const monthOf = (word = ''): number =>
  MONTHS.findIndex((month) => word.toLowerCase().startsWith(month.toLowerCase())) + 1

function dateOf(said: string, word?: string, day?: string, year?: string): Figure {
  const one = { month: monthOf(word), day: Number(day) }
  return { kind: 'date', said, days: [year === undefined ? one : { ...one, year: Number(year) }] }
}

/** Year first, or month and day in either order, since the text does not say which. */
function dateIn(said: string, parts: readonly number[]): Figure {
  const [a = 0, b = 0, c] = parts
  const days: readonly CalendarDay[] =
    a > 31
      ? [{ year: a, month: b, day: c ?? 0 }]
      : [
          { ...yearOf(c), month: a, day: b },
          { ...yearOf(c), month: b, day: a },
        ]
  const valid = days.filter(({ month, day }) => isDay(month, day))
  if (valid.length > 0) return { kind: 'date', said, days: valid }
  return { kind: 'id', said, id: said.toLowerCase() }
}

const yearOf = (year: number | undefined): { readonly year?: number } =>
  year === undefined ? {} : { year: year < 100 ? 2000 + year : year }

function timeOf(said: string, hour = '', minute = '', half = ''): Figure {
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  return { kind: 'time', said, minutes: hours * 60 + Number(minute) }
}

// ---- numbers ----

function numberFigure(said: string, groups: Groups): Figure {
  const { before, digits = '', tight, after = tight, scale, counts } = groups
  const times = scale === undefined ? 1 : (scaleOf(scale.toLowerCase()) ?? 1)
  return {
    kind: 'number',
    said: trimmedEnd(said),
    values: readings(digits).map((value) => value * times),
    currency: currencyOf(before) ?? currencyOf(after),
    isPercent: isPercent(after),
    counts: counts !== undefined,
  }
}

const isPercent = (after: string | undefined): boolean =>
  after !== undefined && /%|cent/i.test(after)

function currencyOf(said: string | undefined): string | null {
  if (said === undefined) return null
  const word = said.toUpperCase()
  const code = CURRENCY_CODES.find((one) => one === word)
  return code ?? SYMBOLS[said.toLowerCase().replace(/^us|s$/, '')] ?? null
}

/** `1,234.50` has one reading; `1.234` has two, since some people write thousands so. */
function readings(digits: string): readonly number[] {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const whole = Number(digits.replaceAll(/[.,]/g, ''))
  if (last === -1) return [whole]
  const marks = new Set(digits.replaceAll(/\d/g, ''))
  const head = digits.slice(0, last).replaceAll(/[.,]/g, '')
  const split = Number(`${head}.${digits.slice(last + 1)}`)
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(digits)
  if (isGrouped && marks.size === 1)
    return digits.split(/[.,]/).length > 2 ? [whole] : [split, whole]
  // "1.2.3" has no numeric reading.
  return marks.size === 1 && digits.split(/[.,]/).length > 2 ? [Number.NaN] : [split]
}

// ---- words ----

function wordFigure(word: string): Figure | null {
  const lower = word.toLowerCase()
  if (!/\p{N}/u.test(lower)) return letters(word, lower)
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/.exec(lower)
  if (ordinal !== null) return { kind: 'day', said: word, day: Number(ordinal[1]) }
  const [, count, unit] = /^(\d+)(?:-\p{L}{3,})*-(\p{L}{3,})$/u.exec(word) ?? []
  // "30-day", not "30-DAY": ids are written in capitals.
  if (count !== undefined && unit === unit?.toLowerCase()) return countFigure(word, Number(count))
  if (/^\d+$/.test(lower)) return countFigure(word, Number(lower))
  const values = /^\d+-\d+$/.test(lower) ? lower.split('-').map(Number) : []
  return values.length > 0
    ? { kind: 'span', said: word, id: lower, values }
    : { kind: 'id', said: word, id: lower }
}

const countFigure = (said: string, value: number, counts = false): Figure => ({
  kind: 'number',
  said,
  values: [value],
  currency: null,
  isPercent: false,
  counts,
})

const RELATIVE: ReadonlySet<string> = new Set(['today', 'tonight', 'tomorrow', 'yesterday'])
const WEEKDAY = /^(?:sun|mon|tues|wednes|thurs|fri|satur)days?$/
/** Without those that are also other words. */
const SHORT_WEEKDAY = /^(?:Mon|Tues?|Thu(?:rs?)?|Fri)$/
/** Without those that are also other words. */
const MONTH = /^(?:january|february|april|june|july|august|september|october|november|december)$/

function letters(word: string, lower: string): Figure | null {
  if (RELATIVE.has(lower)) return { kind: 'relative', said: word, word: lower }
  if (lower === 'noon') return { kind: 'time', said: word, minutes: 12 * 60 }
  if (lower === 'midnight') return { kind: 'time', said: word, minutes: 0 }
  if (WEEKDAY.test(lower) || SHORT_WEEKDAY.test(word)) {
    return {
      kind: 'weekday',
      said: word,
      weekday: WEEKDAYS.findIndex((day) => lower.startsWith(day)),
    }
  }
  if (MONTH.test(lower)) return { kind: 'month', said: word, month: monthOf(lower), year: null }
  const value = numberInWords(lower)
  return value === null ? null : countFigure(word, value, true)
}

/** `twelve`, `twenty-one`; null for any other word. */
function numberInWords(word: string): number | null {
  const [first = '', second, ...more] = word.split('-')
  const value = valueOfWord(first)
  if (value === null || more.length > 0) return null
  if (second === undefined) return value
  const ones = second === 'one' ? 1 : valueOfWord(second)
  return ones === null || ones > 9 || value < 20 || value > 90 ? value : value + ones
}

const scaleOf = (word: string): number | undefined => (word === 'billion' ? 1e9 : SCALES.get(word))

function valueOfWord(word: string): number | null {
  const value = scaleOf(word) ?? CARDINALS.get(word)
  return value === undefined || value < 2 ? null : value
}
