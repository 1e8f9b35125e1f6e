import type { ContentRule } from './rule.ts'

/** A blank of any width, and the other separators between the groups of a phone number. */
const GAP = '[ \\u00a0\\u2009\\u202f]'
const SEPARATOR = '[ \\u00a0\\u2009\\u202f./()\\u2010\\u2011\\u2013-]'
/** Not followed by more of a longer number or word, or by decimals. */
const END = '(?![\\w]|[.,]\\d)'

/** With fewer digits a plus sign marks an increase: `+250000`. */
const LEAST_DIGITS = 9

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** North American plan: groups of three, three and four. */
const NANP = new RegExp(
  `^(?:\\+|%2B)1${SEPARATOR}{0,2}\\d{3}${SEPARATOR}{0,2}\\d{3}${SEPARATOR}?\\d{4}(?!\\d)`,
  'i',
)
/** Eleven digits, in any groups. */
const RUSSIAN = new RegExp(`^(?:\\+|%2B)7(?:${SEPARATOR}{0,2}\\d){10}(?!\\d)`, 'i')

/** `+1` and `+7` numbers have one length; other country codes allow any. */
function internationalIn(found: string): string {
  const number = digitsOf(found.replace(/%2B/i, ''))
  if (number.startsWith('1')) return NANP.exec(found)?.[0] ?? ''
  if (number.startsWith('7')) return RUSSIAN.exec(found)?.[0] ?? ''
  return number.length >= LEAST_DIGITS ? found : ''
}

const isTime = (group: string): boolean => /^(?:[01]\d|2[0-3])[0-5]\d$/.test(group)
const isYear = (group: string): boolean => /^(?:19|20)\d\d$/.test(group)

/** Ascending pairs, as in `05 12 23 34 45`; about one in a hundred phone numbers written in pairs is one. */
const isAscending = (groups: readonly string[]): boolean =>
  groups.length >= 5 && groups.every((group, index) => group > (groups[index - 1] ?? ''))

/** The leading 0 of a national number never starts an amount, but does start padded numbers, times and bits. */
function nationalIn(found: string): string {
  const groups = found.match(/\d+/g) ?? []
  const digits = digitsOf(found)
  const isRow =
    /^[01]+$/.test(digits) ||
    (groups.length > 1 &&
      (groups.every((group) => group.startsWith('0')) || groups.every(isTime))) ||
    isYear(groups[1] ?? '') ||
    isAscending(groups)
  return isRow || digits.length < 9 || digits.length > 13 ? '' : found
}

const labeledIn = (found: string): string => (digitsOf(found).length >= 6 ? found : '')

const LABEL =
  '(?:tele(?:phone|fon)|phone|tel|mobile?|mob|handy|cell(?:phone)?|fax|whatsapp|sms|rufnummer|' +
  '(?:call|reach|ring|text) (?:me|us|him|her|them)|erreichbar)'
const LABEL_REST =
  '(?:\\s?(?:number|nummer|no|nr|#))?\\.?(?:\\s?(?:is|ist|was|are|on|at|to|under|unter|:|=)){0,2}'

/**
 * Finds phone numbers: with a plus; with a national 0; in North America's three, three, four with
 * dots, hyphens or brackets; and in any format after a word that announces one. Three groups separated
 * by blanks without a label (`415 555 2671`) count as a row of numbers.
 */
export const PHONE_RULES: readonly ContentRule[] = [
  {
    // In groups, or as one number that is not added to another: `15 +491711234567` is a sum.
    pattern: `(?<![\\w.)])(?:\\+|%2B)(?=\\d{1,14}${SEPARATOR})[1-9](?:${SEPARATOR}{0,2}\\d){7,14}${END}`,
    part: internationalIn,
  },
  {
    pattern: `(?<![\\w.)]|\\d\\s{1,2})(?:\\+|%2B)[1-9]\\d{7,14}${END}`,
    part: internationalIn,
  },
  {
    pattern: `(?<![\\w.+-]|\\d,)00(?:[1-9]\\d{8,12}|[1-9]\\d{0,2}${SEPARATOR}{1,2}(?:0\\)${SEPARATOR}?)?[1-9](?:${SEPARATOR}{0,2}\\d){5,12})${END}`,
  },
  {
    // In pairs, and not part of a longer row of pairs.
    pattern: `(?<![\\w.+-]|\\d${SEPARATOR})0[1-9](?:(?:${GAP}\\d\\d){4}|(?:\\.\\d\\d){4}|(?:-\\d\\d){4})(?!\\w|${SEPARATOR}\\d)`,
    part: nationalIn,
  },
  {
    // Three digits after others may be thousands: `936,319,062 - 73061874`.
    pattern: `(?<![\\w.+-]|\\d(?:,|${GAP})(?=0\\d\\d(?!\\d)))0[1-9]\\d{1,4}(?:${GAP}?[/-]${GAP}?|${GAP})\\d{3,8}(?:[ \\u00a0-]\\d{2,4}){0,3}${END}`,
    part: nationalIn,
  },
  {
    pattern: `(?<![\\w.+-])0[1-9][ \\u00a0-](?:\\d{8}|\\d{4}[ \\u00a0-]\\d{4})${END}`,
    part: nationalIn,
  },
  {
    pattern: `(?<!\\w)\\(0\\d{1,5}\\)${GAP}?\\d{3,8}(?:[ \\u00a0-]\\d{2,4}){0,3}${END}`,
    part: nationalIn,
  },
  { pattern: `(?<![\\w.+-]|\\d,)0[1-9]\\d{8,10}(?![\\w-]|[.,]\\d)`, part: nationalIn },
  {
    pattern: `(?<![\\w.])(?:\\(\\d{3}\\)${GAP}?\\d{3}[-. ]\\d{4}|\\d{3}[-.]\\d{3}[-.]\\d{4})(?!\\w)`,
  },
  {
    pattern: `(?<=\\b${LABEL}${LABEL_REST}\\s{0,3})[\\d(](?:${SEPARATOR}{0,2}\\d){5,14}${END}`,
    part: labeledIn,
  },
].map(({ pattern, ...rest }) => ({ kind: 'phone', pattern: new RegExp(pattern, 'gi'), ...rest }))
