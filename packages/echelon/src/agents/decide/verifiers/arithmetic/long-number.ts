/** Significant digits to which the calculator rounds what it does not give in full. */
export const DIGITS = 50

const ROUNDED = /^-?\d(?:\.\d+)?e[+-]\d+$/
const LONG_WHOLE = new RegExp(String.raw`^(-?)(\d{${DIGITS + 1},})$`)

/** With an exponent the calculator writes what it does not give in full. */
export const isRounded = (text: string): boolean => ROUNDED.test(text)

/**
 * A number as the calculator rounds it, halves away from zero: itself when it is rounded already,
 * a whole number of more digits with an exponent. Nothing for what is short enough to be given in full.
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
