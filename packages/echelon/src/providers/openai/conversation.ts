import { isRecord } from '../../core/value/json.ts'
import type { KeptConversation, ProviderSettings } from '../../core/model/model.ts'

/**
 * How OpenAI's responses are gone on with, where they are stored: each has an id, and the next call
 * names the one before it. Chat completions have no such ids, so that there all is sent again.
 */
const BY_RESPONSE: KeptConversation = {
  idOf(metadata) {
    const own = isRecord(metadata) ? metadata['openai'] : undefined
    const id = isRecord(own) ? own['responseId'] : undefined
    return typeof id === 'string' ? id : undefined
  },
  options: (id) => ({ openai: { previousResponseId: id } }),
}

/** Only where the user has allowed it. */
export const keptConversation = ({
  store = false,
}: ProviderSettings): { readonly conversation?: KeptConversation } =>
  store ? { conversation: BY_RESPONSE } : {}
