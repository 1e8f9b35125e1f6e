const DECIMAL = /^([+-]?)0*(\d+)(?:\.(\d*))?$/

/**
 * A number's one spelling: without currency sign, thousands separators, needless zeros or plus
 * sign, so that equal numbers are equal strings, exactly. Nothing when the text is no number.
 */
export function canonicalDecimal(text: string): string | undefined {
  const bare = text.trim().replaceAll(/[$€£,\s]/g, '')
  const [, sign, whole, fraction = ''] = DECIMAL.exec(bare) ?? []
  if (sign === undefined || whole === undefined) return undefined
  const kept = fraction.replace(/0+$/, '')
  const digits = kept === '' ? whole : `${whole}.${kept}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}
