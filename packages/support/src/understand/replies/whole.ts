import type { JsonObject } from 'echelon/runtime'
import { AMOUNT, ITEM } from '../../customer/resolve-order.ts'

/** "I want the refund", "my money back", where no sum is said. */
const WHOLE =
  /\b(?:the|my|a) (?:(?:full|whole|complete|entire) )?(?:refund|money|amount|sum)\b|\b(?:everything|all(?: of it)?|it all) back\b|\bfull refund\b/iu

/** A yes agrees to what was offered. */
const AGREES = /^\W*(?:yes|yeah|yep|yup|sure|go ahead|do (?:it|that))\b/iu

/** Whether a text asks for all that was paid for a thing, and not for a sum that was named before. */
const asksForWhole = (text: string): boolean =>
  WHOLE.test(text) && !/\d/u.test(text) && !AGREES.test(text)

/** The offer, without a part of the sum if the customer asks for the whole. The sum of an item is its price, and stays. */
export function stillAsked(text: string, offered: JsonObject): JsonObject {
  const { [AMOUNT]: sum, ...rest } = offered
  return sum !== undefined && offered[ITEM] === undefined && asksForWhole(text) ? rest : offered
}
