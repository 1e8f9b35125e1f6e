/**
 * How far down a list something counts: the first of a list counts 11 times as much as the 120th,
 * and what is on both lists before what is high on one. The usual 60 makes places nearly equal, which
 * found less (lab/benchmarks/memory.ts).
 */
const DAMPING = 10

/**
 * Several rankings as one, by reciprocal rank: scores of different kinds cannot be added, places can.
 * @param rankings the best first
 * @returns what is on any of them, with its score, the best first
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
