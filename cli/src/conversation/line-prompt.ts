import { clearLine, createInterface, cursorTo } from 'node:readline'
import { clean } from '../terminal/clean.ts'
import { Keys, LEAVE_PASTES_UNMARKED, MARK_PASTES, onOneLine, withFeeds } from './keys.ts'
import type { Io } from '../io.ts'

/** Input at a prompt. */
export type Typed =
  | { readonly type: 'line'; readonly text: string }
  /** Ctrl-C. */
  | { readonly type: 'interrupt'; readonly wasEmpty: boolean }
  /** Ctrl-D. */
  | { readonly type: 'end' }

const HISTORY_SIZE = 500

/** The terminal turns a Ctrl-D that is typed ahead into this. */
const END_AHEAD = '\0'

/**
 * Asks for lines on a terminal. Pasted text is one line, even if it contains line feeds. On terminals
 * without bracketed paste each of its lines is one, and an unfinished last line stays at the prompt.
 * Between prompts the terminal is in its usual mode: Ctrl-C is a signal, and typed text waits for the
 * next prompt.
 *
 * `question()` of node:readline/promises would lose lines that arrive together with the answered one.
 */
export class LinePrompt {
  readonly #io: Io

  #history: string[]
  /** Lines that arrived together with the one before. */
  readonly #ahead: string[] = []
  /** Text after them that has no line feed yet. */
  #unfinished = ''
  /** Whether Ctrl-D was typed ahead. */
  #endsAhead = false

  readonly #commands: readonly string[]

  readonly #marksPastes: boolean

  /**
   * @param history earlier lines, oldest first
   * @param commands completed by the Tab key
   */
  constructor(io: Io, history: readonly string[] = [], commands: readonly string[] = []) {
    this.#io = io
    // A dumb terminal would print the escape sequences.
    this.#marksPastes = io.env['TERM'] !== 'dumb'
    this.#commands = commands
    this.#history = history.map(onOneLine).toReversed()
  }

  /** Asks for the next line. It goes into the history unless it answers a question. */
  ask(
    prompt: string,
    {
      isAnswer = false,
      signal,
    }: { readonly isAnswer?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<Typed> {
    // Lines that were typed before a question do not answer it; they wait for the next prompt.
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
      historySize: HISTORY_SIZE,
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
    // A closed terminal cannot be read.
    reader.on('error', () => reader.close())
    const onKey = (_: unknown, { sequence }: { readonly sequence?: string }): void => {
      const isFirst = pressed++ === 0 || lines.length > 0
      if (sequence !== END_AHEAD || !isFirst) return
      this.#endsAhead = true
      if (!isAnswer && lines.length === 0) reader.close()
    }
    keys.on('keypress', onKey)
    signal?.addEventListener('abort', interrupt, { once: true })
    reader.on('line', (text) => {
      // Lines that were typed ahead arrive together: read them all before closing the reader.
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
      if (reader.line !== '') this.#keepUnfinished(reader.line)
      resolve({ type: 'line', text: withFeeds(first) })
    })
    if (this.#marksPastes) this.#io.stdout.write(MARK_PASTES)
    reader.setPrompt(prompt)
    reader.prompt()
    if (!isAnswer) reader.write(this.#takeUnfinished())
    return promise
  }

  #takeUnfinished(): string {
    const text = this.#unfinished
    this.#unfinished = ''
    return text
  }

  /** Moves text from the screen to the next prompt. */
  #keepUnfinished(text: string): void {
    this.#unfinished += text
    cursorTo(this.#io.stdout, 0)
    clearLine(this.#io.stdout, 0)
  }

  #completions(line: string): string[] {
    return line.startsWith('/') ? this.#commands.filter((name) => name.startsWith(line)) : []
  }
}
