import { CARDINALS, ORDINALS } from '../../../../core/value/number-words.ts'
import { type Found, here, on, type Place } from './words.ts'

/** A whole number above zero: `45`, `1,000`, `twenty-five`, `a hundred and ten`, `a`. */
export function cardinal(place: Place): Found<number> {
  const word = here(place)
  const digits = word.replaceAll(',', '')
  if (/^\d{1,6}$/.test(digits)) return positive({ thing: Number(digits), next: on(place) })
  const hundred = here(place, 1) === 'hundred' ? hundreds(place) : undefined
  if (hundred !== undefined) return hundred
  if (word === 'a' || word === 'an') return { thing: 1, next: on(place) }
  return positive(belowHundred(place))
}

function positive(found: Found<number>): Found<number> {
  return found !== undefined && found.thing > 0 ? found : undefined
}

function hundreds(place: Place): Found<number> {
  const first = here(place) === 'a' ? 1 : digit(CARDINALS, place)
  if (first === undefined) return undefined
  const behind = on(place, 2)
  const joined = here(behind) === 'and' ? on(behind) : behind
  const rest = belowHundred(joined)
  return rest === undefined
    ? { thing: first * 100, next: behind }
    : { thing: first * 100 + rest.thing, next: rest.next }
}

function belowHundred(place: Place): Found<number> {
  const value = CARDINALS.get(here(place))
  if (value === undefined) return undefined
  if (value < 20) return { thing: value, next: on(place) }
  const behind = afterTen(place)
  const one = digit(CARDINALS, behind)
  return one === undefined
    ? { thing: value, next: on(place) }
    : { thing: value + one, next: on(behind) }
}

/** The position of the last digit in "twenty-one". */
const afterTen = (place: Place): Place => on(place, here(place, 1) === '-' ? 2 : 1)

/** 1 to 9, by its word. */
function digit(words: ReadonlyMap<string, number>, place: Place): number | undefined {
  const value = words.get(here(place)) ?? 0
  return value >= 1 && value <= 9 ? value : undefined
}

/** `3rd`, `third`, `twenty-first`; never `last`. */
export function ordinal(place: Place): Found<number> {
  const digits = /^(\d+)(?:st|nd|rd|th)$/.exec(here(place))?.[1]
  if (digits !== undefined) return { thing: Number(digits), next: on(place) }
  const ten = CARDINALS.get(here(place)) ?? 0
  if (ten >= 20) {
    const behind = afterTen(place)
    const one = digit(ORDINALS, behind)
    return one === undefined ? undefined : { thing: ten + one, next: on(behind) }
  }
  const value = ORDINALS.get(here(place))
  return value === undefined ? undefined : { thing: value, next: on(place) }
}
