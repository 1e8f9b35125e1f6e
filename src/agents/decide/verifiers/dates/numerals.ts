import { type Found, here, on, type Place } from './words.ts'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  )

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
  const first = here(place) === 'a' ? 1 : ONES.indexOf(here(place))
  if (first < 1 || first > 9) return undefined
  const behind = on(place, 2)
  const joined = here(behind) === 'and' ? on(behind) : behind
  const rest = belowHundred(joined)
  return rest === undefined
    ? { thing: first * 100, next: behind }
    : { thing: first * 100 + rest.thing, next: rest.next }
}

function belowHundred(place: Place): Found<number> {
  const ten = TENS.indexOf(here(place))
  if (ten >= 2) {
    const gap = here(place, 1) === '-' ? 2 : 1
    const one = ONES.indexOf(here(place, gap))
    return one >= 1 && one <= 9
      ? { thing: ten * 10 + one, next: on(place, gap + 1) }
      : { thing: ten * 10, next: on(place) }
  }
  const one = ONES.indexOf(here(place))
  return one < 0 ? undefined : { thing: one, next: on(place) }
}

/** `3rd`, `third`, `twenty-first`; never `last`. */
export function ordinal(place: Place): Found<number> {
  const digits = /^(\d+)(?:st|nd|rd|th)$/.exec(here(place))?.[1]
  if (digits !== undefined) return { thing: Number(digits), next: on(place) }
  const ten = TENS.indexOf(here(place))
  if (ten >= 2) {
    const gap = here(place, 1) === '-' ? 2 : 1
    const one = ORDINALS.indexOf(here(place, gap))
    return one >= 1 && one <= 9 ? { thing: ten * 10 + one, next: on(place, gap + 1) } : undefined
  }
  if (here(place) === 'thirtieth') return { thing: 30, next: on(place) }
  const one = ORDINALS.indexOf(here(place))
  return one < 1 ? undefined : { thing: one, next: on(place) }
}
