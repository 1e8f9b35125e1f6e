import { fileURLToPath } from 'node:url'

/**
 * The day of which the orders that come with Echelon tell, in UTC: their dates are fixed, so that an
 * answer is the same on any day. Rules that count days, such as those of refunds, are shown with it.
 */
export const DEMO_DAY = '2025-10-18'

/** Where the orders are that come with Echelon. */
export const demoOrders = (): string =>
  fileURLToPath(import.meta.resolve('@echelon/support/data/orders.json'))
