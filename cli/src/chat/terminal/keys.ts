import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { withoutControls } from '../../terminal/clean.ts'

/** Has the terminal put marks around what is pasted; one that does not know it ignores this. */
export const MARK_PASTES = '\u001b[?2004h'
export const LEAVE_PASTES_UNMARKED = '\u001b[?2004l'

const ESCAPE = '\u001b'
const BEGIN = '\u001b[200~'
const END = '\u001b[201~'

/** What stands for a line feed in a line that is edited: a symbol that nobody types. */
const FEED = '␤'

/** A text on the one line that can be edited. */
export const onOneLine = (text: string): string =>
  withoutControls(text).replaceAll(/[\n\u2028\u2029]/g, FEED)

/** The text of a line that was edited. */
export const withFeeds = (line: string): string => line.replaceAll(FEED, '\n')

/** What is needed of a terminal that is read. */
export interface Terminal extends Readable {
  readonly isRaw: boolean
  setRawMode(mode: boolean): unknown
}

/** Who hears texts as a whole. */
export interface Heard {
  /** On one line. */
  readonly onPaste: (text: string) => void
  readonly onText: (text: string) => void
}

/** Several characters before the first key that does something. */
const TEXT = /^[^\p{Cc}]{2,}/u

/**
 * The keys of a terminal, without what is pasted: that is told as a whole, since a line feed in it
 * ends no line, and a tab completes nothing. So are several characters that come at once, as over a
 * slow line: readline writes these without counting the rows that they take, and draws the line anew
 * in the wrong place when the cursor moves. Everything is handed on in the order in which it came.
 */
export class Keys extends Readable {
  readonly #terminal: Terminal
  readonly #heard: Heard
  readonly #decoder = new StringDecoder('utf8')
  /** What is pasted so far; nothing between two pastes. */
  #pasted: string | undefined
  /** Whether the last piece broke off within the sequence of a key. */
  #isInKey = false
  /** The beginning of a mark that a piece broke off in. */
  #held = ''

  constructor(terminal: Terminal, heard: Heard) {
    super()
    this.#terminal = terminal
    this.#heard = heard
    terminal.on('data', this.#take)
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

  /** Leaves the terminal as it was. */
  close(): void {
    this.#terminal.off('data', this.#take)
    this.#terminal.off('end', this.#end)
    this.#terminal.off('error', this.#end)
    this.#terminal.pause()
  }

  /** What is told is told at once: nothing waits here to be read. */
  override _read(): void {}

  readonly #end = (): void => void this.push(null)

  readonly #take = (bytes: Buffer): void => {
    let text = this.#held + this.#decoder.write(bytes)
    for (let mark = this.#mark, at = text.indexOf(mark); at !== -1;) {
      this.#tell(text.slice(0, at))
      text = text.slice(at + mark.length)
      this.#turn()
      mark = this.#mark
      at = text.indexOf(mark)
    }
    this.#held = brokenOff(text, this.#mark)
    this.#tell(text.slice(0, text.length - this.#held.length))
  }

  /** The mark that comes next. */
  get #mark(): string {
    return this.#pasted === undefined ? BEGIN : END
  }

  #turn(): void {
    const pasted = this.#pasted
    this.#pasted = pasted === undefined ? '' : undefined
    if (pasted !== undefined) this.#heard.onPaste(onOneLine(pasted))
  }

  #tell(text: string): void {
    if (this.#pasted !== undefined) {
      this.#pasted += text
      return
    }
    const [several = ''] = this.#isInKey ? [] : (TEXT.exec(text) ?? [])
    if (several !== '') this.#heard.onText(several)
    const rest = text.slice(several.length)
    const key = rest.lastIndexOf(ESCAPE)
    this.#isInKey = key !== -1 && !/[\p{L}~]/u.test(rest.slice(key))
    if (rest !== '') this.emit('data', Buffer.from(rest))
  }
}

/** The end of a text that a mark may begin with. A lone escape is a key, and is not waited with. */
function brokenOff(text: string, mark: string): string {
  for (let length = mark.length - 1; length > 1; length--) {
    const begun = mark.slice(0, length)
    if (text.endsWith(begun)) return begun
  }
  return ''
}
