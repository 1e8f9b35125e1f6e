const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/
const DECIMAL = /^([+-]?)0*(\d+)(?:\.(\d*))?$/

/**
 * The canonical form of a number: without currency sign, thousands separators, needless zeros or plus sign, so
 * that equal numbers are equal strings, exactly. Undefined if the text is not a number.
 */
export function canonicalDecimal(text: string): string | undefined {
  const plain = text.trim().replace(/^([+-]?)[$€£]\s?/, '$1')
  // Only commas between groups of three leave the number unchanged.
  const bare = GROUPED.test(plain) ? plain.replaceAll(',', '') : plain
  const [, sign, whole, fraction = ''] = DECIMAL.exec(bare) ?? []
  if (sign === undefined || whole === undefined) return undefined
  const kept = fraction.replace(/0+$/, '')
  const digits = kept === '' ? whole : `${whole}.${kept}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}
