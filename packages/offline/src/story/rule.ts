import { unitNamed, WORD } from './lexicon.ts'
import type { Reading } from './reading.ts'
import { ANYTHING, type Unit } from './scene.ts'

/**
 * A turn of phrase and what it says. `say` answers false when it does not fit after all, and
 * `void` when the text is known to be beyond these rules.
 */
export interface Rule {
  readonly pattern: RegExp
  readonly say: (reading: Reading, groups: readonly string[]) => boolean | 'void'
}

/** A rule over marked and tagged text that begins at the reader's place and ends with a word. */
export const rule = (source: string, say: Rule['say']): Rule => ({
  pattern: new RegExp(`${source}(?![\\w'-])`, 'iy'),
  say,
})

/** A number's mark. */
export const N = '#(\\d+)'

/** The name of a thing, of up to three words. */
export const THING: string = `((?:${WORD})(?: (?:${WORD})){0,2})`

/** The name of a thing, or money, or nothing; with the space that follows. */
export const MAYBE_THING: string = `(?:(dollars?|${WORD}(?: ${WORD}){0,2}) ?)?`

/** A determiner, or nothing; with the space that follows. */
export const THE = '(?:(?:the|a|an|his|her|their|its|these|those) )?'

/** What a phrase names; a phrase that was left out fits everything. */
export const unit = (phrase: string): Unit => (phrase === '' ? ANYTHING : unitNamed(phrase))
