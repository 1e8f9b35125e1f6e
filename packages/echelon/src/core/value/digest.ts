/**
 * A 53-bit hash of a text, to check whether a definition still asks for what the journal holds. Not a
 * security measure. Two 32-bit multiplicative lanes and the finalizers of MurmurHash3, after cyrb53
 * (bryc, public domain).
 */
export function digestText(text: string): number {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 2654435761)
    high = Math.imul(high ^ unit, 1597334677)
  }
  const mixedLow =
    Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  const mixedHigh =
    Math.imul(high ^ (high >>> 16), 2246822507) ^
    Math.imul(mixedLow ^ (mixedLow >>> 13), 3266489909)
  return 4294967296 * (2097151 & mixedHigh) + (mixedLow >>> 0)
}

/** Combines the digests of a sequence; the order matters. */
export const mixDigest = (before: number, next: number): number => digestText(`${before}.${next}`)
