import { quoted, NOTHING, type Weighed } from './cue.ts'
import { patternProblem, WINDOW } from './pattern-problem.ts'
import { sentencesOf, wordsOf } from './readable.ts'

const BY_PATTERN = 0.95
const BY_OWN_WORDS = 0.6

const LITTLE = new Set(
  'a an and any are at be by do for from give giving i in is it me my no not of on or our out own than that the their them this to too us user with you your'.split(
    ' ',
  ),
)

const DENIED =
  /\b(?:not|no|never|without|won't|can't|cannot|don't|isn't|avoid|instead of|rather than)\b/iu

/** Whether a text speaks of what not to do. */
export const isDenied = (text: string): boolean => DENIED.test(text)

/** The finding for one condition or non-goal, by its own patterns or else by its own words. */
export function weighNamed(
  text: string,
  name: string,
  patterns: readonly string[] | undefined,
): Weighed {
  if (patterns !== undefined && patterns.length > 0) return weighPatterns(text, patterns)
  return weighOwnWords(text, name)
}

/** Matches each pattern with the flags `iu`. An invalid one finds nothing. */
export function weighPatterns(text: string, patterns: readonly string[]): Weighed {
  for (const pattern of patterns) {
    if (patternProblem(pattern) !== null) continue
    const expression = new RegExp(pattern, 'iu')
    for (let at = 0; at === 0 || at < text.length; at += WINDOW - OVERLAP) {
      const [found] = expression.exec(text.slice(at, at + WINDOW)) ?? []
      if (found !== undefined) return { confidence: BY_PATTERN, evidence: quoted(found) }
    }
  }
  return NOTHING
}

/** A longer match may be cut by a window. */
const OVERLAP = 200

/** Requires all its words in one sentence that does not deny it. */
function weighOwnWords(text: string, name: string): Weighed {
  const stems = stemsOf(name)
  if (stems.length === 0) return NOTHING
  const found = sentencesOf(text).find((sentence) => {
    const said = new Set(stemsOf(sentence))
    return !DENIED.test(sentence) && stems.every((stem) => said.has(stem))
  })
  return found === undefined ? NOTHING : { confidence: BY_OWN_WORDS, evidence: quoted(found) }
}

/** The significant words of a text, reduced to stems. */
export const stemsOf = (text: string): readonly string[] =>
  wordsOf(text.replaceAll('_', ' '))
    .filter((word) => word.length > 1 && !LITTLE.has(word))
    .map((word) => word.replace(/(?:'s|ies|ing|ed|es|s|y|e)$/u, '').slice(0, 8) || word)
