import { fileURLToPath } from 'node:url'

/**
 * The current day of the sample orders, in UTC: their dates are fixed, so that answers are the same on any day.
 * Rules that count days, such as those of refunds, are demonstrated with it.
 */
export const DEMO_DAY = '2025-10-18'

/** The path of the sample orders. */
export const demoOrders = (): string =>
  fileURLToPath(import.meta.resolve('@echelon/support/data/orders.json'))
