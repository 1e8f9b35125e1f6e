import { EchelonError } from 'echelon/internal/value'
import type { Provider } from 'echelon/providers'
import { CATALOG } from 'echelon/internal/catalog'
import { type Answer, languageModel } from './language-model.ts'
import { isChat } from './chat/turn.ts'
import { ANSWERS, type OfflineModel } from './models.ts'

/**
 * Two built-in models: no key, no network, no price, and always the same answer to the same prompt. `small` reads
 * arithmetic and percentages, dates one step from a named date, numbers of days, and stock requests; `big` also
 * reads word problems and dates of several steps. Both decline the rest. A planner gets a plan, a conversation
 * gets tool calls and sentences.
 */
export const offline: Provider = {
  key: 'offline',
  ...CATALOG.offline,
  async load(modelId) {
    if (modelId !== 'small' && modelId !== 'big') {
      throw new EchelonError(
        'UNKNOWN_MODEL',
        `there is no model offline/${modelId}; use offline/small or offline/big`,
        { details: { model: `offline/${modelId}` } },
      )
    }
    return {
      id: `offline/${modelId}`,
      model: languageModel(modelId, answerOf(modelId)),
      price: () => 0,
    }
  },
}

const answerOf =
  (model: OfflineModel): Answer =>
  async (options) => {
    if (!isChat(options)) return { type: 'text', text: ANSWERS[model](options.prompt) }
    const { chatReply } = await import('./chat/reply.ts')
    return chatReply(model, options)
  }
