import { isJsonArray } from 'echelon/internal/value'
import type { Customer } from '../primitives/data-source.ts'
import { UNIT } from './address-text.ts'

/** An address of the customer's own, and what they call it. */
export interface OwnAddress {
  /** "Office"; `null` for a home. */
  readonly label: string | null
  readonly text: string
}

/** The addresses in a customer's record. */
export function ownAddresses(customer: Customer | null): readonly OwnAddress[] {
  const given = customer?.['addresses']
  if (given === undefined || !isJsonArray(given)) return []
  return given.flatMap((one) => (typeof one === 'string' && /\d/u.test(one) ? [parsed(one)] : []))
}

/** "Office, 900 Main St, …": the part before the address names it. */
function parsed(text: string): OwnAddress {
  const [first = '', ...rest] = text.split(/,\s*/u)
  if (/^c\/o\b/iu.test(first)) return { label: first, text }
  if (/^(?:po|p\.o\.) box\b/iu.test(first)) return { label: 'PO box', text }
  return /\d/u.test(first) ? { label: null, text } : { label: first, text: rest.join(', ') }
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['st', 'street'],
  ['str', 'street'],
  ['ave', 'avenue'],
  ['av', 'avenue'],
  ['rd', 'road'],
  ['dr', 'drive'],
  ['ln', 'lane'],
  ['ct', 'court'],
  ['blvd', 'boulevard'],
  ['ter', 'terrace'],
  ['cir', 'circle'],
  ['apt', 'apartment'],
  ['fl', 'floor'],
  ['pl', 'place'],
  ['sq', 'square'],
])

const tokensOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => SHORT.get(word) ?? word)

/** The one own address of which a value says the street and its number, in any order; `null` for none. */
export function completedAddress(value: string, own: readonly OwnAddress[]): string | null {
  const said = tokensOf(value)
  const isNamed = said.some((token) => /^\p{L}{3,}$/u.test(token) && !STREETS.has(token))
  const found = own.filter(({ text }) => {
    const tokens = tokensOf(text)
    const number = tokens.find((token) => /^\d/u.test(token))
    const isWhole = said.every((token) => tokens.includes(token))
    return isNamed && isWhole && number !== undefined && said.includes(number)
  })
  const [only, ...others] = found
  return only === undefined || others.length > 0 ? null : only.text
}

/** Words that many streets have. */
const STREETS: ReadonlySet<string> = new Set([...SHORT.values(), 'way', 'box', 'unit'])

const HOME =
  /\b(?:my|our|the) (?:own )?(?:home|house|place|apartment|flat)(?: address)?\b|\b(?:to|at|back) home\b|\bhome address\b|\bwhere i live\b/iu
const ON_FILE =
  /\baddress (?:\p{L}+ ){0,3}(?:on file|in (?:my|the) (?:account|profile)|you have)\b|\b(?:usual|normal|regular|default|saved|registered|standard|billing) (?:address|one|place)\b/iu
/** Places that the customer does not mean: "not the studio", "instead of my office". */
const REFUSED =
  /\b(?:not|instead of|rather than|from)(?: (?:to|at))? (?:my|the|our) [^.,;!?]{2,40}?(?=[.,;!?]|\bto\b|\binstead\b|$)/giu

/**
 * The own address that a text names as a place: "to my home", "the address on file", "my office". The order goes
 * elsewhere today, so its own address is not meant.
 */
export function placeNamed(
  said: string,
  own: readonly OwnAddress[],
  current: string | null,
): string | null {
  const text = said.replaceAll(REFUSED, ' ')
  const others = own.filter((one) => one.text !== current)
  const [second] = SECOND.test(text) ? own.slice(1) : []
  if (second !== undefined && second.text !== current) return second.text
  if (OTHER.test(text) && others.length === 1) return others[0]?.text ?? null
  const labeled = own.filter(({ label }) => label !== null && isLabeled(text, label))
  const isHome = HOME.test(text) || ON_FILE.test(text)
  const homes = isHome ? own.filter(({ label }) => label === null) : []
  const found = (labeled.length > 0 ? labeled : homes).filter((one) => one.text !== current)
  const [only, ...more] = found
  return only === undefined || more.length > 0 ? null : only.text
}

const SECOND = /\b(?:my|the) second (?:saved )?address\b/iu
const OTHER = /\b(?:my|the) other (?:saved )?address\b/iu

const isLabeled = (text: string, label: string): boolean => {
  const words = label === 'Office' || label === 'Work' ? 'office|work(?:place)?' : escaped(label)
  return new RegExp(`(?<!\\p{L})(?:my|the|our|to|at) (?:${words})(?!\\p{L})`, 'iu').test(text)
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Whether an address names a street alone, without its town. */
export const isStreetAlone = (address: string): boolean =>
  !/\d{4,}\D*$/u.test(address) &&
  !address
    .replace(new RegExp(UNIT.source, 'giu'), '')
    .replace(/^[\s,]+|[\s,]+$/gu, '')
    .includes(',')
