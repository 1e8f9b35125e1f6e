import type { TextTransform } from '../../core/extension/middleware.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'

/** Maximum length of a key block, which may span paragraphs; a longer one is not recognized. */
const LONGEST_BLOCK = 16_384

/** Where a key block begins or ends, and where a paragraph ends. */
const MARKS = /-----BEGIN|-----END|\n\r?\n/g
/** The beginning of an incomplete mark. */
const PART_OF_MARK = '-----BEGIN'.length - 1

/**
 * Redacts a streamed text one paragraph at a time: a match may begin long before it is recognized.
 * Paragraph ends depend only on the text, so the result is the same for any chunking.
 */
export class ParagraphMask implements TextTransform {
  readonly #redact: Redactor
  /** The paragraph so far, already searched for marks: each text is searched once. */
  #held = ''
  /** The text after it that may be the beginning of a mark. */
  #rest = ''
  #isInBlock = false

  constructor(redact: Redactor) {
    this.#redact = redact
  }

  text(delta: string): string {
    const text = this.#rest + delta
    let said = ''
    let start = 0
    for (const { index, 0: mark } of text.matchAll(MARKS)) {
      const end = index + mark.length
      this.#held += text.slice(start, end)
      start = end
      if (mark.startsWith('-')) this.#isInBlock = mark === '-----BEGIN'
      else if (!this.#isInBlock || this.#held.length > LONGEST_BLOCK) said += this.#speak()
    }
    const rest = Math.max(start, text.length - PART_OF_MARK)
    this.#held += text.slice(start, rest)
    this.#rest = text.slice(rest)
    return said
  }

  end(): string {
    this.#held += this.#rest
    this.#rest = ''
    return this.#speak()
  }

  #speak(): string {
    const said = this.#redact(this.#held)
    this.#held = ''
    this.#isInBlock = false
    return said
  }
}
