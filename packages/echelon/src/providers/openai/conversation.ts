import { isRecord } from '../../core/value/json.ts'
import type { KeptConversation, ProviderSettings } from '../../core/model/model.ts'

/**
 * How a stored conversation continues with OpenAI's responses: each response has an id, and the
 * next call names the previous one. Chat completions have no such ids, so everything is sent again.
 */
const BY_RESPONSE: KeptConversation = {
  idOf(metadata) {
    const own = isRecord(metadata) ? metadata['openai'] : undefined
    const id = isRecord(own) ? own['responseId'] : undefined
    return typeof id === 'string' ? id : undefined
  },
  options: (id) => ({ openai: { previousResponseId: id } }),
}

/** Only if the user enabled storage. */
export const keptConversation = ({
  store = false,
}: ProviderSettings): { readonly conversation?: KeptConversation } =>
  store ? { conversation: BY_RESPONSE } : {}
