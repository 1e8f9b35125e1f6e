import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { isRecord } from '../../core/value/json.ts'

/**
 * The same call with every earlier message in full, for a call without a stored previous response.
 * With storage on, the package sends earlier parts by id only. Another key cannot find those ids,
 * and they expire.
 */
export function sentWhole(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const own = options.providerOptions?.['openai']
  if (own?.['previousResponseId'] !== undefined || own?.['conversation'] !== undefined) {
    return options
  }
  return { ...options, prompt: options.prompt.map(withoutIds) }
}

function withoutIds(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'assistant') return message
  return {
    ...message,
    // Reasoning is stored as well, and cannot be sent without its id.
    content: message.content
      .filter(({ type }) => type !== 'reasoning')
      .map((part) => ({
        ...part,
        ...(part.providerOptions && withoutItemId(part.providerOptions)),
      })),
  }
}

type Options = NonNullable<LanguageModelV4CallOptions['providerOptions']>

function withoutItemId(providerOptions: Options): { readonly providerOptions: Options } {
  const own = providerOptions['openai']
  if (!isRecord(own)) return { providerOptions }
  const { itemId: _itemId, ...openai } = own
  return { providerOptions: { ...providerOptions, openai } }
}
