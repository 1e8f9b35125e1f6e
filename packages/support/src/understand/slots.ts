import { addressIn, isAddressLike, POSTAL, withoutAround } from '../customer/address-text.ts'
import type { Intent, ParamSpec } from '../intent.ts'
import { MOST_CHARACTERS } from 'echelon/internal/classify'
import { hintsAt, isNumber, isWhole } from './whole-value.ts'

/** A parameter's value, as mentioned in a text. */
export interface Mention {
  readonly param: string
  /** Normalized as the intents file specifies. */
  readonly value: string
  /** Its position in the text. */
  readonly from: number
  readonly to: number
}

/**
 * Normalizes a text: cuts it to the maximum length, and replaces typeset characters and those of other scripts by
 * the plain ones used in patterns.
 */
export const readable = (text: string): string =>
  plainSigns(text.slice(0, MOST_CHARACTERS)).slice(0, MOST_CHARACTERS)

const plainSigns = (text: string): string =>
  text
    // "5²" is not 52, and "½" no 1 and no 2.
    .replace(/[\p{No}\p{Nl}]/gu, '\u2044$&')
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/[\p{Cc}\p{Cf}\p{Zs}]/gu, ' ')

/** Mentions of an intent's parameters, in text order. */
export function mentionsOf(text: string, intent: Intent): readonly Mention[] {
  const params = [...intent.requiredParams, ...intent.optionalParams]
  const mentions: Mention[] = []
  // Whole-answer parameters come last: an address may hold anything that no other pattern has claimed.
  for (const whole of [false, true]) {
    for (const param of params) {
      const spec = intent.params[param]
      if (spec === undefined || spec.wholeAnswer !== whole) continue
      const rest = without(text, mentions)
      for (const found of whole ? afterPreposition(rest, spec) : matches(rest, spec)) {
        mentions.push({ param, ...found })
      }
    }
  }
  return mentions.toSorted((a, b) => a.from - b.from)
}

/**
 * Parameters with an invalid value in a text: ".5", "5 or 6", an id with letters around it. They are asked for,
 * even if optional.
 */
export function doubtsIn(text: string, intent: Intent): readonly string[] {
  const plain = readable(text)
  const mentions = mentionsOf(plain, intent)
  return [...intent.requiredParams, ...intent.optionalParams].filter((param) => {
    const spec = intent.params[param]
    if (spec === undefined) return false
    const values = new Set(mentions.flatMap((one) => (one.param === param ? [one.value] : [])))
    if (values.size > 0) return values.size > 1 && isNumber(spec)
    return hintsAt(without(plain, mentions), spec)
  })
}

/** The normalized value if a whole text is one; `null` otherwise. */
export function wholeValue(text: string, spec: ParamSpec | undefined): string | null {
  const value = bare(spec === undefined ? text : withoutTail(text, spec))
  if (value === '') return null
  if (spec === undefined) return value
  const listed = Object.entries(spec.values)
  if (listed.length > 0) {
    const [only] = listed.filter(([name, words]) =>
      [name, ...words].some((word) => fold(word) === fold(value)),
    )
    return only?.[0] ?? null
  }
  const isAddress = spec.wholeAnswer && spec.pattern?.includes('\\d') === true
  if (isAddress && !isAddressLike(value)) return null
  return new RegExp(`^(?:${spec.pattern ?? '[^]+'})$`, 'iu').test(value)
    ? formed(value, spec)
    : null
}

/** Normalizes a value, so that different spellings become equal. */
const formed = (value: string, { form }: ParamSpec): string =>
  form === 'upper' ? value.toUpperCase() : form === 'lower' ? value.toLowerCase() : value

/** Folds case, blanks and typesetting, for comparison. */
export const fold = (text: string): string =>
  plainSigns(text).replace(/\s+/g, ' ').trim().toLowerCase()

type Found = Omit<Mention, 'param'>

function matches(text: string, spec: ParamSpec): readonly Found[] {
  const listed = Object.entries(spec.values)
  if (listed.length > 0) return listedValues(text, listed)
  if (spec.pattern === null) return []
  return [...text.matchAll(standingAlone(spec.pattern))].flatMap(({ 0: said, index }) =>
    said === '' || !isWhole(text, index, index + said.length, spec)
      ? []
      : [{ value: formed(said, spec), from: index, to: index + said.length }],
  )
}

/** Within a longer word or number, a match is a different value. */
const standingAlone = (pattern: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}][-_])(?:${pattern})(?![-_]?[\\p{L}\\p{N}])`, 'giu')

function listedValues(
  text: string,
  listed: readonly (readonly [string, readonly string[]])[],
): readonly Found[] {
  return listed.flatMap(([value, words]) => {
    const said = (words.length === 0 ? [value] : words)
      .flatMap(withNumberWord)
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
    return [...text.matchAll(standingAlone(said.join('|')))].map(({ 0: said, index }) => ({
      value,
      from: index,
      to: index + said.length,
    }))
  })
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** A small number is said in digits or in a word: "a table for two". */
const withNumberWord = (words: string): readonly string[] => {
  const word = /^\d{1,2}$/.test(words) ? NUMBERS[Number(words)] : undefined
  return word === undefined ? [words] : [words, word]
}

/** Blanks and apostrophes as people type them. */
const escaped = (words: string): string =>
  readable(words)
    .trim()
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll("'", "'?")
    .replace(/\s+/g, '\\s+')

/** The value after the first `to` or colon whose entire rest is one; one with its postal code if there is any. */
function afterPreposition(text: string, spec: ParamSpec): readonly Found[] {
  const postal = POSTAL.exec(text)
  for (const { 0: word, index } of [...text.matchAll(/\b(?:to|at|is)\s|:/giu)].slice(0, 20)) {
    const from = index + word.length
    const value = wholeValue(text.slice(from), spec)
    const isFull = postal === null || (value !== null && POSTAL.test(value))
    if (value !== null && isFull) return [{ value, from, to: text.length }]
  }
  const value = postal === null ? null : wholeValue(addressIn(text) ?? postal[0], spec)
  return postal === null || value === null
    ? []
    : [{ value, from: postal.index, to: postal.index + postal[0].length }]
}

/** Blanks out the mentions, so that the other positions stay the same. */
const without = (text: string, mentions: readonly Mention[]): string =>
  mentions.reduce(
    (text, { from, to }) => text.slice(0, from) + ' '.repeat(to - from) + text.slice(to),
    text,
  )

/** Removes surrounding courtesies. */
function bare(text: string): string {
  const plain = readable(text).replace(/\s+/g, ' ')
  return (
    plain
      // A sign before a number belongs to it.
      .replace(/^[\s.,;:!?"'-]+(?![\s.,;:!?"'-]*[$€£¥₹]?\p{N})|^[\s;:!?"]+/u, '')
      .replace(
        /^(?:(?:it's|its|it is|that's|that is|sure|ok|okay|yes|hi|hello)\b[\s,:.!]*){1,3}(?=\S)/iu,
        '',
      )
      .replace(/(?:[\s,.!?;]*\b(?:please|thanks|thank you|instead|then|now)){1,3}[\s.!?]*$/iu, '')
      .replace(/[\s.,;:!?"']+$/u, '')
  )
}

/** A value, without what is said around it. */
const withoutTail = (text: string, spec: ParamSpec): string =>
  spec.wholeAnswer ? withoutAround(text) : text
