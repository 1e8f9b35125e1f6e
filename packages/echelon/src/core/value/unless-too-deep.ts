/**
 * Returns the result of a recursive parser, or undefined if the text is nested too deeply for the
 * stack. Rethrows other errors.
 */
export function unlessTooDeep<Result extends object>(parse: () => Result): Result | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
