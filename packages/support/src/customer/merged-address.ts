import type { JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { UNIT } from './address-text.ts'

/** The unit of an address, as a part of its own. */
const UNIT_PART = new RegExp(`,?\\s*${UNIT.source}`, 'iu')

/**
 * A correction of a free-text value may name only its beginning: "sorry, 6 Main St" after "5 Main St, Boston" means
 * "6 Main St, Boston". The confirmation that follows shows the whole.
 */
export function mergedAddress(intent: Intent, before: JsonObject, params: JsonObject): JsonObject {
  const merged = Object.entries(params).map(([name, value]) => {
    const old = before[name]
    const isFree = intent.params[name]?.wholeAnswer === true
    if (!isFree || typeof value !== 'string' || typeof old !== 'string') return [name, value]
    return [name, withPlaceOf(old, value)]
  })
  return Object.fromEntries(merged)
}

/**
 * A new street keeps the town of the old one, and another number in the same street its unit as well. A value with a
 * comma of its own is whole.
 */
function withPlaceOf(old: string, value: string): string {
  const plain = old.replace(UNIT_PART, '')
  const isOtherNumber = streetIn(plain) === streetIn(value) && !UNIT_PART.test(value)
  const unit = isOtherNumber ? (UNIT_PART.exec(old)?.[0] ?? '') : ''
  const at = plain.indexOf(',')
  const isWhole = value
    .replace(UNIT_PART, '')
    .replace(/^[\s,]+/u, '')
    .includes(',')
  return at < 0 || isWhole ? value : `${value}${unit}${plain.slice(at)}`
}

/** The street of an address, without its number. */
const streetIn = (address: string): string =>
  (address.split(',')[0] ?? '')
    .replace(/^[\s\d]+/u, '')
    .trim()
    .toLowerCase()

/** The free-text value of an intent that was given: its name, and the value. */
export function addressOf(
  { params: specs, requiredParams }: Intent,
  params: JsonObject,
): { readonly param: string; readonly value: string } | null {
  const [param] = requiredParams.filter((name) => specs[name]?.wholeAnswer === true)
  const value = param === undefined ? undefined : params[param]
  return param === undefined || typeof value !== 'string' ? null : { param, value }
}

/** Longer texts say more than a part of an address. */
const MOST_CHARACTERS = 120

/**
 * An address with the part that a text corrects: "the zip is 85705, not 85701", "no, apartment 4". `null` if it
 * corrects none, or it is not clear which.
 */
export function patchedAddress(old: string, text: string): string | null {
  if (text.length > MOST_CHARACTERS || text.includes('?')) return null
  const patched =
    withSwapped(old, text) ??
    withZip(old, text) ??
    withUnit(old, text) ??
    withNumber(old, text) ??
    withSwappedWords(old, text)
  return patched === old ? null : patched
}

const LEAD =
  "\\W*(?:(?:no|nope|oops|oh|ah|sorry|wait|hang on|actually|hmm+|and|but|also|my (?:bad|mistake)|i meant?|it'?s|it is|should be|it should be|rather|typo|correction|in|at|with|yes|please|pls|add|plus)[\\s,.!:-]+)*"
const TAIL =
  '(?:[\\s,.!]+(?:please|pls|sorry|thanks|thank you|instead|actually|my (?:bad|mistake)|(?:i )?forgot (?:that|it)))*\\W*$'

const SWAPS: readonly RegExp[] = [
  /(?<now>\b\p{L}?\d[\p{L}\d]*\b),?\s+(?:and )?not (?:number |apartment |apt\.? |unit |#)?(?<then>\p{L}?\d[\p{L}\d]*)\b/iu,
  /\bnot (?:number |apartment |apt\.? |unit |#)?(?<then>\p{L}?\d[\p{L}\d]*)\b[\s,.;]+(?:but |it'?s |it is |rather )?(?<now>\p{L}?\d[\p{L}\d]*)\W*$/iu,
]

/** "85705, not 85701": the number that is refused, if the address holds it once. */
function withSwapped(old: string, text: string): string | null {
  // More than two numbers may be an address of their own.
  if ((text.match(/\d+/gu) ?? []).length !== 2) return null
  const found = SWAPS.map((swap) => swap.exec(text)?.groups).find((one) => one !== undefined)
  const { now, then } = found ?? {}
  if (now === undefined || then === undefined) return null
  const places = [...old.matchAll(new RegExp(`(?<![\\p{L}\\d-])${then}(?![\\p{L}\\d-])`, 'giu'))]
  const [place] = places
  if (place === undefined || places.length > 1) return null
  return `${old.slice(0, place.index)}${now}${old.slice(place.index + then.length)}`
}

const ZIP = /(?<=\b\p{Lu}{2},? )\d{5}(?:-\d{4})?(?=\W*$)/u
const ZIP_SAID = new RegExp(
  `^${LEAD}(?:[^\\d.!?]{0,40}\\b(?:zip|post(?:al)?)(?: ?code)?\\b[^\\d.!?]{0,30})?(\\d{5}(?:-\\d{4})?)${TAIL}`,
  'iu',
)

function withZip(old: string, text: string): string | null {
  const [, zip] = ZIP_SAID.exec(text) ?? []
  const isRefused = /\b(?:not|isn't|wasn't)\b/iu.test(text)
  return zip === undefined || isRefused || !ZIP.test(old) ? null : old.replace(ZIP, zip)
}

const UNIT_SAID = new RegExp(`^${LEAD}(?:the )?(${UNIT.source})${TAIL}`, 'iu')
const UNIT_WITHIN = new RegExp(
  `${UNIT.source}|(?<!\\p{L})(?:\\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|ground|top) floor\\b`,
  'giu',
)

/** "You forgot unit 3": the one that is named, where no other number is. */
function unitWithin(text: string): string | undefined {
  const all = text.match(UNIT_WITHIN) ?? []
  // "The apartment I rent" names none.
  const [found, ...others] = all.filter(
    (one) => /\d|floor|\p{Lu}$/u.test(one) && !one.endsWith(' I'),
  )
  const isAlone = found !== undefined && others.length === 0 && !/\d/u.test(text.replace(found, ''))
  const isPlain =
    !/\b(?:no|not|never|without|leave|drop|put|knock|ring)\b(?! (?:apt|apartment|unit|suite)\b)|n't\b/iu.test(
      text,
    )
  return isAlone && isPlain ? found : undefined
}

function withUnit(old: string, text: string): string | null {
  const unit = UNIT_SAID.exec(text)?.[1] ?? unitWithin(text)
  if (unit === undefined) return null
  const plain = old.replace(UNIT_PART, '')
  const at = plain.indexOf(',')
  return at < 0 ? `${plain}, ${unit}` : `${plain.slice(0, at)}, ${unit}${plain.slice(at)}`
}

const NUMBER_SAID =
  /(?:\b(?:house|street|door|building)[\s-]?)?\b(?:number|no\.?|nr\.?) (?:is |should be |must be |has to be |= ?)?(?:actually |really )?(\d{1,5}\p{L}?)(?![\p{L}\d-])/iu
const OTHER_NUMBER =
  /\b(?:phone|mobile|cell|order|tracking|zip|post\p{L}*|apt|apartment|unit|suite|floor|gate|door code|leave|neighbou?r\p{L}*)\b/iu

/** "The house number is 55". */
function withNumber(old: string, text: string): string | null {
  const [, number] = NUMBER_SAID.exec(text) ?? []
  const isOnly = (text.match(/\d+/gu) ?? []).length === 1
  if (number === undefined || !isOnly || OTHER_NUMBER.test(text)) return null
  return /\bnot\b|n't\b/iu.test(text) ? null : old.replace(/(?<=^|, )\d+\p{L}?(?= \p{L})/u, number)
}

const WORDS = "\\p{L}[\\p{L}.'-]*(?: \\p{L}[\\p{L}.'-]*){0,2}"
const WORD_SWAPS: readonly RegExp[] = [
  `(?:^|\\b(?:it'?s|it is|its|is|to|in|on|should be|must be|called)\\s+|[,.;!]\\s*)(?<now>${WORDS}),?\\s+(?:and )?(?:not|instead of|rather than) (?:on |in |at )?(?<then>${WORDS})\\W*$`,
  `\\bnot (?:on |in |at )?(?<then>${WORDS}?)[\\s,.;]+(?:but |it'?s |it is |rather )+(?:on |in |at )?(?<now>${WORDS})\\W*$`,
].map((source) => new RegExp(source, 'iu'))

/** "It's Oak Avenue, not Oak Street": words of the address, and those that replace them. */
function withSwappedWords(old: string, text: string): string | null {
  if (/\d/u.test(text)) return null
  const found = WORD_SWAPS.map((swap) => swap.exec(text)?.groups).find((one) => one !== undefined)
  const { then = '' } = found ?? {}
  const now = (found?.['now'] ?? '').replace(
    /^(?:(?:it'?s|it is|in|on|to|is|no|sorry|should be) )+/iu,
    '',
  )
  const at = old.toLowerCase().indexOf(then.toLowerCase())
  const isOnce = then !== '' && at >= 0 && at === old.toLowerCase().lastIndexOf(then.toLowerCase())
  const own = then.toLowerCase().split(' ')
  const isLike = now
    .toLowerCase()
    .split(' ')
    .some((word) => own.includes(word))
  // "My office, not Austin" names another place.
  if (!isOnce || !(isLike || /^\p{Lu}/u.test(now))) return null
  return `${old.slice(0, at)}${now}${old.slice(at + then.length)}`
}
