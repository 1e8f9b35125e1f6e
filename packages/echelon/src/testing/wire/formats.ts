import { anthropicMessages } from './anthropic.ts'
import type { WireFormat } from './format.ts'
import { googleContent } from './google.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompletions } from './openai-completions.ts'
import { openaiResponses } from './openai-responses.ts'

/** The format in which a POST to this path is a call, if any. */
export const formatAt = (path: string): WireFormat | undefined =>
  FORMATS.find((format) => format.takes(path))

const FORMATS: readonly WireFormat[] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  anthropicMessages,
  googleContent,
]
