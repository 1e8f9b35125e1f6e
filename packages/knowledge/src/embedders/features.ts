/** The features of a text and their weights; repetitions add a little each. */
export function featuresOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const weights = new Map<string, number>()
  const count = (feature: string, weight: number): void => {
    counts.set(feature, (counts.get(feature) ?? 0) + 1)
    weights.set(feature, weight)
  }
  let before = ''
  for (const word of wordsOf(text)) {
    count(`w${word}`, WORD)
    if (before !== '') count(`p${before} ${word}`, PAIR)
    for (const piece of piecesOf(word)) count(`c${piece}`, PIECE)
    before = word
  }
  for (const [feature, times] of counts) {
    weights.set(feature, (weights.get(feature) ?? 0) * (1 + Math.log(times)))
  }
  return weights
}

// The best values in lab/benchmarks/memory.ts; no word list of any language is involved.
const WORD = 0.5
const PAIR = 0.2
const PIECE = 0.5

/** Longer words are keys or base64 data. */
const MAX_WORD = 64

/** Lower case, without accents; `maxItems` gives its two words and itself. */
function* wordsOf(text: string): Generator<string> {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  for (const [found] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (found.length > MAX_WORD) continue
    const parts = found.match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})|[\p{L}\p{N}]+/gu) ?? []
    if (parts.length > 1) for (const part of parts) yield part.toLowerCase()
    yield found.toLowerCase()
  }
}

const PIECE_LENGTHS = [3, 4]

/** Overlapping pieces with marked ends, so that "connected" shares most of "connection". */
function* piecesOf(word: string): Generator<string> {
  const marked = `_${word}_`
  for (const length of PIECE_LENGTHS) {
    for (let at = 0; at + length <= marked.length; at++) yield marked.slice(at, at + length)
  }
}
