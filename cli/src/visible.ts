/**
 * What a terminal obeys: controls (C0 but for a tabulator and a new line, DEL, C1), and signs that turn
 * the direction of writing around.
 */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** A text with its controls and marks of direction as `\\u001b`. */
export const visible = (text: string): string => text.replaceAll(OBEYED, codeOf)

const codeOf = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Sequences by which this program colours, moves the cursor, clears lines and marks pastes. */
// oxlint-disable-next-line no-control-regex
const OWN = /\u001b(?:\[[\d;]*[A-HJKSTm]|\[\?(?:7|25|2004|2026)[hl]|[78])/y

/** Of what a program for terminals writes by itself. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /[\u0007\u0008\r]/

/**
 * The last wall before the terminal: whatever a text was made of, only sequences that this program writes
 * itself get through. In JSON such signs stand within texts alone, where a code means the same sign.
 */
export function guarded(text: string): string {
  // Nearly every text, at the cost of one look.
  if (text.search(OBEYED) === -1) return text
  return text.replaceAll(OBEYED, (sign, at: number) => {
    if (PLAIN.test(sign)) return sign
    OWN.lastIndex = at
    return sign === '\u001b' && OWN.test(text) ? sign : codeOf(sign)
  })
}

/** Guards all that a process writes, until it ends. */
export function guardOutput(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    const write = stream.write.bind(stream)
    stream.write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
      write(typeof chunk === 'string' ? guarded(chunk) : chunk, ...rest)
  }
}
