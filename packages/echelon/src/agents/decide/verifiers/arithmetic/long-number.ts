/** Significant digits to which the calculator rounds long results. */
export const DIGITS = 50

const ROUNDED = /^-?\d(?:\.\d+)?e[+-]\d+$/
const LONG_WHOLE = new RegExp(String.raw`^(-?)(\d{${DIGITS + 1},})$`)

/** The calculator writes rounded results with an exponent. */
export const isRounded = (text: string): boolean => ROUNDED.test(text)

/**
 * A number as the calculator rounds it, halves away from zero: unchanged if already rounded, with an exponent if a
 * whole number has more digits. Undefined if it is short enough to be given in full.
 */
export function inRoundedForm(text: string): string | undefined {
  if (isRounded(text)) return text
  const [, sign, size] = LONG_WHOLE.exec(text) ?? []
  if (sign === undefined || size === undefined) return undefined
  const unit = 10n ** BigInt(size.length - DIGITS)
  const digits = String((BigInt(size) + unit / 2n) / unit)
  const exponent = size.length - DIGITS + digits.length - 1
  const rest = digits.slice(1).replace(/0+$/, '')
  return `${sign}${digits.slice(0, 1)}${rest && `.${rest}`}e+${exponent}`
}
