import { stripVTControlCharacters } from 'node:util'
import { visible } from './visible.ts'

/** They alone go without a trace, since all that they colour stays. */
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001b\[[\d;]*m/g

/**
 * A text that models, tools and providers wrote, on one line. What could steer the terminal or turn the
 * direction of writing around is shown by its code, so that nobody approves what they do not see.
 */
export const clean = (text: string): string =>
  visible(text.replaceAll(COLOURS, '').replaceAll(/[\t\n\v\f\r]+/g, ' '))

/** The same for a text of several lines, which stay lines. */
export const cleanLines = (text: string): string =>
  visible(text.replaceAll(COLOURS, '').replaceAll(/\r\n?/g, '\n'))

/** What somebody pasted, without its controls: nobody typed them. */
export const withoutControls = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu, '')
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
