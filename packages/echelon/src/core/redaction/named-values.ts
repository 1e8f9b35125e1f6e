import type { FieldRules } from './field-names.ts'
import type { Mark } from './rule.ts'
import { isSaid } from './secrets.ts'

/** A piece of a text: still to be checked by the content rules, or already settled by the name before it. */
export interface Stretch {
  readonly text: string
  readonly isSettled: boolean
}

/** A name and its position in the text. */
interface Name {
  readonly text: string
  /** Its quote as written, escapes included; empty without one. */
  readonly quote: string
}

/** The position of a value, and the text around its replacement. */
interface Value {
  readonly start: number
  readonly end: number
  readonly around?: string
  /** Set when the value is kept. */
  readonly isKept?: true
}

/** Separators between a name and its value: JSON, headers, queries, assignments, Ruby hashes, tags. */
const SEPARATOR = /\s{0,3}(?:[:=]{1,3}>?|->)\s{0,3}|>/g

/** Number of characters to look back for a name and its quotes. */
const FARTHEST = 72

const QUOTED_NAME = /(\\{0,8}["'])([^"'\\\n]{1,64})\1\]?$/
const TAG_NAME = /<(?:\w{1,20}:)?([\w.-]{1,48})(?:\s[^<>]{0,16})?$/
const LABEL = /[\p{L}\d_$-][\p{L}\d_.$-]*(?: [\p{L}\d_-]+){0,3}$/u

/**
 * Splits a text at the values whose names decide about them: JSON fields inside the text (escaped or
 * cut off too), headers, assignments and labels. A hidden value is replaced; a kept value is settled,
 * so that no other rule changes it.
 */
export function stretchesOf(text: string, deciding: Deciding): readonly Stretch[] {
  const stretches: Stretch[] = []
  let from = 0
  SEPARATOR.lastIndex = 0
  for (let found = SEPARATOR.exec(text); found !== null; found = SEPARATOR.exec(text)) {
    const name = nameBefore(text, from, found)
    const at = SEPARATOR.lastIndex
    const value = name === undefined ? undefined : settle(text, at, name, deciding)
    if (name === undefined || value === undefined) continue
    stretches.push({ text: text.slice(from, value.start), isSettled: false })
    stretches.push({ text: shownFor(text, value, name, deciding), isSettled: true })
    from = value.end
    SEPARATOR.lastIndex = from
  }
  stretches.push({ text: text.slice(from), isSettled: false })
  return stretches
}

function nameBefore(text: string, from: number, separator: RegExpExecArray): Name | undefined {
  const { index } = separator
  const before = text.slice(Math.max(from, index - FARTHEST), index)
  if (separator[0] === '>') {
    const tag = TAG_NAME.exec(before)?.[1]
    return tag === undefined ? undefined : { text: tag, quote: '' }
  }
  const [, quote = '', name] = QUOTED_NAME.exec(before) ?? []
  if (name !== undefined) return { text: name, quote }
  const label = LABEL.exec(before)?.[0]
  return label === undefined ? undefined : { text: label, quote: '' }
}

interface Deciding {
  readonly rules: FieldRules
  readonly content: boolean
  readonly mark: Mark
}

function settle(text: string, at: number, name: Name, deciding: Deciding): Value | undefined {
  const { rules, content } = deciding
  if (text.startsWith('[redacted', at)) return undefined
  if (name.quote === '') {
    const label = content ? rules.labelOf(name.text) : 'none'
    return label === 'none' ? undefined : labeled(text, at, name, label)
  }
  const fate = rules.fateOf(name.text)
  if (fate === 'look') return undefined
  const value = jsonValue(text, at, name)
  if (value === undefined) return undefined
  const written = text.slice(value.start, value.end)
  if (fate === 'keep') return { ...value, isKept: true }
  // A quoted value starts after its opening quotes.
  return fate === 'hide-text' && value.start === at && isAmount(written) ? undefined : value
}

const isAmount = (text: string): boolean => /^(?:-?\d+(?:\.\d*)?|true|false|null)$/.test(text)

// ---- values behind a name in quotes ----

function jsonValue(text: string, at: number, name: Name): Value | undefined {
  const string = quotedValue(text, at)
  if (string !== undefined) return string
  const around = name.quote
  if (text[at] === '{' || text[at] === '[')
    return { start: at, end: closingBracket(text, at), around }
  const end = endOf(LITERAL, text, at)
  return end === undefined ? undefined : { start: at, end, around }
}

const LITERAL = /[^\s,}\]"'\\]+/y

/** The quoted value, if the text continues with a quote. */
function quotedValue(text: string, at: number): Value | undefined {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening === null) return undefined
  const start = OPENING.lastIndex
  const [, escapes = '', quote = ''] = opening
  const end = closingQuote(text, start, quote, escapes.length)
  const isEmpty = start === end || text.startsWith('[redacted', start)
  return isEmpty ? undefined : { start, end }
}

