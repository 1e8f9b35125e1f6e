import { stripVTControlCharacters } from 'node:util'

/**
 * A text that models, tools and providers wrote, on one line and without what could steer the
 * terminal or turn the direction of writing around.
 */
export const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\p{Cc}+/gu, ' ')

/** The same for a text of several lines, which stay lines. */
export const cleanLines = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')

/** How much a line of it may hold; a terminal that does not know its width says 0. */
export const widthOf = (stream: { readonly columns?: number }, otherwise: number): number =>
  (stream.columns === undefined || stream.columns === 0 ? otherwise : stream.columns) - 1

/** A text on one line of so many columns at most; what is cut off leaves a `…`. */
export function cut(text: string, columns: number): string {
  // What is short in the units of strings is short in whatever is seen.
  if (text.length <= columns) return text
  const seen = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return seen.length <= columns ? text : `${seen.slice(0, Math.max(0, columns - 1)).join('')}…`
}
