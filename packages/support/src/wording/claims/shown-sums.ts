/** Amounts of one answer that are tried; longer answers list more than they add up. */
const MOST_AMOUNTS = 14
/** Addends of one sum. */
const MOST_ADDENDS = 4

const AMOUNT = /[$€£]\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?/gu
const COUNT = /(?<![\d$€£.,-])([2-9])(?![\d.,:-]*\d)/gu

/**
 * Whether an amount follows from amounts that the same answer shows and the data holds: a sum of a few, a difference,
 * or one times a number that is shown. A sum that the reader can add up needs no source of its own.
 * @param held whether the data holds an amount, as written
 */
export function followsFromShown(
  amount: string,
  text: string,
  held: (amount: string) => boolean,
): boolean {
  const wanted = cents(amount)
  if (wanted === null) return false
  const shown = [...text.matchAll(AMOUNT)].flatMap(([said]) =>
    held(said) ? (cents(said) ?? []) : [],
  )
  const amounts = shown.slice(0, MOST_AMOUNTS)
  const counts = [...text.matchAll(COUNT)].map(([, count]) => Number(count))
  const isProduct = amounts.some((one) => counts.some((count) => one * count === wanted))
  const isDifference = amounts.some((one) => amounts.some((other) => one - other === wanted))
  return isProduct || isDifference || isSum(wanted, amounts, MOST_ADDENDS)
}

/** Whether a small number is the product of two counts that the same answer shows: "2 per passenger", "two passengers". */
export function countsFromShown(figure: string, text: string): boolean {
  if (!/^\d{1,2}$/.test(figure)) return false
  const words = [...text.toLowerCase().matchAll(WORDS)].map(
    ([word]) => WORD_COUNTS.indexOf(word) + 2,
  )
  const digits = [...text.matchAll(COUNT)].map(([, count]) => Number(count))
  const counts = [...words, ...digits].filter((count) => count !== Number(figure))
  return counts.some((one) => counts.some((other) => one * other === Number(figure)))
}

const WORD_COUNTS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const WORDS = new RegExp(`\\b(?:${WORD_COUNTS.join('|')})\\b`, 'gu')

/** Whether a few of these, each once, add up to an amount. */
function isSum(wanted: number, amounts: readonly number[], most: number): boolean {
  if (wanted <= 0 || most === 0) return wanted === 0
  return amounts.some(
    (one, at) => one > 0 && one <= wanted && isSum(wanted - one, amounts.slice(at + 1), most - 1),
  )
}

function cents(amount: string): number | null {
  const value = Number(amount.replaceAll(/[^\d.]/g, ''))
  return /[$€£]/u.test(amount) && Number.isFinite(value) ? Math.round(value * 100) : null
}
