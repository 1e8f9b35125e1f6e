import type { NormalizeError } from '../../core/model/model.ts'
import { normalizeAnthropicError } from './anthropic.ts'
import { normalizeChatError } from './chat.ts'
import { normalizeGoogleError } from './google.ts'
import { normalizeOpenaiError } from './openai.ts'

const BY_KEY: Readonly<Record<string, NormalizeError>> = {
  openai: normalizeOpenaiError,
  anthropic: normalizeAnthropicError,
  google: normalizeGoogleError,
}

/**
 * What the errors of a provider mean, by its key or by what a model of the AI SDK calls its
 * provider, such as `anthropic.messages`. One that is not known is read as a server of chat
 * completions. For models that come without a provider of ours.
 */
export function normalizerOf(provider: string): NormalizeError {
  const [key = ''] = provider.split(/[./]/)
  return (Object.hasOwn(BY_KEY, key) ? BY_KEY[key] : undefined) ?? normalizeChatError
}
