import { weekdayName, weekdayNumbers } from '../read/names.ts'
import { type Found, type Cursor, advance, peek, skip } from '../read/cursor.ts'
import type { Yearly } from '../yearly.ts'
import { AMERICAN } from './american.ts'
import { CHRISTIAN } from './christian.ts'
import { CHINESE, ISLAMIC, JEWISH } from './eastern.ts'
import { INDIAN } from './indian.ts'
import { OBSERVANCES } from './observances.ts'
import type { Holidays } from './rules.ts'

/** `national` or `international` may precede any of these names. */
const CIVIL = named([...AMERICAN, ...OBSERVANCES])
const BY_NAME = new Map([
  ...CIVIL.flatMap(([name, yearly]) =>
    ['', 'national ', 'international '].map((kind) => [kind + name, yearly] as const),
  ),
  ...named([...CHRISTIAN, ...ISLAMIC, ...JEWISH, ...CHINESE, ...INDIAN]),
])
/** Names from other scripts have many spellings, so they are compared by sound. */
const BY_SOUND = new Map(
  named([...ISLAMIC, ...INDIAN]).map(([name, yearly]) => [sound(name), yearly] as const),
)
/** In tokens. A hyphen between spaces is a token of its own. */
const MAX_NAME_LENGTH = 1 + Math.max(...[...BY_NAME.keys()].map((name) => name.split(' ').length))

/** Parses the longest holiday name at this cursor; `day` may follow. */
export function holiday(cursor: Cursor): Found<Yearly> | undefined {
  for (let length = MAX_NAME_LENGTH; length > 0; length -= 1) {
    const name = nameAt(cursor, length)
    const value = name && (BY_NAME.get(name) ?? BY_SOUND.get(sound(name)))
    if (value) return { value, rest: skip(advance(cursor, length), 'day') }
  }
  return undefined
}

/** The next `length` tokens as in the table of names: weekdays in full, without hyphens. */
function nameAt(cursor: Cursor, length: number): string | undefined {
  const words = Array.from({ length }, (_, ahead) => peek(cursor, ahead)?.text)
  if (words.includes(undefined)) return undefined
  return words
    .map((word = '') => weekdayName(weekdayNumbers.get(word) ?? 0).toLowerCase() || word)
    .join(' ')
    .replaceAll(' - ', ' ')
}

/** Maps common spellings of the same sound to one form. */
function sound(name: string): string {
  return name
    .replaceAll(/([bcdgkpst])h+/gu, '$1')
    .replaceAll(/ee|ii|ey/gu, 'i')
    .replaceAll(/oo|ou/gu, 'u')
    .replaceAll('w', 'v')
    .replaceAll('z', 's')
    .replaceAll('q', 'k')
    .replaceAll(/(.)\1/gu, '$1')
}

function named(holidays: Holidays): readonly (readonly [string, Yearly])[] {
  return holidays.flatMap(([yearly, names]) =>
    names.split(', ').flatMap((name) => spelled(name).map((one) => [one, yearly] as const)),
  )
}

/** All names that a pattern matches: `eid (al|ul) fitr` matches two. */
function spelled(pattern: string): readonly string[] {
  const choice = /\(([^()]*)\) ?/u.exec(pattern)
  if (!choice) return [pattern.trim()]
  return (choice[1] ?? '').split('|').flatMap((word) => {
    const before = pattern.slice(0, choice.index)
    const behind = pattern.slice(choice.index + choice[0].length)
    return spelled(`${before}${word} ${behind}`.replace(/^ | (?= )/gu, ''))
  })
}
