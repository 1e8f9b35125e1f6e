import { StringDecoder } from 'node:string_decoder'
import type { Output } from '../io.ts'

/**
 * What a terminal obeys: controls (C0 but for a tabulator and a new line, DEL, C1), signs that turn the
 * direction of writing around, separators that some take for a new line, and tags that nobody sees, or the
 * first half of one, as the end of a part leaves it.
 */
const OBEYED =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\udb40]/gu

/** A text with its controls, marks of direction and tags as `\\u001b`. */
export const visible = (text: string): string => text.replaceAll(OBEYED, codeOf)

/** Of each half where a sign has two, which JSON reads as the same sign. */
const codeOf = (sign: string): string =>
  sign
    .split('')
    .map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The styles and colours that this program writes. None hides a text, as 8, black, or a background could. */
// oxlint-disable-next-line no-control-regex
const STYLE = /\u001b\[(?:0|1|2|3|4|9|22|23|24|29|31|32|33|35|36|39)m/y

/**
 * What the line editor, the spinner and the bar write: one or a few of these in a chunk of their own. They
 * move within a line and over lines, clear from the cursor on, hide it, mark pastes; Ctrl-L goes home.
 */
const MOVES =
  // oxlint-disable-next-line no-control-regex
  /^(?:\r|\u001b(?:\[\d{0,3}[ABCDGK]|\[0?J|\[1;1H|\[\?(?:7|25|2004|2026)[hl]|[78]))+$/

/**
 * The last wall before the terminal, for a text that was not cleaned. In a chunk with anything to read, only
 * styles get through, and `\r` before a new line. What moves the cursor or clears gets through in a chunk that
 * holds nothing else: whoever could have such a chunk written, and another with a text, still forges a line.
 * In JSON such signs stand within texts alone, where a code means the same sign.
 */
export function guarded(text: string): string {
  // Nearly every text, at the cost of one look.
  if (text.search(OBEYED) === -1 || MOVES.test(text)) return text
  return text.replaceAll(OBEYED, (sign, at: number) => {
    if (sign === '\r' && text[at + 1] === '\n') return sign
    STYLE.lastIndex = at
    return STYLE.test(text) ? sign : codeOf(sign)
  })
}

/** Guards all that a process writes, until it ends. */
export function guardOutput(streams: readonly Output[]): void {
  for (const stream of streams) {
    const write = stream.write.bind(stream)
    // A sign may be cut by the end of a chunk of bytes.
    const decoder = new StringDecoder()
    stream.write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
      write(guarded(typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))), ...rest)
  }
}
