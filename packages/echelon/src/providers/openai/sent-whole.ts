import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { isRecord } from '../../core/value/json.ts'

/**
 * A call that goes on with no stored response, with all that was said in its own words. Where
 * responses are stored the package names earlier parts by their ids alone, which another key does
 * not find, nor the same one after they have expired.
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
    // What was thought is stored as well, and without its id there is nothing to send.
    content: message.content
      .filter(({ type }) => type !== 'reasoning')
      .map((part) => ({ ...part, ...(part.providerOptions && idless(part.providerOptions)) })),
  }
}

type Options = NonNullable<LanguageModelV4CallOptions['providerOptions']>

function idless(providerOptions: Options): { readonly providerOptions: Options } {
  const own = providerOptions['openai']
  if (!isRecord(own)) return { providerOptions }
  const { itemId: _itemId, ...openai } = own
  return { providerOptions: { ...providerOptions, openai } }
}
