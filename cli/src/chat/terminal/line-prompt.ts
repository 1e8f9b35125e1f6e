import { clearLine, createInterface, cursorTo } from 'node:readline'
import { clean } from '../../terminal/clean.ts'
import { Keys, LEAVE_PASTES_UNMARKED, MARK_PASTES, onOneLine, withFeeds } from './keys.ts'
import type { Io } from '../../io.ts'

/** What a person did at a prompt. */
export type Typed =
  | { readonly type: 'line'; readonly text: string }
  /** Ctrl-C. */
  | { readonly type: 'interrupt'; readonly wasEmpty: boolean }
  /** Ctrl-D. */
  | { readonly type: 'end' }

const MOST_KEPT = 500

/** What a Ctrl-D becomes that was typed while nobody read: the terminal keeps it as an end of input. */
const TYPED_AHEAD = '\0'

/**
 * Asks for lines on a terminal. What is pasted is one line, whatever lines it has; where the terminal
 * does not mark it, each of its lines is one, and the last stays at the prompt to be sent. Between two prompts the terminal is as it was, so that Ctrl-C is a
 * signal and what is typed meanwhile waits for the next prompt.
 */
export class LinePrompt {
  readonly #io: Io

  #history: string[]
  /** Lines that came in one piece with the one before. */
  readonly #ahead: string[] = []
  /** What came after them and has no line feed yet. */
  #begun = ''
  /** Whether Ctrl-D was typed ahead. */
  #endsAhead = false

  readonly #commands: readonly string[]

  readonly #marksPastes: boolean

  /**
   * @param history what was said before, oldest first
   * @param commands what the Tab key completes
   */
  constructor(io: Io, history: readonly string[] = [], commands: readonly string[] = []) {
    this.#io = io
    // A dumb terminal would show the orders instead of obeying them.
    this.#marksPastes = io.env['TERM'] !== 'dumb'
    this.#commands = commands
    this.#history = history.map(onOneLine).toReversed()
  }

  /** The next line. It goes into the history unless it is an answer to a question. */
  ask(
    prompt: string,
    {
      isAnswer = false,
      signal,
    }: { readonly isAnswer?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<Typed> {
    // What came before a question was asked answers nothing, and waits for the next prompt.
    const waiting = isAnswer ? undefined : this.#ahead.shift()
    if (waiting !== undefined) {
      this.#io.stdout.write(`${prompt}${clean(waiting)}\n`)
      return Promise.resolve({ type: 'line', text: withFeeds(waiting) })
    }
    if (this.#endsAhead && !isAnswer) return Promise.resolve({ type: 'end' })
    if (signal?.aborted === true) return Promise.resolve({ type: 'interrupt', wasEmpty: true })
    return this.#read(prompt, isAnswer, signal)
  }

  #read(prompt: string, isAnswer: boolean, signal: AbortSignal | undefined): Promise<Typed> {
    const { promise, resolve } = Promise.withResolvers<Typed>()
    let pressed = 0
    const keys = new Keys(this.#io.stdin, {
      onPaste: (pasted) => reader.write(pasted),
      onText(text) {
        pressed++
        reader.write(text)
      },
    })
    const reader = createInterface({
      input: keys,
      output: this.#io.stdout,
      terminal: true,
      history: isAnswer ? [] : this.#history,
      historySize: MOST_KEPT,
      removeHistoryDuplicates: true,
      completer: (line: string) => [isAnswer ? [] : this.#completions(line), line],
    })
    let typed: Typed = { type: 'end' }
    const lines: string[] = []
    const interrupt = (): void => {
      typed = { type: 'interrupt', wasEmpty: reader.line === '' }
      this.#io.stdout.write('\n')
      reader.close()
    }
    reader.on('SIGINT', interrupt)
    // A terminal that was closed cannot be read.
    reader.on('error', () => reader.close())
    const onKey = (_: unknown, { sequence }: { readonly sequence?: string }): void => {
      const isFirst = pressed++ === 0 || lines.length > 0
      if (sequence !== TYPED_AHEAD || !isFirst) return
      this.#endsAhead = true
      if (!isAnswer && lines.length === 0) reader.close()
    }
    keys.on('keypress', onKey)
    signal?.addEventListener('abort', interrupt, { once: true })
    reader.on('line', (text) => {
      // What was typed ahead comes in one piece: all of it is read before the reader is gone.
      if (lines.push(text) === 1) setImmediate(() => reader.close())
    })
    reader.on('history', (history) => {
      if (!isAnswer) this.#history = history
    })
    reader.on('close', () => {
      signal?.removeEventListener('abort', interrupt)
      keys.close()
      if (this.#marksPastes) this.#io.stdout.write(LEAVE_PASTES_UNMARKED)
      const [first, ...more] = lines
      this.#ahead.push(...more)
      if (first === undefined) return resolve(typed)
      if (reader.line !== '') this.#keep(reader.line)
      resolve({ type: 'line', text: withFeeds(first) })
    })
    if (this.#marksPastes) this.#io.stdout.write(MARK_PASTES)
    reader.setPrompt(prompt)
    reader.prompt()
    if (!isAnswer) reader.write(this.#takeBegun())
    return promise
  }

  #takeBegun(): string {
    const begun = this.#begun
    this.#begun = ''
    return begun
  }

  /** It stands on the screen, where it is not said: the next prompt has it. */
  #keep(begun: string): void {
    this.#begun += begun
    cursorTo(this.#io.stdout, 0)
    clearLine(this.#io.stdout, 0)
  }

  #completions(line: string): string[] {
    return line.startsWith('/') ? this.#commands.filter((name) => name.startsWith(line)) : []
  }
}
