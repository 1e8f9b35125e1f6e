import type { Message } from '../message.ts'
import { POSTAL } from './address-text.ts'

/** Messages back in which an address may have been said. */
const MOST_BEFORE = 12

/** Words by which customers refer to an address that they gave. */
const REFERS =
  /\b(?:(?:the|that|my) )?(?:one|address|place|street)? ?(?:that )?(?:i|we)(?:'ve| have)?(?: just| already)? (?:gave|given|told|said|wrote|written|sent|mentioned|typed|named)\b|\b(?:as|like) (?:i|we) (?:said|wrote|told)\b|\b(?:to|at|use|with) (?:that|this|the new|my new|our new|the other|the right|the correct) (?:address|one|place)\b/iu

/** Words that many streets have, and numbers. */
const NO_STREET =
  /^(?:\d.*|street|st|avenue|ave|road|rd|drive|dr|lane|ln|court|ct|boulevard|blvd|way|place|pl|terrace|circle|square|apartment|apt|unit|suite|floor|north|south|east|west|n|s|e|w)$/u

/**
 * The address that the customer said before, and that a text refers to: by the name of its street, or as the one
 * that was given. `null` if no address was said, or several fit.
 *
 * @param current where the order goes now
 */
export function addressSaid(
  text: string,
  history: readonly Message[],
  current: string | null,
): string | null {
  const said = history
    .filter(({ role }) => role === 'user')
    .slice(-MOST_BEFORE)
    .flatMap((message) => POSTAL.exec(message.text)?.[0] ?? [])
  const others = [...new Set(said)].filter((address) => address !== current)
  const words = wordsOf(text)
  const named = others.filter((address) => {
    const [street = ''] = address.split(',')
    const own = wordsOf(street).filter((word) => !NO_STREET.test(word))
    return own.length > 0 && own.every((word) => words.includes(word))
  })
  const meant = named.length > 0 ? named : REFERS.test(text) ? others : []
  const [only, ...more] = meant
  return only === undefined || more.length > 0 ? null : only
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
