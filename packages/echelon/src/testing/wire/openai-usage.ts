import { isJsonObject, type JsonObject } from '../../core/value/json.ts'
import type { WireCall } from './format.ts'
import type { ServerReply, ServerUsage } from './script.ts'

/** The usage of a reply: 10 and 5 tokens unless the script sets it; null if the server reports none. */
export const spentBy = ({ usage = { input: 10, output: 5 } }: ServerReply): ServerUsage | null =>
  usage

/** Usage in the form of chat completions and completions. */
export function completionUsage(reply: ServerReply): JsonObject {
  const spent = spentBy(reply)
  if (spent === null) return {}
  const { input, output, cached, reasoning } = spent
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
      ...(reasoning === undefined
        ? {}
        : { completion_tokens_details: { reasoning_tokens: reasoning } }),
    },
  }
}

/** Their streams send usage only on request. */
export function asksForUsage({ body }: WireCall): boolean {
  const options = body['stream_options'] ?? null
  return isJsonObject(options) && options['include_usage'] === true
}
