import type { TextTransform } from '../core/middleware.ts'
import type { Redactor } from '../core/redaction.ts'

/** A key block that is not closed reaches over paragraphs; one longer than this is none. */
const LONGEST_BLOCK = 16_384

/**
 * Redacts a text that comes in pieces, a paragraph at a time: what a name hides or a rule finds may
 * begin long before it is known to be one. Where paragraphs end is a matter of the text alone, so the
 * result is the same however it was cut into pieces.
 */
export class ParagraphMask implements TextTransform {
  readonly #redact: Redactor
  #held = ''

  constructor(redact: Redactor) {
    this.#redact = redact
  }

  text(delta: string): string {
    this.#held += delta
    let said = ''
    for (let end = paragraphEnd(this.#held); end !== undefined; end = paragraphEnd(this.#held)) {
      said += this.#redact(this.#held.slice(0, end))
      this.#held = this.#held.slice(end)
    }
    return said
  }

  end(): string {
    const rest = this.#redact(this.#held)
    this.#held = ''
    return rest
  }
}

/** Behind the first blank line that no key block reaches over. */
function paragraphEnd(text: string): number | undefined {
  for (const { index, 0: blank } of text.matchAll(/\n\r?\n/g)) {
    const end = index + blank.length
    if (end > LONGEST_BLOCK || !isInBlock(text.slice(0, end))) return end
  }
  return undefined
}

const isInBlock = (text: string): boolean =>
  text.lastIndexOf('-----BEGIN') > text.lastIndexOf('-----END')
