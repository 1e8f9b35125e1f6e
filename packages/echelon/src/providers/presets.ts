import type { JSONObject, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Price, Provider, ProviderSettings, Reasoning } from '../core/model/model.ts'
import { type AdaptedCall, adaptedModel } from './vendor/adapted-model.ts'
import { CATALOG } from './catalog.ts'
import { normalizeChatError } from './errors/chat.ts'
import { chatModel } from './openai-compatible.ts'
import { withOwnOptions } from './vendor/own-options.ts'
import { unmarked } from './vendor/own-thoughts.ts'
import { priceAt, unknownPrice } from './prices.ts'
import { withSchemaInPrompt } from './vendor/schema-in-prompt.ts'
import {
  addressOr,
  checkedApiKey,
  moreOf,
  neededApiKey,
  refuseInterface,
} from './server-settings.ts'

/** A chat completions server known by name, and how it deviates from the standard interface. */
interface Preset {
  readonly baseUrl: string
  /** The environment variable that holds its key. Absent when the server needs no key. */
  readonly variable?: string
  /** The request fields that set the reasoning effort; empty to send none. */
  readonly thinking: (reasoning: Level, modelId: string) => JSONObject
  /** Whether this model accepts a JSON schema as response format. Default true. */
  readonly takesSchema?: (modelId: string) => boolean
  /** The server's name for the seed, when it differs. */
  readonly seed?: string
  /** The options for which this model rejects a call. */
  readonly refuses?: (modelId: string) => readonly Refusable[]
  /**
   * Whether the server expects its models' reasoning back; other servers refuse it. Default false.
   */
  readonly wantsThoughts?: boolean
  /** Whether a stream reports its usage only on request. Default true. */
  readonly asksForUsage?: boolean
}

type Refusable = 'seed' | 'stopSequences' | 'presencePenalty' | 'frequencyPenalty'

/** The levels that are sent to a server; `provider-default` sends nothing. */
type Level = Exclude<Reasoning, 'provider-default'>

/** OpenAI's field, for servers that do not support every level. `least` sends nothing. */
const effort = (reasoning: Level): JSONObject =>
  reasoning === 'least' ? {} : { reasoning_effort: reasoning }

export type PresetKey = LocalKey | HostedKey
type LocalKey = 'ollama' | 'vllm' | 'lmstudio' | 'llamacpp'
type HostedKey = 'groq' | 'mistral' | 'deepseek' | 'openrouter' | 'together' | 'xai'

const PRESETS: Readonly<Record<PresetKey, Preset>> = {
  ollama: {
    baseUrl: 'http://localhost:11434/v1',
    // Models without reasoning accept this too.
    thinking: (reasoning) => ({ reasoning_effort: reasoning === 'least' ? 'none' : reasoning }),
  },
  vllm: {
    baseUrl: 'http://localhost:8000/v1',
    thinking: effort,
  },
  lmstudio: {
    baseUrl: 'http://localhost:1234/v1',
    thinking: effort,
  },
  llamacpp: {
    baseUrl: 'http://localhost:8080/v1',
    thinking: (reasoning) =>
      reasoning === 'least'
        ? { chat_template_kwargs: { enable_thinking: false } }
        : { reasoning_effort: reasoning },
  },
  groq: {
    baseUrl: 'https://api.groq.com/openai/v1',
    variable: 'GROQ_API_KEY',
    thinking: groqThinking,
    takesSchema: (modelId) => modelId.includes('gpt-oss'),
  },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    variable: 'MISTRAL_API_KEY',
    thinking: (reasoning) => (reasoning === 'least' ? {} : { reasoning_effort: 'high' }),
    // The server rejects every field it does not know.
    seed: 'random_seed',
    asksForUsage: false,
  },
  deepseek: {
    baseUrl: 'https://api.deepseek.com/v1',
    variable: 'DEEPSEEK_API_KEY',
    thinking: (reasoning) => ({
      thinking: { type: reasoning === 'least' ? 'disabled' : 'enabled' },
    }),
    takesSchema: () => false,
    // The server refuses to continue after a tool call without the reasoning.
    wantsThoughts: true,
    refuses: () => ['seed'],
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    variable: 'OPENROUTER_API_KEY',
    thinking: (reasoning) => ({
      reasoning: { effort: reasoning === 'least' ? 'none' : reasoning },
    }),
  },
  together: {
    baseUrl: 'https://api.together.xyz/v1',
    variable: 'TOGETHER_API_KEY',
    thinking: effort,
  },
  xai: {
    baseUrl: 'https://api.x.ai/v1',
    variable: 'XAI_API_KEY',
    thinking: effort,
    refuses: (modelId) =>
      modelId.includes('-non-reasoning')
        ? []
        : ['stopSequences', 'presencePenalty', 'frequencyPenalty'],
  },
}

