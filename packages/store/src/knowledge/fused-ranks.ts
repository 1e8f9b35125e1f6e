/**
 * Damping of ranks: the first of a list counts 11 times as much as the 120th, and a result on both
 * lists beats one that ranks high on only one. The usual 60 makes ranks nearly equal, which found
 * less (lab/benchmarks/memory.ts).
 */
const DAMPING = 10

/**
 * Merges rankings by reciprocal rank: scores of different kinds cannot be added, but ranks can.
 * @param rankings best first
 * @returns every item of any ranking with its score, best first
 */
export function fusedRanks(
  rankings: readonly (readonly number[])[],
): readonly (readonly [item: number, score: number])[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings) {
    for (const [place, item] of ranking.entries()) {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (DAMPING + place + 1))
    }
  }
  return [...scores].toSorted(([a, first], [b, second]) => second - first || a - b)
}
