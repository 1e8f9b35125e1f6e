import type { TextTransform } from '../../core/extension/middleware.ts'

/** The start of a text: a match, no match, or undecided until more text arrives. */
export type Finding =
  | 'none'
  | 'more'
  | {
      /** Matched UTF-16 units; at least 1. */
      readonly length: number
      /** The replacement. */
      readonly text: string
      /** Whether the text ends here and the rest is dropped. */
      readonly isEnd?: boolean
    }

/**
 * Matches one thing at one position.
 * Contract: a decision about incomplete text holds for every continuation.
 */
export interface Finder {
  /**
   * @param rest the text from the position on
   * @param before the UTF-16 unit before the position in the original text; empty at its beginning
   * @param isWhole whether the text is complete
   */
  at(rest: string, before: string, isWhole: boolean): Finding
}

/**
 * Replaces matches in a streamed text. Each position is decided once, by the finders in order, so the
 * result is the same for any chunking. Undecided text is held back.
 */
export class TextScanner implements TextTransform {
  readonly #finders: readonly Finder[]
  #held = ''
  #before = ''
  #isOver = false

  constructor(finders: readonly Finder[]) {
    this.#finders = finders
  }

  text(delta: string): string {
    return this.#scan(delta, false)
  }

  end(): string {
    return this.#scan('', true)
  }

  #scan(delta: string, isWhole: boolean): string {
    if (this.#isOver) return ''
    const text = this.#held + delta
    let said = ''
    let at = 0
    while (at < text.length) {
      const found = this.#find(text.slice(at), isWhole)
      if (found === 'more') break
      const length = found === 'none' ? unitsAt(text, at, isWhole) : found.length
      if (length === 0) break
      said += found === 'none' ? text.slice(at, at + length) : found.text
      at += length
      this.#before = text[at - 1] ?? ''
      this.#isOver = found !== 'none' && found.isEnd === true
      if (this.#isOver) break
    }
    this.#held = this.#isOver ? '' : text.slice(at)
    return said
  }

  #find(rest: string, isWhole: boolean): Finding {
    for (const finder of this.#finders) {
      const found = finder.at(rest, this.#before, isWhole)
      if (found !== 'none') return found
    }
    return 'none'
  }
}

/** A surrogate pair is never split: one half waits for the other. */
function unitsAt(text: string, at: number, isWhole: boolean): number {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff) return 1
  if (at + 1 === text.length) return isWhole ? 1 : 0
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

/** Finds one literal text. */
export function literalFinder(find: string, found: () => Finding): Finder {
  return {
    at: (rest, _before, isWhole) => {
      if (rest.startsWith(find)) return found()
      return !isWhole && find.startsWith(rest) ? 'more' : 'none'
    },
  }
}

/**
 * Finds matches of a pattern up to `longest` characters: a longer match is cut there, as if the text
 * ended.
 * @param pattern sticky
 */
export function patternFinder(
  pattern: RegExp,
  longest: number,
  change: (found: string) => string,
): Finder {
  return {
    at: (rest, before, isWhole) => {
      if (!isWhole && rest.length < longest) return 'more'
      const window = before + rest.slice(0, longest)
      pattern.lastIndex = before.length
      const fit = pattern.exec(window)
      // Within a surrogate pair a Unicode pattern moves back to its beginning.
      if (fit === null || fit[0] === '' || fit.index !== before.length) return 'none'
      return { length: fit[0].length, text: change(fit[0]) }
    },
  }
}
