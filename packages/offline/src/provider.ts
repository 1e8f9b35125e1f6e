import { EchelonError } from 'echelon/internal/value'
import type { Provider } from 'echelon/providers'
import { CATALOGUE } from 'echelon/internal/providers'
import { type Answer, languageModel } from './language-model.ts'
import { chatReply } from './chat/reply.ts'
import { isChat } from './chat/turn.ts'
import { ANSWERS, type OfflineModel } from './models.ts'

/**
 * Two models that are part of the product: no key, no network, no price, and the same answer to
 * the same prompt for ever. `small` reads arithmetic and percentages, dates one step from a date that
 * is named, numbers of days, and stock requests; `big` reads word problems and dates of several steps
 * as well. Both decline the rest. A planner is answered with a plan, a conversation with calls of its
 * tools and sentences.
 */
export const offline: Provider = {
  key: 'offline',
  ...CATALOGUE.offline,
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
  (options) =>
    isChat(options)
      ? chatReply(model, options)
      : { type: 'text', text: ANSWERS[model](options.prompt) }
