/** Money for a person; a fraction of a cent keeps its digits. */
export const dollars = (cost: number): string => `$${cost.toFixed(cost > 0 && cost < 0.01 ? 6 : 2)}`
