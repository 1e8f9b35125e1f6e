import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { EchelonError } from '../core/value/error.ts'
import type { ProviderSettings } from '../core/model/model.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { type ModelName, parsedName } from './model-name.ts'
import type { SettingsByProvider } from './registry.ts'
import { addressOr, checkedApiKey, moreOf, neededApiKey, withoutSlash } from './server-settings.ts'

/**
 * The embedding model for a name such as `openai/text-embedding-3-small` or
 * `ollama/nomic-embed-text`. Keys and addresses are those of the provider's language models.
 * @throws EchelonError UNKNOWN_MODEL for a provider without such models, MISSING_KEY,
 * MISSING_PACKAGE, INVALID_CONFIG
 */
export async function loadEmbeddingModel(
  name: string,
  settings: SettingsByProvider,
): Promise<EmbeddingModelV4> {
  const { isPreset } = await import('./presets.ts')
  const named = parsedName(name, KNOWN)
  const given = (Object.hasOwn(settings, named.key) ? settings[named.key] : undefined) ?? {}
  if (named.key === 'openai') return await ofOpenai(named, given)
  if (named.key === 'google') return await ofGoogle(named, given)
  if (named.key === 'openai-compatible' || isPreset(named.key)) return await ofServer(named, given)
  throw new EchelonError(
    'UNKNOWN_MODEL',
    `no embedding models of ${named.key} are known by name; name one of ${KNOWN.join(', ')}, or give a model of its package itself`,
    { details: { name, known: KNOWN } },
  )
}

const KNOWN = ['openai', 'ollama', 'google', 'mistral', 'openai-compatible']

async function ofOpenai(
  { modelId }: ModelName,
  settings: ProviderSettings,
): Promise<EmbeddingModelV4> {
  const apiKey = neededApiKey(settings.apiKey, { provider: 'openai', variable: 'OPENAI_API_KEY' })
  const baseURL = withoutSlash(addressOr('https://api.openai.com/v1', settings.baseUrl))
  const { createOpenAI } = await optionalPackage('@ai-sdk/openai@4', () => import('@ai-sdk/openai'))
  return createOpenAI({ ...moreOf(settings), apiKey, baseURL }).embeddingModel(modelId)
}

async function ofGoogle(
  { modelId }: ModelName,
  settings: ProviderSettings,
): Promise<EmbeddingModelV4> {
  const apiKey = neededApiKey(settings.apiKey, { provider: 'google', variable: 'GOOGLE_API_KEY' })
  const usual = 'https://generativelanguage.googleapis.com/v1beta'
  const baseURL = withoutSlash(addressOr(usual, settings.baseUrl))
  const { createGoogle } = await optionalPackage('@ai-sdk/google@4', () => import('@ai-sdk/google'))
  return createGoogle({ ...moreOf(settings), apiKey, baseURL }).embeddingModel(modelId)
}

/** An embedding model on a server with OpenAI's interface. */
async function ofServer(
  { key, modelId }: ModelName,
  settings: ProviderSettings,
): Promise<EmbeddingModelV4> {
  const { isPreset, presetServer } = await import('./presets.ts')
  const { baseUrl, apiKey } = isPreset(key) ? presetServer(key, settings) : ownServer(settings)
  const { createOpenAICompatible } = await optionalPackage(
    '@ai-sdk/openai-compatible@3',
    () => import('@ai-sdk/openai-compatible'),
  )
  return createOpenAICompatible({
    ...moreOf(settings),
    name: key,
    baseURL: withoutSlash(baseUrl),
    ...(apiKey === undefined ? {} : { apiKey }),
  }).embeddingModel(modelId)
}

function ownServer(settings: ProviderSettings): {
  readonly baseUrl: URL
  readonly apiKey: string | undefined
} {
  if (settings.baseUrl === undefined || settings.baseUrl.trim() === '') {
    throw new EchelonError(
      'INVALID_CONFIG',
      'openai-compatible needs a server; set its base_url, such as http://localhost:8000/v1',
    )
  }
  return {
    baseUrl: addressOr('http://localhost:8000/v1', settings.baseUrl),
    apiKey: checkedApiKey(settings.apiKey),
  }
}