/** Each model family on Groq accepts other values, and the other models reject the field. */
function groqThinking(reasoning: Level, modelId: string): JSONObject {
  if (modelId.includes('qwen')) {
    return { reasoning_effort: reasoning === 'least' ? 'none' : 'default' }
  }
  if (modelId.includes('gpt-oss')) {
    return { reasoning_effort: reasoning === 'least' ? 'low' : reasoning }
  }
  return effort(reasoning)
}

/**
 * An `openai-compatible` provider that knows its server's address. A hosted server needs a key and
 * is priced by its public address.
 * A local server at a loopback address costs 0: naming it by its own key says that the model runs
 * on this machine. At any other address the price is unknown, since the server may charge for it.
 */
export function presetProvider(key: PresetKey): Provider {
  const preset = PRESETS[key]
  return {
    key,
    ...CATALOG[key],
    normalizeError: normalizeChatError,
    async load(modelId, settings) {
      refuseInterface(key, settings, 'chat')
      const { baseUrl, apiKey } = presetServer(key, settings)
      const { asksForUsage = true } = preset
      const model = await chatModel(
        { key, baseUrl, apiKey, asksForUsage, more: moreOf(settings) },
        modelId,
      )
      const adapt = callOf(key, modelId, settings.reasoning ?? 'provider-default')
      return {
        id: `${key}/${modelId}`,
        model: adaptedModel(model, adapt, preset.wantsThoughts === true ? unmarked : () => false),
        // A stated price replaces this one and needs no price list.
        price:
          settings.price === undefined ? await usualPrice(preset, baseUrl, modelId) : unknownPrice,
        normalizeError: normalizeChatError,
      }
    },
  }
}

/**
 * The address and key of a preset's server.
 * @throws EchelonError MISSING_KEY, INVALID_CONFIG
 */
export function presetServer(
  key: PresetKey,
  settings: ProviderSettings,
): { readonly baseUrl: URL; readonly apiKey: string | undefined } {
  const { variable, baseUrl } = PRESETS[key]
  return {
    apiKey:
      variable === undefined
        ? checkedApiKey(settings.apiKey)
        : neededApiKey(settings.apiKey, { provider: key, variable }),
    baseUrl: addressOr(baseUrl, settings.baseUrl),
  }
}

export const isPreset = (key: string): key is PresetKey => Object.hasOwn(PRESETS, key)

const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

async function usualPrice(preset: Preset, baseUrl: URL, modelId: string): Promise<Price> {
  const isLocal = preset.variable === undefined && isLoopback(baseUrl)
  if (!isLocal) return await priceAt(baseUrl, modelId)
  // Ollama forwards models with this suffix to its own paid service.
  return /[:-]cloud$/.test(modelId) ? unknownPrice : () => 0
}

function callOf(
  key: PresetKey,
  modelId: string,
  reasoning: Reasoning,
): (given: LanguageModelV4CallOptions) => AdaptedCall {
  const { thinking, takesSchema, seed: wordForSeed, refuses } = PRESETS[key]
  const thinkingFields = reasoning === 'provider-default' ? {} : thinking(reasoning, modelId)
  const refused = refuses?.(modelId) ?? []
  return (given) => {
    const { options, dropped } = without(given, refused)
    const worded = takesSchema?.(modelId) === false ? withSchemaInPrompt(options) : options
    const warnings = dropped.map((feature) => ({ type: 'unsupported', feature }) as const)
    const { seed, ...seedless } = worded
    if (wordForSeed === undefined || seed === undefined) {
      return { options: withOwnOptions(worded, key, thinkingFields), warnings }
    }
    return {
      options: withOwnOptions(seedless, key, { ...thinkingFields, [wordForSeed]: seed }),
      warnings,
    }
  }
}

function without(
  given: LanguageModelV4CallOptions,
  refused: readonly Refusable[],
): { readonly options: LanguageModelV4CallOptions; readonly dropped: readonly Refusable[] } {
  const options = { ...given }
  const dropped = refused.filter((feature) => given[feature] !== undefined)
  for (const feature of dropped) delete options[feature]
  return { options, dropped }
}
