/** Words that speak for something, and how much: 0 to 1. */
export type Cue = readonly [words: RegExp, weight: number]

/** What cues found, all together. */
export interface Weighed {
  /** 0 to 1: cues that agree are surer than each alone. */
  readonly confidence: number
  /** The words of the strongest; empty where none was found. */
  readonly evidence: string
}

const MOST_EVIDENCE = 160

export const NOTHING: Weighed = { confidence: 0, evidence: '' }

/** Weighs the cues that are found in the pieces of a text, each once. */
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

/** As much of a text as an evidence holds. */
export const quoted = (text: string): string =>
  text.length <= MOST_EVIDENCE ? text : `${text.slice(0, MOST_EVIDENCE - 1)}…`

export const rounded = (confidence: number): number => Math.round(confidence * 100) / 100

/** How much a rule is believed on its own. */
const BELIEF = 0.8

/** What rules found, with what the examples say of the text: either may be sure alone, and both together. */
export function together(byRule: Weighed, likely: number, text: string): Weighed {
  const confidence = 1 - (1 - BELIEF * byRule.confidence) * (1 - likely)
  return {
    confidence: rounded(confidence),
    evidence: byRule.evidence === '' ? quoted(text.replace(/\s+/g, ' ')) : byRule.evidence,
  }
}
