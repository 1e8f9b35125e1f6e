import { systemClock } from 'echelon/internal/platform'
import type { Embedder } from 'echelon/internal/model'
import type { SettingsByProvider } from 'echelon/providers'
import { type AnyEmbeddingModel, embedderOf, type ModelEmbedderOptions } from './model.ts'

/**
 * Creates an embedder from an embedding model: by name (`openai/text-embedding-3-small`,
 * `ollama/nomic-embed-text`), with the keys and base URLs of the configuration, or from a model of any
 * AI SDK package.
 * @throws EchelonError UNKNOWN_MODEL, MISSING_KEY, MISSING_PACKAGE or INVALID_CONFIG for a name that
 * cannot be resolved; SERVER_UNREACHABLE when the model returns no vectors
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
  // Given settings replace the configuration: a key is never sent to a base URL from a file.
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
