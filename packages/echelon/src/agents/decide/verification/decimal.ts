const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/
const DECIMAL = /^([+-]?)0*(\d+)(?:\.(\d*))?$/

/**
 * A number's one spelling: without currency sign, thousands separators, needless zeros or plus
 * sign, so that equal numbers are equal strings, exactly. Nothing when the text is no number.
 */
export function canonicalDecimal(text: string): string | undefined {
  const plain = text.trim().replace(/^([+-]?)[$€£]\s?/, '$1')
  // Commas between groups of three are the only ones that do not change a number.
  const bare = GROUPED.test(plain) ? plain.replaceAll(',', '') : plain
  const [, sign, whole, fraction = ''] = DECIMAL.exec(bare) ?? []
  if (sign === undefined || whole === undefined) return undefined
  const kept = fraction.replace(/0+$/, '')
  const digits = kept === '' ? whole : `${whole}.${kept}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}
