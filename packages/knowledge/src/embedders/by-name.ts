import { systemClock } from 'echelon/internal/host'
import type { Embedder } from 'echelon/internal/model'
import type { SettingsByProvider } from 'echelon/providers'
import { type AnyEmbeddingModel, embedderOf, type ModelEmbedderOptions } from './model.ts'

/**
 * An embedder out of an embedding model: by name (`openai/text-embedding-3-small`,
 * `ollama/nomic-embed-text`), with the keys and addresses of the configuration, or a model of any
 * package of the AI SDK, as it is.
 * @throws EchelonError UNKNOWN_MODEL, MISSING_KEY, MISSING_PACKAGE or INVALID_CONFIG for a name that
 * leads nowhere; SERVER_UNREACHABLE where the model gives no vectors
 */
export async function modelEmbedder(
  model: string | AnyEmbeddingModel,
  options: ModelEmbedderOptions & { readonly providers?: SettingsByProvider } = {},
): Promise<Embedder> {
  const { providers, ...others } = options
  if (typeof model !== 'string') return await embedderOf(model, systemClock, others)
  const { loadEmbeddingModel } = await import('echelon/internal/embedding')
  const [key = ''] = model.split('/')
  const given = providers?.[key]
  // What is given is all that counts: a key is sent to no address that a file names.
  const known = given === undefined ? await configuredProviders() : { [key]: given }
  return await embedderOf(await loadEmbeddingModel(model, known), systemClock, {
    name: model,
    ...others,
  })
}

async function configuredProviders(): Promise<SettingsByProvider> {
  const { loadConfig } = await import('echelon/config')
  return (await loadConfig()).providers
}
