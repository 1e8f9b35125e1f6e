import type { Provider } from '../core/model/model.ts'

/** The keys of the built-in providers. */
export type StandardKey =
  | 'offline'
  | 'openai'
  | 'openai-compatible'
  | 'anthropic'
  | 'google'
  | 'ollama'
  | 'vllm'
  | 'lmstudio'
  | 'llamacpp'
  | 'groq'
  | 'mistral'
  | 'deepseek'
  | 'openrouter'
  | 'together'
  | 'xai'

/** For servers that choose their own models. */
const NONE_BY_NAME: readonly string[] = []

/**
 * List entries of the built-in providers, so that listing loads no provider module. Lists the
 * current models, small ones first; other model ids are passed on unchanged.
 */
export const CATALOG: Readonly<Record<StandardKey, Pick<Provider, 'summary' | 'models'>>> = {
  offline: {
    summary: 'built-in models that read arithmetic, dates and the sample stock; no key, no network',
    models: ['small', 'big'],
  },
  openai: {
    summary: 'OpenAI’s models, from gpt-5-nano up; needs OPENAI_API_KEY',
    models: [
      'gpt-5-nano',
      'gpt-5-mini',
      'gpt-5',
      'gpt-5-pro',
      'gpt-5.1',
      'gpt-5.2',
      'gpt-5.2-pro',
      'gpt-5.4-nano',
      'gpt-5.4-mini',
      'gpt-5.4',
      'gpt-5.4-pro',
      'gpt-5.5',
      'gpt-5.6-luna',
      'gpt-5.6-terra',
      'gpt-5.6-sol',
      'gpt-6-luna',
      'gpt-6-sol',
      'gpt-6-astra',
      'gpt-4.1-nano',
      'gpt-4.1-mini',
      'gpt-4.1',
      'gpt-4o-mini',
      'gpt-4o',
      'o3-mini',
      'o4-mini',
      'o3',
      'gpt-3.5-turbo-instruct',
    ],
  },
  'openai-compatible': {
    summary: 'any server with an OpenAI-style API: Ollama, vLLM, LM Studio, llama.cpp, hosted ones',
    models: NONE_BY_NAME,
  },
  anthropic: {
    summary: 'Claude models of Anthropic; key in ANTHROPIC_API_KEY',
    models: [
      'claude-haiku-4-5',
      'claude-haiku-5-5',
      'claude-sonnet-4-5',
      'claude-sonnet-4-6',
      'claude-sonnet-5',
      'claude-sonnet-5-5',
      'claude-opus-4-5',
      'claude-opus-4-6',
      'claude-opus-4-7',
      'claude-opus-4-8',
      'claude-opus-5',
      'claude-opus-5-5',
      'claude-fable-5',
      'claude-fable-5-1',
      'claude-fable-5-2',
    ],
  },
  google: {
    summary: 'Gemini models of Google AI Studio; key in GOOGLE_API_KEY',
    models: [
      'gemini-2.5-flash-lite',
      'gemini-2.5-flash',
      'gemini-2.5-pro',
      'gemini-3-flash-preview',
      'gemini-3-pro-preview',
      'gemini-3.1-pro-preview',
      'gemini-3.5-flash-lite',
      'gemini-3.5-flash',
      'gemini-3.6-flash',
      'gemini-3.7-flash',
      'gemini-3.8-flash',
      'gemini-4-hydrogen',
      'gemini-4-carbon',
      'gemini-4-argon',
    ],
  },
  ollama: {
    summary: 'models in Ollama on this machine; no key',
    models: NONE_BY_NAME,
  },
  vllm: {
    summary: 'the model in a vLLM server on this machine; no key',
    models: NONE_BY_NAME,
  },
  lmstudio: {
    summary: 'models in LM Studio on this machine; no key',
    models: NONE_BY_NAME,
  },
  llamacpp: {
    summary: 'the model in a llama.cpp server on this machine; no key',
    models: NONE_BY_NAME,
  },
  groq: {
    summary: 'open models on Groq; key in GROQ_API_KEY',
    models: NONE_BY_NAME,
  },
  mistral: {
    summary: 'models of Mistral AI; key in MISTRAL_API_KEY',
    models: NONE_BY_NAME,
  },
  deepseek: {
    summary: 'models of DeepSeek; key in DEEPSEEK_API_KEY',
    models: NONE_BY_NAME,
  },
  openrouter: {
    summary: 'models of many services through OpenRouter; key in OPENROUTER_API_KEY',
    models: NONE_BY_NAME,
  },
  together: {
    summary: 'open models on Together AI; key in TOGETHER_API_KEY',
    models: NONE_BY_NAME,
  },
  xai: {
    summary: 'Grok models of xAI; key in XAI_API_KEY',
    models: NONE_BY_NAME,
  },
}
