declare module 'spdx-satisfies' {
  /**
   * Whether one of the ways to read an SPDX expression needs nothing but these licences.
   * Throws at what is no SPDX expression.
   */
  export default function satisfies(expression: string, licences: readonly string[]): boolean
}