const OPENING = /(\\{0,8})(["'`])/y

/**
 * The end of a quoted text: the first escape or quote of its closing, or the end of the text if it was
 * cut off. In text that was escaped before, a quote has 1, 3, 7 … backslashes.
 */
function closingQuote(text: string, from: number, quote: string, escapes: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let run = 0
    while (at - run > from && text[at - run - 1] === '\\') run++
    if (run < escapes) return at - run
    if (run % (2 * (escapes + 1)) === escapes) return at - escapes
  }
  return text.length
}

/** The position after the bracket that closes the one at `start`, or the end of the text. */
function closingBracket(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') {
      let escapes = 0
      while (text[at - escapes - 1] === '\\') escapes++
      at = closingQuote(text, at + 1, sign, escapes) + escapes
    } else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return text.length
}

// ---- values behind a label in plain text ----

function labeled(
  text: string,
  at: number,
  name: Name,
  label: 'secret' | 'phrase',
): Value | undefined {
  if (text.startsWith('-----BEGIN', at)) return undefined
  const string = quotedValue(text, at)
  if (string !== undefined) return string
  const end = label === 'phrase' ? phraseEnd(text, at) : secretEnd(text, at, name)
  return end === undefined ? undefined : { start: at, end }
}

/** Up to the end of the phrase or line, or to the next label; a name or an address may contain commas. */
const PHRASE =
  /(?:[^\n,;|&"'\\<>{}]|,\s?(?=[\p{Lu}\d])|'(?=\p{L})){1,200}?(?=$|[\n;|&"\\<>{}]|,(?!\s?[\p{Lu}\d])|'(?!\p{L})|\s{1,3}[\w.-]{1,40}(?:\s[\w.-]{1,40})?\s?[=:])/uy
const LONG_PHRASE = /[^\n;|&"\\<>{}]{1,200}/y

const phraseEnd = (text: string, at: number): number | undefined =>
  endOf(PHRASE, text, at) ?? endOf(LONG_PHRASE, text, at)

/** A scheme and its credential; a scheme with a list, to the end of the line; or a token. */
const AUTHORIZATION =
  /(?:Basic|Bearer|Token|ApiKey|Key|Negotiate|NTLM|JWT)\s{1,3}[^\s"',;]+|[\w-]{1,40}\s{1,3}[\w-]{1,40}=[^\n]*|[^\s"',;]{4,}/iy
const COOKIES = /[\w!#$%&*+.^`|~-]{1,128}=[^\n"']*/y
/** Commas and similar signs are part of it unless a blank, a quote or the next name follows. */
const BARE = /(?:\\(?!["'])|[^\s"'`\\,;&<]|<(?!\/)|[,;&](?!\s|$|["'\\]|[\w.-]{1,40}\s?[=:]))+/y

const PASSWORD = /(?:pass\w*|pwd|kennwort)$/i

function secretEnd(text: string, at: number, name: Name): number | undefined {
  if (/authorization$/i.test(name.text)) {
    const end = endOf(AUTHORIZATION, text, at)
    return end === undefined || isSaid(text.slice(at, end)) ? undefined : end
  }
  if (/cookie$/i.test(name.text)) return endOf(COOKIES, text, at)
  const end = endOf(BARE, text, at)
  if (end === undefined) return undefined
  const value = text.slice(at, end)
  // Prices and counts of tokens are not secrets, but a password may be a number.
  const isOne = PASSWORD.test(name.text) || (value.length >= 4 && !isFigure(value))
  return isOne && !isSaid(value) ? end : undefined
}

/** A price or a count, for example of tokens. */
const isFigure = (value: string): boolean =>
  /^[$\u20ac\u00a3]?(?:\d{1,5}|\d[\d,]{0,20}\.\d{1,20}|\d{1,3}(?:,\d{3}){1,5})[.%]?$/.test(value)

// ---- both ----

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function shownFor(text: string, value: Value, name: Name, { mark }: Deciding): string {
  const { start, end, around = '', isKept = false } = value
  const written = text.slice(start, end)
  return isKept ? written : `${around}${mark(kindOf(name), written)}${around}`
}

function kindOf({ text }: Name): string | undefined {
  if (/authorization$/i.test(text)) return 'authorization'
  return /pass|pwd|secret|token|key|credential|cookie|session|connection|kennwort/i.test(text)
    ? 'secret'
    : undefined
}
