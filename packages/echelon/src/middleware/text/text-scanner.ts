import type { TextTransform } from '../../core/extension/middleware.ts'

/** What stands at the beginning of a text: a find, nothing, or something that only more text can tell. */
export type Finding =
  | 'none'
  | 'more'
  | {
      /** UTF-16 units of the text that it takes; at least 1. */
      readonly length: number
      /** What stands there instead. */
      readonly text: string
      /** Whether the text ends with it, and what follows is dropped. */
      readonly isEnd?: boolean
    }

/**
 * Looks for one thing at one place.
 * Contract: what it says of a text that is not whole, it says of that text however it goes on.
 */
export interface Finder {
  /**
   * @param rest the text from the place on
   * @param before the UTF-16 unit before the place, in the text as it came; empty at its beginning
   * @param isWhole whether nothing more comes
   */
  at(rest: string, before: string, isWhole: boolean): Finding
}

/**
 * Replaces finds in a text that comes in pieces. Each place is decided once, by what the finders make of
 * the text from there on, in their order; so the result is the same however the text was cut. What
 * cannot be decided yet is held back.
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

/** A character is never cut in two: half of one waits for the other. */
function unitsAt(text: string, at: number, isWhole: boolean): number {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff) return 1
  if (at + 1 === text.length) return isWhole ? 1 : 0
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

/** Finds one text, as it is written. */
export function literalFinder(find: string, found: () => Finding): Finder {
  return {
    at: (rest, _before, isWhole) => {
      if (rest.startsWith(find)) return found()
      return !isWhole && find.startsWith(rest) ? 'more' : 'none'
    },
  }
}

/**
 * Finds what a pattern fits, as far as it is no longer than `longest`: a longer find is taken for its
 * first part, as if the text ended there.
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
      // In the midst of a character a pattern for Unicode goes back to its beginning.
      if (fit === null || fit[0] === '' || fit.index !== before.length) return 'none'
      return { length: fit[0].length, text: change(fit[0]) }
    },
  }
}
