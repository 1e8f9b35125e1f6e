import type { Intent, ParamSpec } from '../intent.ts'
import { MOST_CHARACTERS } from './features.ts'
import { hintsAt, isNumber, isWhole } from './whole-value.ts'

/** A value of a parameter, where a text says it. */
export interface Mention {
  readonly param: string
  /** In the form that the intents' file asks for. */
  readonly value: string
  /** Where it begins and ends in the text. */
  readonly from: number
  readonly to: number
}

/**
 * A text as it is read: no longer than a reading may take, with the signs of other scripts and of
 * typesetting as the plain ones that patterns are written with.
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

/** What a text says of an intent's parameters, in the order in which it says it. */
export function mentionsOf(text: string, intent: Intent): readonly Mention[] {
  const params = [...intent.requiredParams, ...intent.optionalParams]
  const mentions: Mention[] = []
  // What is taken whole comes last: an address may hold anything that no other pattern has claimed.
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
 * Parameters of which a text says something that is no value as it stands: ".5", "5 or 6", an id with letters around
 * it. They are asked for, also where an intent can do without.
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

/** The value that a whole text is, in its form; `null` for one that is none. */
export function wholeValue(text: string, spec: ParamSpec | undefined): string | null {
  const value = bare(text)
  if (value === '') return null
  if (spec === undefined) return value
  const listed = Object.entries(spec.values)
  if (listed.length > 0) {
    const [only] = listed.filter(([name, words]) =>
      [name, ...words].some((word) => fold(word) === fold(value)),
    )
    return only?.[0] ?? null
  }
  return new RegExp(`^(?:${spec.pattern ?? '[^]+'})$`, 'iu').test(value)
    ? formed(value, spec)
    : null
}

/** A value in the form of its parameter, which makes what was said in two ways the same. */
const formed = (value: string, { form }: ParamSpec): string =>
  form === 'upper' ? value.toUpperCase() : form === 'lower' ? value.toLowerCase() : value

/** The same for two texts that differ in case, blanks and typesetting alone. */
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

/** One that stands within a longer word or number is another one. */
const standingAlone = (pattern: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}][-_])(?:${pattern})(?![-_]?[\\p{L}\\p{N}])`, 'giu')

function listedValues(
  text: string,
  listed: readonly (readonly [string, readonly string[]])[],
): readonly Found[] {
  return listed.flatMap(([value, words]) => {
    const said = (words.length === 0 ? [value] : words)
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
    return [...text.matchAll(standingAlone(said.join('|')))].map(({ 0: said, index }) => ({
      value,
      from: index,
      to: index + said.length,
    }))
  })
}

/** Blanks and apostrophes as people type them. */
const escaped = (words: string): string =>
  readable(words)
    .trim()
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replaceAll("'", "'?")
    .replace(/\s+/g, '\\s+')

/** What follows the first `to` or colon after which all that is left is such a value. */
function afterPreposition(text: string, spec: ParamSpec): readonly Found[] {
  for (const { 0: word, index } of [...text.matchAll(/\b(?:to|at|is)\s|:/giu)].slice(0, 20)) {
    const from = index + word.length
    const value = wholeValue(text.slice(from), spec)
    if (value !== null) return [{ value, from, to: text.length }]
  }
  return []
}

/** The text with blanks in place of what was found, so that the rest stays where it is. */
const without = (text: string, mentions: readonly Mention[]): string =>
  mentions.reduce(
    (text, { from, to }) => text.slice(0, from) + ' '.repeat(to - from) + text.slice(to),
    text,
  )

/** Without what is said for politeness around it. */
function bare(text: string): string {
  const plain = readable(text).replace(/\s+/g, ' ')
  return (
    plain
      // A sign before a number is a part of it.
      .replace(/^[\s.,;:!?"'-]+(?![\s.,;:!?"'-]*[$€£¥₹]?\p{N})|^[\s;:!?"]+/u, '')
      .replace(
        /^(?:(?:it's|its|it is|that's|that is|sure|ok|okay|yes|hi|hello)\b[\s,:.!]*){1,3}(?=\S)/iu,
        '',
      )
      .replace(/(?:[\s,.!?;]*\b(?:please|thanks|thank you|instead|then|now)){1,3}[\s.!?]*$/iu, '')
      .replace(/[\s.,;:!?"']+$/u, '')
  )
}
