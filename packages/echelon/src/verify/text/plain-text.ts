/** The most characters that are read: the end of a longer text. */
export const MOST_CHARACTERS = 20_000

const REPLACED: readonly (readonly [RegExp, string])[] = [
  // Braces of LaTeX hold no braces here: what is nested deeper stays, and is not read as a calculation.
  [/\\[dt]?frac\s{0,2}\{([^{}]{1,40})\}\s{0,2}\{([^{}]{1,40})\}/g, '(($1)/($2))'],
  [/\\(?:text|mathrm|mathbf|textbf)\s{0,2}\{([^{}]{0,60})\}/g, ' $1 '],
  [/\\(?:times|cdot|ast)(?![a-z])/g, '*'],
  [/\\div(?![a-z])/g, '/'],
  [/\\(?:approx|eq|equiv)(?![a-z])/g, '='],
  [/\\(?:left|right|quad|,|;|!)/g, ' '],
  [/\\[[\]()]|\$\$/g, ' '],
  [/\\([*$%#_&])/g, '$1'],
  // A decimal power is written between digits; elsewhere two asterisks are bold type.
  [/(\d\s?)\*\*(?=\s?\d)/g, '$1^'],
  [/\*\*|__|`/g, ''],
]

/** The text as it is read: LaTeX and Markdown as plain characters. */
export const plainText = (text: string): string =>
  REPLACED.reduce(
    (plain, [pattern, by]) => plain.replace(pattern, by),
    text.slice(-MOST_CHARACTERS),
  )

const ANNOTATION = /<<([^<>\n]{1,200})>>/g

/** A text parted into what is to be read and the calculator's annotations in it, as `<<3*4=12>>`. */
export function withoutAnnotations(text: string): {
  readonly text: string
  readonly annotations: readonly string[]
} {
  return {
    text: text.replace(ANNOTATION, ''),
    annotations: Array.from(text.matchAll(ANNOTATION), ([, inside = '']) => inside),
  }
}
