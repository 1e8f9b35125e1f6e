import { createInterface } from 'node:readline'
import { clean } from '../clean.ts'

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
 * Asks for lines on a terminal. Between two prompts the terminal is as it was, so that Ctrl-C is a
 * signal and what is typed meanwhile waits for the next prompt.
 */
export class LinePrompt {
  #history: string[]
  /** Lines that came in one piece with the one before. */
  #ahead: string[] = []
  /** Whether Ctrl-D was typed ahead. */
  #endsAhead = false

  readonly #commands: readonly string[]

  /**
   * @param history what was said before, oldest first
   * @param commands what the Tab key completes
   */
  constructor(history: readonly string[] = [], commands: readonly string[] = []) {
    this.#commands = commands
    this.#history = history.filter((line) => !line.includes('\n')).toReversed()
  }

  /** The next line. It goes into the history unless it is an answer to a question. */
  ask(
    prompt: string,
    {
      isAnswer = false,
      signal,
    }: { readonly isAnswer?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<Typed> {
    if (isAnswer) this.#ahead = []
    const waiting = this.#ahead.shift()
    if (waiting !== undefined) {
      process.stdout.write(`${prompt}${clean(waiting)}\n`)
      return Promise.resolve({ type: 'line', text: waiting })
    }
    if (this.#endsAhead && !isAnswer) return Promise.resolve({ type: 'end' })
    if (signal?.aborted === true) return Promise.resolve({ type: 'interrupt', wasEmpty: true })
    const { promise, resolve } = Promise.withResolvers<Typed>()
    const reader = createInterface({
      input: process.stdin,
      output: process.stdout,
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
      process.stdout.write('\n')
      reader.close()
    }
    reader.on('SIGINT', interrupt)
    let keys = 0
    const onKey = (_: unknown, { sequence }: { readonly sequence?: string }): void => {
      const isFirst = keys++ === 0 || lines.length > 0
      if (sequence !== TYPED_AHEAD || !isFirst) return
      this.#endsAhead = true
      if (!isAnswer && lines.length === 0) reader.close()
    }
    process.stdin.on('keypress', onKey)
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
      process.stdin.off('keypress', onKey)
      const [first, ...more] = lines
      this.#ahead.push(...(isAnswer ? [] : more))
      resolve(first === undefined ? typed : { type: 'line', text: first })
    })
    reader.setPrompt(prompt)
    reader.prompt()
    return promise
  }

  #completions(line: string): string[] {
    return line.startsWith('/') ? this.#commands.filter((name) => name.startsWith(line)) : []
  }
}
