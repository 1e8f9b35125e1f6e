/** Words that indicate something, with a weight from 0 to 1. */
export type Cue = readonly [words: RegExp, weight: number]

/** The combined result of cues. */
export interface Weighed {
  /** 0 to 1: cues that agree are more certain together. */
  readonly confidence: number
  /** The words of the strongest cue; empty if none matched. */
  readonly evidence: string
}

const MOST_EVIDENCE = 160

export const NOTHING: Weighed = { confidence: 0, evidence: '' }

/** Weighs the cues that match pieces of a text, each once. */
export function weigh(pieces: readonly string[], cues: readonly Cue[]): Weighed {
  let doubt = 1
  let [strongest, evidence] = [0, '']
  for (const [words, weight] of cues) {
    const found = pieces.find((piece) => words.test(piece))
    if (found === undefined) continue
    doubt *= 1 - weight
    if (weight > strongest) [strongest, evidence] = [weight, quoted(found)]
  }
  return { confidence: rounded(1 - doubt), evidence }
}

export const surer = (one: Weighed, other: Weighed): Weighed =>
  other.confidence > one.confidence ? other : one

/** The start of a text, as long as evidence may be. */
export const quoted = (text: string): string =>
  text.length <= MOST_EVIDENCE ? text : `${text.slice(0, MOST_EVIDENCE - 1)}…`

export const rounded = (confidence: number): number => Math.round(confidence * 100) / 100

/** The weight of a rule by itself. */
const BELIEF = 0.8

/** Combines the rules' result with the classifier's: either may be certain alone, or both together. */
export function together(byRule: Weighed, likely: number, text: string): Weighed {
  const confidence = 1 - (1 - BELIEF * byRule.confidence) * (1 - likely)
  return {
    confidence: rounded(confidence),
    evidence: byRule.evidence === '' ? quoted(text.replace(/\s+/g, ' ')) : byRule.evidence,
  }
}
