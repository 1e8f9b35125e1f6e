import type { TextTransform } from '../../core/extension/middleware.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'

/** A key block that is not closed reaches over paragraphs; one longer than this is none. */
const LONGEST_BLOCK = 16_384

/** Where a key block begins or ends, and where a paragraph does. */
const MARKS = /-----BEGIN|-----END|\n\r?\n/g
/** As much of a mark as is none yet. */
const PART_OF_MARK = '-----BEGIN'.length - 1

/**
 * Redacts a text that comes in pieces, a paragraph at a time: what a name hides or a rule finds may
 * begin long before it is known to be one. Where paragraphs end is a matter of the text alone, so the
 * result is the same however it was cut into pieces.
 */
export class ParagraphMask implements TextTransform {
  readonly #redact: Redactor
  /** The paragraph so far, looked through for marks: each text is looked through once. */
  #held = ''
  /** What comes behind it, and may be the beginning of a mark. */
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
