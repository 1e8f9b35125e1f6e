/** The seed of the tests. */
export const SEED = 1
/** Questions of each control kind behind the counts below. */
export const EACH_BEFORE = 200

/**
 * Number of control questions of each kind that were verified before two readers had to agree (commit
 * ead8104), of `EACH_BEFORE` with seed `SEED`. A change of a control grammar needs a new count.
 */
export const BEFORE: Readonly<Record<string, number>> = {
  'weekdays and steps': 200,
  'an event and its date': 200,
  'from today': 200,
  'days between': 200,
  'price each': 198,
  'have, get and lose': 200,
  groups: 100,
  rates: 153,
  symbols: 180,
  'number words': 173,
  percent: 102,
  phrases: 172,
  orders: 200,
  'wordings of the evaluation': 133,
  'facts in any order': 195,
  'stories of the evaluation': 22,
  holidays: 200,
  'orders for a date': 200,
}
