import { EchelonError } from '../core/error.ts'
import type { Provider } from '../core/model.ts'
import { CATALOGUE } from './catalogue.ts'
import { languageModel } from './offline/language-model.ts'
import { ANSWERS } from './offline/models.ts'

/**
 * Two models that are part of the product: no key, no network, no price, and the same answer to
 * the same prompt for ever. `small` reads arithmetic and percentages, dates one step from a date that
 * is named, numbers of days, and stock requests; `big` reads word problems and dates of several steps
 * as well. Both decline the rest.
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
      model: languageModel(modelId, ANSWERS[modelId]),
      price: () => 0,
    }
  },
}
