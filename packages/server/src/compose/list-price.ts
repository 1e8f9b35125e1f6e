import { pricesAtOnce } from 'echelon/internal/providers'
import type { PriceOf } from '../access/savings.ts'

/** The list price of a model of a public vendor. */
export const listPrice: PriceOf = async (model, usage) => {
  const slash = model.indexOf('/')
  const price = pricesAtOnce()?.priceOf(model.slice(0, slash), model.slice(slash + 1))
  return price?.(usage) ?? null
}
