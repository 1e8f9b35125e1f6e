import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'

/** A reasoning part, or a part that only its provider can read. */
export interface Thought {
  readonly providerOptions?: SharedV4ProviderOptions
}

/** Whether the current provider can read a reasoning part. */
export type IsOwnThought = (thought: Thought) => boolean

/** Marked by the provider itself, for example with a signature or encrypted content. */
export const markedBy =
  (provider: string): IsOwnThought =>
  ({ providerOptions }) =>
    providerOptions?.[provider] !== undefined

/** Without a provider's mark, as chat completions servers return reasoning. */
export const unmarked: IsOwnThought = ({ providerOptions }) => providerOptions === undefined

/**
 * The same call without other providers' reasoning parts, which a conversation holds after a
 * switch: no model can read another's, some servers reject them, and packages warn about each in
 * full.
 */
export function withOwnThoughts(
  options: LanguageModelV4CallOptions,
  isOwn: IsOwnThought,
): LanguageModelV4CallOptions {
  if (!options.prompt.some((message) => holdsForeign(message, isOwn))) return options
  return { ...options, prompt: options.prompt.flatMap((message) => cleared(message, isOwn)) }
}

const holdsForeign = (message: LanguageModelV4Message, isOwn: IsOwnThought): boolean =>
  message.role === 'assistant' && message.content.some((part) => isForeign(part, isOwn))

type Part = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

const isForeign = (part: Part, isOwn: IsOwnThought): boolean =>
  (part.type === 'reasoning' || part.type === 'reasoning-file' || part.type === 'custom') &&
  !isOwn(part)

/** A message that holds only reasoning is removed with it. */
function cleared(message: LanguageModelV4Message, isOwn: IsOwnThought): LanguageModelV4Message[] {
  if (message.role !== 'assistant') return [message]
  const content = message.content.filter((part) => !isForeign(part, isOwn))
  return content.length === 0 ? [] : [{ ...message, content }]
}
