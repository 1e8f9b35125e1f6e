import { MOST_ANSWER_CHARACTERS } from './answer-length.ts'
import { isJson, isJsonObject, type JsonObject } from '../value/json.ts'

/** Deeper answers get no partial objects; stored and sent JSON has the same limit. */
const DEEPEST = 64

/**
 * Reads a JSON object while it is still being written. `hear` takes each piece of text once; `value`
 * closes what is open and parses it. Text before the first `{` and after its `}` is ignored. Strings
 * may be unfinished; numbers, `true`, `false`, `null` and keys appear only when they are complete.
 */
export class PartialJson {
  /** From the first `{` on. */
  #text = ''
  /** The closing character of each open bracket, outermost first. */
  readonly #open: ('}' | ']')[] = []
  /** The text up to here becomes valid JSON when the open brackets are closed. */
  #valid = 0
  #string: 'none' | 'key' | 'value' = 'none'
  /** Start of an unfinished escape. */
  #escapeAt = -1
  #isUnicodeEscape = false
  /** Whether the next string in the innermost object is a value. */
  #afterColon = false
  /** Whether a number or a literal is being written. */
  #inScalar = false
  #isComplete = false
  #isTooMuch = false

  /** Whether the object is closed. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Characters read so far. */
  get length(): number {
    return this.#text.length
  }

  /** Reads the next piece. */
  hear(piece: string): void {
    if (this.#isComplete || this.#isTooMuch) return
    // Parsed repeatedly while it grows.
    if (this.#text.length + piece.length > MOST_ANSWER_CHARACTERS) {
      this.#isTooMuch = true
      return
    }
    const start = this.#text === '' ? piece.indexOf('{') : 0
    if (start === -1) return
    let at = this.#text.length
    this.#text += piece.slice(start)
    for (let index = start; index < piece.length && !this.#isComplete; index++, at++) {
      if (this.#string === 'none') this.#readPlain(piece.charAt(index), at)
      else this.#readInString(piece.charAt(index), at)
    }
  }

  /** The object so far; undefined before it begins, and for text that is not JSON. */
  value(): JsonObject | undefined {
    if (this.#text === '' || this.#isTooMuch) return undefined
    const closers = this.#open.toReversed().join('')
    const text =
      this.#string === 'value'
        ? `${this.#text.slice(0, this.#endOfString())}"${closers}`
        : `${this.#text.slice(0, this.#valid)}${closers}`
    try {
      const parsed: unknown = JSON.parse(text)
      return isJson(parsed, DEEPEST + 1) && isJsonObject(parsed) ? parsed : undefined
    } catch {
      return undefined
    }
  }

  #readPlain(character: string, at: number): void {
    switch (character) {
      case '{':
        return this.#push('}', at)
      case '[':
        return this.#push(']', at)
      case '}':
      case ']':
        this.#open.pop()
        this.#inScalar = false
        this.#valid = at + 1
        this.#isComplete = this.#open.length === 0
        return
      case '"':
        this.#string = this.#afterColon || this.#open.at(-1) === ']' ? 'value' : 'key'
        return
      case ':':
        this.#afterColon = true
        return
      case ',':
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        if (this.#inScalar) this.#valid = at
        this.#inScalar = false
        if (character === ',') this.#afterColon = false
        return
      default:
        this.#inScalar = true
    }
  }

  #push(closer: '}' | ']', at: number): void {
    this.#open.push(closer)
    this.#afterColon = false
    this.#valid = at + 1
    this.#isTooMuch = this.#open.length > DEEPEST
  }

  #readInString(character: string, at: number): void {
    if (this.#escapeAt !== -1) {
      // Kept in a field: reading the growing text here would make each piece cost as much as all earlier ones.
      if (at === this.#escapeAt + 1) this.#isUnicodeEscape = character === 'u'
      if (at - this.#escapeAt >= (this.#isUnicodeEscape ? 5 : 1)) this.#escapeAt = -1
    } else if (character === '\\') this.#escapeAt = at
    else if (character === '"') {
      if (this.#string === 'value') this.#valid = at + 1
      this.#string = 'none'
    }
  }

  /** A half-written escape or surrogate pair waits for its other half. */
  #endOfString(): number {
    if (this.#escapeAt !== -1) return this.#escapeAt
    const end = this.#text.length
    const last = this.#text.charCodeAt(end - 1)
    return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
  }
}
