import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { withoutControls } from '../terminal/clean.ts'

/** Turns on bracketed paste: the terminal marks pasted text. Terminals without it ignore this. */
export const MARK_PASTES = '\u001b[?2004h'
export const LEAVE_PASTES_UNMARKED = '\u001b[?2004l'

const ESCAPE = '\u001b'

/** Begins (0) or ends (1) pasted text. */
// oxlint-disable-next-line no-control-regex
const MARK = /\u001b\[20([01])~/

/** Start of a mark at the end of a chunk. A lone escape is a key and does not wait for the next chunk. */
// oxlint-disable-next-line no-control-regex
const START_OF_MARK = /\u001b\[(?:2(?:0[01]?)?)?$/

/** Stands for a line feed in an edited line; people do not type this symbol. */
const FEED = '␤'

/** Puts text on one line, so that it can be edited. */
export const onOneLine = (text: string): string =>
  withoutControls(text).replaceAll(/[\n\u2028\u2029]/g, FEED)

/** Restores the line feeds of an edited line. */
export const withFeeds = (line: string): string => line.replaceAll(FEED, '\n')

/** The input of a terminal. */
export interface Terminal extends Readable {
  readonly isRaw: boolean
  setRawMode(mode: boolean): unknown
}

/** Receives text that arrives in one piece. */
export interface TextListener {
  /** Gets pasted text on one line. */
  readonly onPaste: (text: string) => void
  readonly onText: (text: string) => void
}

/** Two or more characters before the first control key. */
const TEXT = /^[^\p{Cc}]{2,}/u

/**
 * Single keys of a terminal, for readline. Two kinds of text go to the listener instead. Pasted text:
 * its line feeds must not end the line, and its tabs must not complete. Several characters that
 * arrive at once, as over a slow connection: readline does not count the rows that they take, and
 * would redraw the line in the wrong place. The order of input is kept.
 */
export class Keys extends Readable {
  readonly #terminal: Terminal
  readonly #listener: TextListener
  readonly #decoder = new StringDecoder('utf8')
  /** Pasted text so far; undefined outside of a paste. */
  #pasted: string | undefined
  /** Whether the last chunk ended within the escape sequence of a key. */
  #isInKey = false
  /** Start of a mark that the last chunk ended in. */
  #held = ''

  constructor(terminal: Terminal, listener: TextListener) {
    super()
    this.#terminal = terminal
    this.#listener = listener
    terminal.on('data', this.#read)
    terminal.on('end', this.#end)
    terminal.on('error', this.#end)
    terminal.resume()
  }

  get isRaw(): boolean {
    return this.#terminal.isRaw
  }

  setRawMode(mode: boolean): this {
    this.#terminal.setRawMode(mode)
    return this
  }

  /** Stops reading the terminal. */
  close(): void {
    this.#terminal.off('data', this.#read)
    this.#terminal.off('end', this.#end)
    this.#terminal.off('error', this.#end)
    this.#terminal.pause()
  }

  /** Does nothing: all input is pushed as it arrives. */
  override _read(): void {}

  readonly #end = (): void => void this.push(null)

  readonly #read = (bytes: Buffer): void => {
    const text = this.#held + this.#decoder.write(bytes)
    this.#held = START_OF_MARK.exec(text)?.[0] ?? ''
    const pieces = text.slice(0, text.length - this.#held.length).split(MARK)
    for (const [at, piece] of pieces.entries()) {
      if (at % 2 === 0) this.#forward(piece)
      else if (piece === '0') this.#pasted ??= ''
      else this.#endPaste()
    }
  }

  #endPaste(): void {
    const pasted = this.#pasted
    this.#pasted = undefined
    if (pasted !== undefined) this.#listener.onPaste(onOneLine(pasted))
  }

  #forward(text: string): void {
    if (this.#pasted !== undefined) {
      this.#pasted += text
      return
    }
    const [several = ''] = this.#isInKey ? [] : (TEXT.exec(text) ?? [])
    if (several !== '') this.#listener.onText(several)
    const rest = text.slice(several.length)
    const key = rest.lastIndexOf(ESCAPE)
    this.#isInKey = key !== -1 && !/[\p{L}~]/u.test(rest.slice(key))
    if (rest !== '') this.emit('data', Buffer.from(rest))
  }
}
