import { stripVTControlCharacters } from 'node:util'
import { visible } from './visible.ts'

/** Color codes are removed without a trace, because the text that they color stays. */
// oxlint-disable-next-line no-control-regex
const COLORS = /\u001b\[[\d;]*m/g

/**
 * Puts untrusted text on one line. Terminal controls and marks of text direction are shown as codes, so
 * that a person never approves what they cannot see.
 */
export const clean = (text: string): string =>
  visible(text.replaceAll(COLORS, '').replaceAll(/[\t\n\v\f\r]+/g, ' '))

/** The same for a text of several lines, which stay lines. */
export const cleanLines = (text: string): string =>
  visible(text.replaceAll(COLORS, '').replaceAll(/\r\n?/g, '\n'))

/** Removes controls from pasted text. */
export const withoutControls = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu, '')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')

/** Width of a stream. A terminal that does not know its width reports 0. */
export const widthOf = (stream: { readonly columns?: number }, otherwise: number): number =>
  (stream.columns === undefined || stream.columns === 0 ? otherwise : stream.columns) - 1

/** Cuts a text to a number of columns, with `…` at the end if cut. */
export function cut(text: string, columns: number): string {
  // A string never has fewer code units than visible characters.
  if (text.length <= columns) return text
  const seen = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return seen.length <= columns ? text : `${seen.slice(0, Math.max(0, columns - 1)).join('')}…`
}
