import { MOST_ANSWER_CHARACTERS } from './answer-length.ts'
import { isJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../value/json.ts'

/**
 * Finds the outermost JSON objects and arrays in a text, in order. Words, fences and broken JSON around
 * them are skipped. Takes linear time; only the first million characters are read.
 */
export function jsonIn(whole: string): readonly (JsonObject | readonly Json[])[] {
  const text = whole.slice(0, MOST_ANSWER_CHARACTERS)
  const found: (JsonObject | readonly Json[])[] = []
  const ends = new Map<number, number>()
  for (let at = nextBracket(text, 0); at < text.length; at = nextBracket(text, at + 1)) {
    // Two readings that both get past a quote are at different offsets, and each marks the brackets that
    // it finds, so each character is read at most twice.
    if (!ends.has(at)) new JsonScanner(text, ends).from(at)
    const end = ends.get(at) ?? BROKEN
    const value = end === BROKEN ? undefined : parse(text.slice(at, end))
    if (value === undefined) continue
    found.push(value)
    at = end - 1
  }
  return found
}

/** The end of a value that is not JSON or is nested too deeply. */
const BROKEN = -1

/** The same as for `isJson`. */
const DEEPEST = 64

function nextBracket(text: string, from: number): number {
  BRACKET.lastIndex = from
  return BRACKET.exec(text)?.index ?? text.length
}

const BRACKET = /[{[]/g
const BLANKS = /[ \t\n\r]*/y
/** Anything but a quote, a backslash and control characters. */
const STRING = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/** An open object or array. */
interface Open {
  readonly start: number
  readonly isObject: boolean
  /** Number of levels below it. */
  height: number
  isWhole: boolean
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'comma-or-end'

/** Reads from a bracket while the text is JSON, and marks where each object and array ends. */
class JsonScanner {
  readonly #text: string
  readonly #ends: Map<number, number>
  readonly #open: Open[] = []
  #at = 0
  #expected: Expected = 'value'

  constructor(text: string, ends: Map<number, number>) {
    this.#text = text
    this.#ends = ends
  }

  from(start: number): void {
    this.#at = start
    do this.#skip(BLANKS)
    while (this.#take() && this.#open.length > 0)
    for (const { start: broken } of this.#open) this.#ends.set(broken, BROKEN)
  }

  /** @returns whether the text is still JSON */
  #take(): boolean {
    const sign = this.#text[this.#at]
    switch (this.#expected) {
      case 'comma-or-end':
        return sign === ',' ? this.#takeComma() : this.#close(sign)
      case 'key-or-end':
        return sign === '}' ? this.#close(sign) : this.#takeKey()
      case 'key':
        return this.#takeKey()
      case 'value-or-end':
        return sign === ']' ? this.#close(sign) : this.#takeValue(sign)
      case 'value':
        return this.#takeValue(sign)
    }
  }

  #takeComma(): boolean {
    this.#at++
    this.#expected = this.#open.at(-1)?.isObject === true ? 'key' : 'value'
    return true
  }

  #takeKey(): boolean {
    this.#expected = 'value'
    return this.#skip(STRING) && this.#skip(BLANKS) && this.#text[this.#at++] === ':'
  }

  #takeValue(sign: string | undefined): boolean {
    if (sign === '{' || sign === '[') {
      const isObject = sign === '{'
      this.#open.push({ start: this.#at++, isObject, height: 0, isWhole: true })
      this.#expected = isObject ? 'key-or-end' : 'value-or-end'
      return true
    }
    this.#expected = 'comma-or-end'
    return sign === '"' ? this.#skip(STRING) : this.#skip(WORD) || this.#takeNumber()
  }

  #takeNumber(): boolean {
    const start = this.#at
    if (!this.#skip(NUMBER)) return false
    // A number that is too large is parsed as infinite, which JSON cannot hold.
    const isFinite = Number.isFinite(Number(this.#text.slice(start, this.#at)))
    const open = this.#open.at(-1)
    if (!isFinite && open !== undefined) open.isWhole = false
    return true
  }

  #close(sign: string | undefined): boolean {
    const open = this.#open.at(-1)
    if (open === undefined || sign !== (open.isObject ? '}' : ']')) return false
    this.#open.pop()
    this.#at++
    this.#expected = 'comma-or-end'
    const height = open.height + 1
    const isWhole = open.isWhole && height <= DEEPEST
    this.#ends.set(open.start, isWhole ? this.#at : BROKEN)
    const around = this.#open.at(-1)
    if (around === undefined) return true
    around.height = Math.max(around.height, height)
    around.isWhole &&= isWhole
    return true
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }
}

function parse(text: string): JsonObject | readonly Json[] | undefined {
  const value: unknown = JSON.parse(text)
  return isJson(value) && (isJsonArray(value) || isJsonObject(value)) ? value : undefined
}
