import { rawVectors } from '../../packages/knowledge/src/embedders/sentence/raw.ts'
import { DIMENSIONS_IN } from '../../packages/knowledge/src/embedders/sentence/dimensions.ts'

const AT_ONCE = 32

/** The model's own vectors of all texts, one after another. */
export async function embedAll(texts: readonly string[]): Promise<Float32Array> {
  const all = new Float32Array(texts.length * DIMENSIONS_IN)
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    const vectors = await rawVectors(texts.slice(at, at + AT_ONCE))
    for (const [nth, vector] of vectors.entries()) all.set(vector, (at + nth) * DIMENSIONS_IN)
    if (at % (AT_ONCE * 100) === 0) console.log(`${at} of ${texts.length}`)
  }
  return all
}
