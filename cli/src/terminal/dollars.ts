/** Formats US dollars. Fractions of a cent keep two digits, so that no cost above 0 shows as 0. */
export function dollars(cost: number): string {
  if (cost <= 0 || cost >= 0.01) return `$${cost.toFixed(2)}`
  if (cost >= 0.000001) return `$${cost.toFixed(6)}`
  return `$${cost.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
}
