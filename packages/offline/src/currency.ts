/** Currencies by sign and name. "Pounds" may also be a weight. */
const CURRENCIES: readonly RegExp[] = [
  /\$|\bdollars?\b|\bbucks\b/g,
  /€|\beuros?\b/g,
  /£|\bpounds? sterling\b|\bquid\b/g,
  /\bfrancs?\b/g,
  /¥|\byen\b/g,
  /₹|\brupees?\b/g,
]

/**
 * Renames the single currency of a lower-case text to dollars, the name that the rules know. A text
 * with two currencies is unchanged, because their amounts do not add up.
 */
export function oneCurrency(text: string): string {
  const [currency, ...others] = CURRENCIES.filter((each) => text.search(each) !== -1)
  if (currency === undefined || others.length > 0) return text
  return text.replace(currency, (name) => {
    if (!/[a-z]/.test(name)) return '$'
    return /s\b/.test(name) || name === 'quid' || name === 'yen' ? 'dollars' : 'dollar'
  })
}
