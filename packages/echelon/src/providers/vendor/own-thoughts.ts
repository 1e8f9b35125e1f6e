import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'

/** A part of an answer in which a model thinks, or that only its provider has a word for. */
export interface Thought {
  readonly providerOptions?: SharedV4ProviderOptions
}

/** Whether the provider that is asked now can read a thought. */
export type IsOwnThought = (thought: Thought) => boolean

/** Marked by the provider itself, as a thought is that has a signature or a cipher. */
export const markedBy =
  (provider: string): IsOwnThought =>
  ({ providerOptions }) =>
    providerOptions?.[provider] !== undefined

/** Marked by nobody, as servers of chat completions tell what they think. */
export const unmarked: IsOwnThought = ({ providerOptions }) => providerOptions === undefined

/**
 * The same call without the thoughts of other providers' models, which a conversation holds after a
 * switch: no model reads another's, some servers refuse them, and packages warn of each in full.
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

/** A message of nothing but thoughts goes with them. */
function cleared(message: LanguageModelV4Message, isOwn: IsOwnThought): LanguageModelV4Message[] {
  if (message.role !== 'assistant') return [message]
  const content = message.content.filter((part) => !isForeign(part, isOwn))
  return content.length === 0 ? [] : [{ ...message, content }]
}
