import type { Json, RunEvent } from 'echelon/runtime'
import pc from 'picocolors'
import yoctoSpinner, { type Spinner } from 'yocto-spinner'
import { clean, cleanLines, cut, widthOf } from '../terminal/clean.ts'
import { markdownText } from '../markdown/blocks.ts'
import { MarkdownStream } from '../markdown/stream.ts'
import { wrapLines } from '../markdown/wrap.ts'
import type { Io } from '../io.ts'
import { type Approve, AWAY, type Display, LATER, type Reply, type ShownTurn } from './display.ts'
import { type EventLine, eventLine } from './event-line.ts'
import { isDeclined, LEFT_OUT } from './form.ts'
import { LinePrompt } from './line-prompt.ts'
import { type Question, questionOf, standing } from './question.ts'

const PAINT: Readonly<Record<EventLine['kind'], (text: string) => string>> = {
  start: pc.cyan,
  good: pc.green,
  bad: pc.yellow,
  note: pc.dim,
}

const COLUMNS = 80

/** Current width of the terminal. */
const columns = (io: Io): number => widthOf(io.stdout, COLUMNS)

/**
 * A conversation on a terminal: renders the Markdown of answers block by block as they arrive, shows
 * tools as they run, and asks questions in place.
 */
export class TerminalDisplay implements Display {
  readonly isTerminal = true
  readonly #io: Io
  readonly #approve: Approve | undefined
  #prompt: LinePrompt
  // The spinner's own handler of signals would exit before the turn has ended.
  readonly #spinner: Spinner
  readonly #answer = new MarkdownStream(() => columns(this.#io))
  /** Whether some of the current answer was shown. */
  #hasText = false

  constructor(io: Io, approve: Approve | undefined) {
    this.#io = io
    this.#approve = approve
    this.#prompt = new LinePrompt(io)
    this.#spinner = yoctoSpinner({ stream: io.stderr, handleSignals: false })
  }

  show(event: RunEvent): void {
    if (event.type === 'text-delta') return this.#text(event.delta)
    if (event.type === 'text-drop') return this.#drop()
    if (event.type === 'step-start') return this.#begin(event)
    const line = eventLine(event)
    if (line !== undefined) this.#print(PAINT[line.kind](cut(line.text, columns(this.#io))))
  }

  async ask(about: Json, signal: AbortSignal, allOfIt?: string): Promise<Reply> {
    if (this.#approve === 'later') return LATER
    const question = questionOf(about, allOfIt)
    this.#print(wrapLines(`${pc.yellow('?')} ${question.text}`, columns(this.#io)))
    if (question.tool !== undefined && this.#approve !== undefined) {
      this.#write(pc.dim(`  ${this.#approve} (--approve)\n`))
      return standing(this.#approve, question)
    }
    if (question.form !== undefined) return this.#fillIn(question.form, signal)
    return this.#ask(question, signal)
  }

  answer(text: string): void {
    this.#print(answerText(this.#io, text))
  }

  end({ text, problem, hint }: ShownTurn): void {
    if (!this.#hasText && !this.#answer.isHolding && text !== '') this.answer(text)
    this.#freeLine()
    if (problem !== undefined) this.complain(problem)
    if (hint !== undefined) this.#print(pc.dim(wrapped(this.#io, hint)))
    this.#hasText = false
  }

  say(text: string): void {
    this.#print(wrapped(this.#io, text))
  }

  complain(text: string): void {
    this.#print(pc.yellow(wrapped(this.#io, text)))
  }

  async *lines(history: readonly string[], commands: readonly string[]): AsyncGenerator<string> {
    this.#prompt = new LinePrompt(this.#io, history, commands)
    const { signal } = this.#io.ending
    let interrupts = 0
    for (;;) {
      const typed = await this.#prompt.ask(pc.bold('> '), { signal })
      if (signal.aborted) return
      if (typed.type === 'end') return this.#write('\n')
      if (typed.type === 'interrupt') {
        if (typed.wasEmpty && ++interrupts > 1) return
        this.#write(pc.dim('Ctrl-C again ends the chat; so do /exit and Ctrl-D\n'))
        continue
      }
      interrupts = 0
      if (typed.text.trim() === '') continue
      yield typed.text
      this.#write('\n')
    }
  }

  /** Asks for each field of a form. */
  async #fillIn(form: ReadonlyMap<string, Question>, signal: AbortSignal): Promise<Reply> {
    const filled: Record<string, Json> = {}
    for (const [name, field] of form) {
      this.#write(`${field.text}\n`)
      const reply = await this.#ask(field, signal)
      if (reply === undefined || reply === AWAY) return reply
      if (isDeclined(reply)) return 'decline'
      if (reply !== LEFT_OUT) filled[name] = reply
    }
    return filled
  }

  async #ask(question: Question, signal: AbortSignal): Promise<Json | typeof AWAY | undefined> {
    for (;;) {
      const typed = await this.#prompt.ask(`  ${question.prompt}`, { isAnswer: true, signal })
      if (typed.type === 'interrupt') return AWAY
      if (typed.type === 'end') {
        this.#write('\n')
        return question.without
      }
      const reply = question.read(typed.text)
      if (reply !== undefined) {
        const meaning = question.meaning(reply)
        if (meaning !== undefined) this.#write(pc.dim(`  ${meaning}\n`))
        return reply
      }
      this.#write(`  ${pc.yellow(question.otherwise)}\n`)
    }
  }

  #write(text: string): void {
    this.#io.stdout.write(text)
  }

  #begin({ effect, targets }: Extract<RunEvent, { type: 'step-start' }>): void {
    this.#hasText = false
    if (effect !== 'generate') return
    this.#freeLine()
    this.#spinner.text = `asking ${clean(targets.join(', '))}`
    this.#spinner.start()
  }

  #text(delta: string): void {
    const text = cleanLines(delta)
    if (text !== '') this.#show(this.#answer.push(text))
  }

  #show(lines: string): void {
    if (lines === '') return
    const wasSpinning = this.#spinner.isSpinning
    this.#spinner.stop()
    this.#write(lines)
    this.#hasText = true
    // More of the answer may follow.
    if (wasSpinning) this.#spinner.start()
  }

  /** Text on the terminal cannot be erased, so it is marked as void. */
  #drop(): void {
    this.#answer.drop()
    if (!this.#hasText) return
    this.#print(pc.yellow('! the answer broke off: what stands above does not count'))
    this.#hasText = false
  }

  /** Writes whole lines after everything shown so far. */
  #print(lines: string): void {
    this.#freeLine()
    this.#write(`${lines}\n`)
  }

  /** Stops the spinner and completes the answer, so that the cursor is at the start of a line. */
  #freeLine(): void {
    this.#spinner.stop()
    this.#show(this.#answer.end())
  }
}

/** Renders a complete answer for the terminal. */
export const answerText = (io: Io, text: string): string =>
  markdownText(cleanLines(text).trimEnd(), columns(io))

/** Cleans text and breaks its lines between words. */
export const wrapped = (io: Io, text: string): string => wrapLines(cleanLines(text), columns(io))

/** Prints the title of a conversation. Its parts are the command's own words and keep their styles. */
export function printTitle(io: Io, name: string, parts: readonly string[], remark?: string): void {
  const all = [pc.bold(`echelon ${name}`), ...parts, pc.dim('/help lists commands, Ctrl-D ends')]
  const lines = [all.join(' · '), ...(remark === undefined ? [] : [pc.dim(remark)])]
  io.stdout.write(`${lines.map((line) => wrapLines(line, columns(io))).join('\n')}\n\n`)
}
