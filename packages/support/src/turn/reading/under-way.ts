/** States of an order that has not come yet, and that still comes. */
export const UNDER_WAY: ReadonlySet<string> = new Set([
  'processing',
  'shipped',
  'in_transit',
  'delayed',
])
