/** Money for a person; a fraction of a cent keeps its digits, and nothing above 0 reads as 0. */
export function dollars(cost: number): string {
  if (cost <= 0 || cost >= 0.01) return `$${cost.toFixed(2)}`
  if (cost >= 0.000001) return `$${cost.toFixed(6)}`
  return `$${cost.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
}
