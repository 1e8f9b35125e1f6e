import { quoted, NOTHING, type Weighed } from './cue.ts'
import { sentencesOf, wordsOf } from './readable.ts'

/** A pattern is written by a person, for words. */
const MOST_PATTERN_CHARACTERS = 300
const BY_PATTERN = 0.95
const BY_OWN_WORDS = 0.6

const LITTLE = new Set(
  'a an and any are at be by do for from give giving i in is it me my no not of on or our out own than that the their them this to too us user with you your'.split(
    ' ',
  ),
)

const DENIED =
  /\b(?:not|no|never|without|won't|can't|cannot|don't|isn't|avoid|instead of|rather than)\b/iu

/** What is found of one condition or non-goal, by patterns of its own or else by its own words. */
export function weighNamed(
  text: string,
  name: string,
  patterns: readonly string[] | undefined,
): Weighed {
  if (patterns !== undefined && patterns.length > 0) return weighPatterns(text, patterns)
  return weighOwnWords(text, name)
}

/** Each pattern with the flags `iu`. One that is no regular expression finds nothing. */
export function weighPatterns(text: string, patterns: readonly string[]): Weighed {
  for (const pattern of patterns) {
    const [found] = expressionOf(pattern)?.exec(text) ?? []
    if (found !== undefined) return { confidence: BY_PATTERN, evidence: quoted(found) }
  }
  return NOTHING
}

/** All its words in one sentence that does not deny it. */
function weighOwnWords(text: string, name: string): Weighed {
  const stems = stemsOf(name)
  if (stems.length === 0) return NOTHING
  const found = sentencesOf(text).find((sentence) => {
    const said = new Set(stemsOf(sentence))
    return !DENIED.test(sentence) && stems.every((stem) => said.has(stem))
  })
  return found === undefined ? NOTHING : { confidence: BY_OWN_WORDS, evidence: quoted(found) }
}

/** The words of a text that say something, each as far as its forms have it in common. */
export const stemsOf = (text: string): readonly string[] =>
  wordsOf(text.replaceAll('_', ' '))
    .filter((word) => word.length > 1 && !LITTLE.has(word))
    .map((word) => word.replace(/(?:'s|ies|ing|ed|es|s|y|e)$/u, '').slice(0, 8) || word)

/** What is wrong with a pattern, in a clause; `null` for a good one. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MOST_PATTERN_CHARACTERS) {
    return `the pattern has more than ${MOST_PATTERN_CHARACTERS} characters; write several shorter ones`
  }
  try {
    if (new RegExp(pattern, 'iu').test(''))
      return 'the pattern matches nothing at all; make it match words'
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, '') : String(error)
    return `the pattern is no regular expression (${why})`
  }
  // Which takes longer than anybody waits, on some text.
  return /[*+}][^()]*\)(?:[*+]|\{\d*,)/u.test(
    pattern.replace(/\\./gu, 'x').replace(/\[[^\]]*\]/gu, 'x'),
  )
    ? 'the pattern repeats what repeats, which may take forever; repeat single words or characters'
    : null
}

const expressionOf = (pattern: string): RegExp | null =>
  patternProblem(pattern) === null ? new RegExp(pattern, 'iu') : null
