/** Chunks that hold a word of a question, or words of about the same meaning. */
export interface FoundWord {
  readonly holding: readonly number[]
  readonly related: readonly { readonly near: number; readonly holding: readonly number[] }[]
}

/**
 * The share of a question's words that each chunk holds, 0 to 1, with rare words weighted higher. A word that no
 * chunk holds counts, too: a chunk with one common word of many covers little. A related word counts
 * for the part that it is near.
 * @param chunks the number of all chunks
 */
export function coveredWords(
  found: readonly FoundWord[],
  chunks: number,
): ReadonlyMap<number, number> {
  const rarities = found.map(({ holding }) => Math.log(1 + chunks / (holding.length + 0.5)))
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0)
  const covered = new Map<number, number>()
  for (const [nth, word] of found.entries()) {
    const share = (rarities[nth] ?? 0) / whole
    for (const [chunk, near] of nearestIn(word)) {
      covered.set(chunk, (covered.get(chunk) ?? 0) + share * near)
    }
  }
  return covered
}

/** For each chunk, how near the nearest word is that it holds. */
function nearestIn({ holding, related }: FoundWord): ReadonlyMap<number, number> {
  const nearest = new Map<number, number>(holding.map((chunk) => [chunk, 1]))
  for (const { near, holding: chunks } of related) {
    for (const chunk of chunks) nearest.set(chunk, Math.max(nearest.get(chunk) ?? 0, near))
  }
  return nearest
}
