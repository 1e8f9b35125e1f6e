import { unitNamed, WORD } from './lexicon.ts'
import type { StoryParser } from './reading.ts'
import { ANYTHING, type Unit } from './scene.ts'

/**
 * A phrase and its effect. `say` returns false if it does not fit after all, and `void` if the text is
 * known to be too complex for these rules.
 */
export interface Rule {
  readonly pattern: RegExp
  readonly say: (reading: StoryParser, groups: readonly string[]) => boolean | 'void'
}

/** A rule over marked and tagged text that matches at the current position and ends at a word boundary. */
export const rule = (source: string, say: Rule['say']): Rule => ({
  pattern: new RegExp(`${source}(?![\\w'-])`, 'iy'),
  say,
})

/** A number's mark. */
export const N = '#(\\d+)'

/** The name of a thing, of up to three words. */
export const THING: string = `((?:${WORD})(?: (?:${WORD})){0,2})`

/** The name of a thing, money, or nothing; with the following space. */
export const MAYBE_THING: string = `(?:(dollars?|${WORD}(?: ${WORD}){0,2}) ?)?`

/** A determiner or nothing; with the following space. */
export const THE = '(?:(?:the|a|an|his|her|their|its|these|those) )?'

/** The unit that a phrase names; an omitted phrase fits every unit. */
export const unit = (phrase: string): Unit => (phrase === '' ? ANYTHING : unitNamed(phrase))
