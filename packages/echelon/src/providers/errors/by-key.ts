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
 * Finds the error normalizer by a provider's key, or by an AI SDK model's `provider`, such as
 * `anthropic.messages`. Unknown providers are treated as chat completions servers. For models that
 * do not come from one of our providers.
 */
export function normalizerOf(provider: string): NormalizeError {
  const [key = ''] = provider.split(/[./]/)
  return (Object.hasOwn(BY_KEY, key) ? BY_KEY[key] : undefined) ?? normalizeChatError
}
