import type { JSONObject, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Price, Provider, ProviderSettings, Reasoning } from '../core/model/model.ts'
import { type AdaptedCall, adaptedModel } from './vendor/adapted-model.ts'
import { CATALOGUE } from './catalogue.ts'
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

/** A server of chat completions that is known by name, and what it does not take as it comes. */
interface Preset {
  readonly baseUrl: string
  /** Where its key comes from; a server without one needs none. */
  readonly variable?: string
  /** How it is told to think; nothing where it is told nothing. */
  readonly thinking: (reasoning: Told, modelId: string) => JSONObject
  /** Whether this model may be asked for JSON by a schema. Default true. */
  readonly takesSchema?: (modelId: string) => boolean
  /** Another word for the seed. */
  readonly seed?: string
  /** What this model refuses a call for. */
  readonly refuses?: (modelId: string) => readonly Refusable[]
  /** Whether it wants to have back what its models thought, which others refuse. Default false. */
  readonly wantsThoughts?: boolean
  /** Whether a stream tells its usage only when asked to. Default true. */
  readonly asksForUsage?: boolean
}

type Refusable = 'seed' | 'stopSequences' | 'presencePenalty' | 'frequencyPenalty'

/** What a server can be told; `provider-default` is told to none. */
type Told = Exclude<Reasoning, 'provider-default'>

/** OpenAI's word, for servers that do not know every level or would refuse it: `least` says nothing. */
const effort = (reasoning: Told): JSONObject =>
  reasoning === 'least' ? {} : { reasoning_effort: reasoning }

export type PresetKey = LocalKey | HostedKey
type LocalKey = 'ollama' | 'vllm' | 'lmstudio' | 'llamacpp'
type HostedKey = 'groq' | 'mistral' | 'deepseek' | 'openrouter' | 'together' | 'xai'

const PRESETS: Readonly<Record<PresetKey, Preset>> = {
  ollama: {
    baseUrl: 'http://localhost:11434/v1',
    // Models that do not think take it, too.
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
    // It refuses every word that it does not know.
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
    // Between a tool call and its result it refuses to go on without.
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

/** Each kind of model on Groq knows other words, and the rest refuses them all. */
function groqThinking(reasoning: Told, modelId: string): JSONObject {
  if (modelId.includes('qwen')) {
    return { reasoning_effort: reasoning === 'least' ? 'none' : 'default' }
  }
  if (modelId.includes('gpt-oss')) {
    return { reasoning_effort: reasoning === 'least' ? 'low' : reasoning }
  }
  return effort(reasoning)
}

/**
 * A provider of `openai-compatible` that knows the address of its server. A hosted one needs a key
 * and costs what the price list says of its public address.
 *
 * A local one on a loopback address costs 0: whoever names it by its own name says that the model
 * runs on this machine, where nobody asks money for a token. At any other address somebody may, and
 * what nobody has stated is unknown.
 */
export function presetProvider(key: PresetKey): Provider {
  const preset = PRESETS[key]
  return {
    key,
    ...CATALOGUE[key],
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
        // One that is stated stands in for it, and needs no list.
        price:
          settings.price === undefined ? await usualPrice(preset, baseUrl, modelId) : unknownPrice,
        normalizeError: normalizeChatError,
      }
    },
  }
}

/** Where the server of a preset is, and the key for it. @throws EchelonError MISSING_KEY, INVALID_CONFIG */
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
  // Ollama passes models of this name on to its own service, which is not for nothing.
  return /[:-]cloud$/.test(modelId) ? unknownPrice : () => 0
}

function callOf(
  key: PresetKey,
  modelId: string,
  reasoning: Reasoning,
): (given: LanguageModelV4CallOptions) => AdaptedCall {
  const { thinking, takesSchema, seed: wordForSeed, refuses } = PRESETS[key]
  const told = reasoning === 'provider-default' ? {} : thinking(reasoning, modelId)
  const refused = refuses?.(modelId) ?? []
  return (given) => {
    const { options, dropped } = without(given, refused)
    const worded = takesSchema?.(modelId) === false ? withSchemaInPrompt(options) : options
    const warnings = dropped.map((feature) => ({ type: 'unsupported', feature }) as const)
    const { seed, ...seedless } = worded
    if (wordForSeed === undefined || seed === undefined) {
      return { options: withOwnOptions(worded, key, told), warnings }
    }
    return { options: withOwnOptions(seedless, key, { ...told, [wordForSeed]: seed }), warnings }
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
