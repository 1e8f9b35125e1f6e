import { StringDecoder } from 'node:string_decoder'
import type { Output } from '../io.ts'

/**
 * Characters that control a terminal or hide text: controls (C0 except tab and newline, DEL, C1), marks
 * of text direction, Unicode line separators, and invisible tag characters, or the first half of one at
 * the end of a chunk.
 */
const OBEYED =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\udb40]/gu

/** Shows controls, direction marks and tags as codes such as `\\u001b`. */
export const visible = (text: string): string => text.replaceAll(OBEYED, codeOf)

/** Escapes both halves of a surrogate pair, which JSON reads as the same character. */
const codeOf = (sign: string): string =>
  sign
    .split('')
    .map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Styles and colors that this program writes. None can hide text, as 8, black or a background could. */
// oxlint-disable-next-line no-control-regex
const STYLE = /\u001b\[(?:0|1|2|3|4|9|22|23|24|29|31|32|33|35|36|39)m/y

/**
 * Sequences that the line editor, spinner and progress bar write, in chunks of their own. They move the
 * cursor, clear from the cursor on, hide the cursor and mark pastes; Ctrl-L moves home.
 */
const MOVES =
  // oxlint-disable-next-line no-control-regex
  /^(?:\r|\u001b(?:\[\d{0,3}[ABCDGK]|\[0?J|\[1;1H|\[\?(?:7|25|2004|2026)[hl]|[78]))+$/

/**
 * Last defense before the terminal, for text that was not cleaned. In a chunk with text, only styles pass,
 * and `\r` before a newline. Cursor movement and clearing pass only in a chunk that holds nothing else, so
 * an attacker who controls whole chunks could still forge a line. In JSON, such characters occur only within
 * strings, where the escape means the same character.
 */
export function guarded(text: string): string {
  // Fast path for nearly every text.
  if (text.search(OBEYED) === -1 || MOVES.test(text)) return text
  return text.replaceAll(OBEYED, (sign, at: number) => {
    if (sign === '\r' && text[at + 1] === '\n') return sign
    STYLE.lastIndex = at
    return STYLE.test(text) ? sign : codeOf(sign)
  })
}

/** Guards all output of the process. */
export function guardOutput(streams: readonly Output[]): void {
  for (const stream of streams) {
    const write = stream.write.bind(stream)
    // A chunk of bytes may end within a character.
    const decoder = new StringDecoder()
    stream.write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
      write(guarded(typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))), ...rest)
  }
}
