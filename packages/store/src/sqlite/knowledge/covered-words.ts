/**
 * How much of a question's words each chunk holds, 0 to 1, rare words counting more. A word that no
 * chunk holds counts, too: a chunk with one common word of many covers little.
 * @param found the chunks that hold each word
 * @param chunks the number of all chunks
 */
export function coveredWords(
  found: readonly (readonly number[])[],
  chunks: number,
): ReadonlyMap<number, number> {
  const rarities = found.map((holding) => Math.log(1 + chunks / (holding.length + 0.5)))
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0)
  const covered = new Map<number, number>()
  for (const [nth, holding] of found.entries()) {
    const share = (rarities[nth] ?? 0) / whole
    for (const chunk of holding) covered.set(chunk, (covered.get(chunk) ?? 0) + share)
  }
  return covered
}
