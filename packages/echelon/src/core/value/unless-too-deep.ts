/**
 * What a parser makes of a text; nothing where the text is nested so deeply that the parser, which calls
 * itself for each level, has no stack left. Other errors are the caller's.
 */
export function unlessTooDeep<Result extends object>(parse: () => Result): Result | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
