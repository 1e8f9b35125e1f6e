import type { Embedder } from 'echelon/internal/model'
import { featuresOf } from './features.ts'

export interface HashedEmbedderOptions {
  /** A power of two, 256 to 65,536; larger values cause fewer collisions. Default 4,096. */
  readonly dimensions?: number
}

/**
 * Questions that the documents answer score above this with their best chunk. About half of the
 * unrelated questions score below it; the others share words with the documents by chance
 * (lab/benchmarks/memory.ts).
 */
const FLOOR = 0.14

/**
 * Vectors of the words of a text, pairs of them, and parts of words, each hashed to a dimension. Needs
 * no key, no network and no model; the same text always gives the same vector.
 *
 * The vectors are lexical: "connection refused" is close to "refuses connections", and far from "the
 * server is down". Rarity of words is not part of a vector: the store weights each dimension by how few
 * of its chunks use it, so that vectors stay valid while documents come and go.
 * @throws RangeError for dimensions that are not such a power of two
 */
export function hashedEmbedder({ dimensions = 4096 }: HashedEmbedderOptions = {}): Embedder {
  if (!Number.isInteger(Math.log2(dimensions)) || dimensions < 256 || dimensions > 65_536) {
    throw new RangeError('dimensions must be a power of two from 256 to 65,536')
  }
  return {
    id: `hashed-1/${dimensions}`,
    dimensions,
    floor: FLOOR,
    embed: async (texts, signal) => {
      signal?.throwIfAborted()
      return texts.map((text) => vectorOf(text, dimensions))
    },
  }
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of featuresOf(text)) {
    const hash = hashOf(feature)
    // Half of the features count negative: two features sharing a dimension cancel as often as they
    // add.
    const sign = (hash & 0x8000_0000) === 0 ? 1 : -1
    const place = hash & (dimensions - 1)
    vector[place] = (vector[place] ?? 0) + sign * weight
  }
  const length = Math.hypot(...nonZero(vector))
  if (length === 0) vector[0] = 1
  else for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) / length
  return vector
}

const nonZero = (vector: Float32Array): Float32Array => vector.filter((value) => value !== 0)

/** FNV-1a, mixed so that the low bits used depend on all bits. */
function hashOf(feature: string): number {
  let hash = 0x811c_9dc5
  for (let at = 0; at < feature.length; at++) {
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x0100_0193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
