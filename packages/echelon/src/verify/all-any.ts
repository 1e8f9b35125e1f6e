import { judgeBySeveral } from './several.ts'
import type { Judgment, Verifier } from './verifier.ts'

/**
 * Combines verifiers: all must support the answer. Refuted if one refutes, and no further one is asked; proved if
 * one proves and none refutes; else scored by the lowest score. Those that are silent do not count.
 */
export const all = (verifiers: readonly Verifier[]): Verifier =>
  combined('all', verifiers, (judgment) => judgment.verdict === 'refuted', lowest)

/**
 * Combines verifiers: one that supports the answer is enough. Proved if one proves, and no further one is asked; refuted only if all
 * refute; else scored by the highest score. Those that are silent do not count.
 */
export const any = (verifiers: readonly Verifier[]): Verifier =>
  combined('any', verifiers, (judgment) => judgment.verdict === 'proved', highest)

function combined(
  name: string,
  verifiers: readonly Verifier[],
  settles: (judgment: Judgment) => boolean,
  pick: (judgments: readonly Judgment[]) => Judgment,
): Verifier {
  return {
    name: `${name}(${verifiers.map((verifier) => verifier.name).join(', ')})`,
    features: verifiers.flatMap(({ features }) => features),
    verify(attempt, observed) {
      const judged = judgeBySeveral(verifiers, attempt, observed, (judgments) =>
        judgments.some(settles),
      )
      if ('effects' in judged) return judged
      const features = Object.assign({}, ...judged.judgments.map((each) => each.features))
      const heard = judged.judgments.filter(({ verdict }) => verdict !== 'silent')
      return { ...pick(heard.length === 0 ? judged.judgments : heard), features }
    },
  }
}

const NONE: Judgment = {
  verdict: 'silent',
  score: 0.5,
  features: {},
  reason: 'there is no verifier',
}

function lowest(judgments: readonly Judgment[]): Judgment {
  const proof = judgments.find(({ verdict }) => verdict === 'proved')
  const [least = NONE] = judgments.toSorted((a, b) => a.score - b.score)
  return least.verdict === 'refuted' ? least : (proof ?? least)
}

const highest = (judgments: readonly Judgment[]): Judgment =>
  judgments.toSorted((a, b) => b.score - a.score)[0] ?? NONE
