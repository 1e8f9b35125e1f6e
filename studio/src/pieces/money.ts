/** An amount of US dollars. A call without a known price costs an unknown amount, not zero. */
export const money = (dollars: number | null | undefined): string => {
  if (dollars === null || dollars === undefined) return 'unknown'
  if (dollars === 0) return '$0'
  return (Math.abs(dollars) < 0.1 ? SMALL : USUAL).format(dollars)
}

const USUAL = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const SMALL = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  // Calls cost fractions of a cent.
  maximumSignificantDigits: 3,
})
