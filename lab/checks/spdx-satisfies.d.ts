declare module 'spdx-satisfies' {
  /**
   * Whether one of the ways to read an SPDX expression needs only these licenses.
   * Throws if the text is not an SPDX expression.
   */
  export default function satisfies(expression: string, licenses: readonly string[]): boolean
}
