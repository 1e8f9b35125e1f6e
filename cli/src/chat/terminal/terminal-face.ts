import type { ChatEnd } from 'echelon/chat'
import type { Json, RunEvent } from 'echelon/runtime'
import pc from 'picocolors'
import yoctoSpinner, { type Spinner } from 'yocto-spinner'
import { clean, cleanLines, cut, widthOf } from '../../terminal/clean.ts'
import { markdownText } from '../../markdown/blocks.ts'
import { MarkdownStream } from '../../markdown/stream.ts'
import { wrapLines } from '../../markdown/wrap.ts'
import { endLine, type EventLine, eventLine } from '../event-line.ts'
import { isDeclined, LEFT_OUT } from '../form.ts'
import type { LinePrompt } from './line-prompt.ts'
import type { Approve } from './plain-face.ts'
import { type Question, questionOf, standing } from './read-reply.ts'
import { AWAY, type Face, LATER } from '../talk.ts'
import type { Io } from '../../io.ts'

const PAINT: Readonly<Record<EventLine['kind'], (text: string) => string>> = {
  start: pc.cyan,
  good: pc.green,
  bad: pc.yellow,
  note: pc.dim,
}

const COLUMNS = 80

/** How much a line of the terminal holds now. */
const columns = (io: Io): number => widthOf(io.stdout, COLUMNS)

/**
 * A chat on a terminal: answers block by block as they come, their Markdown rendered, tools as they
 * run, questions asked in place.
 */
export class TerminalFace implements Face {
  readonly #io: Io

  readonly #lines: LinePrompt
  readonly #approve: Approve | undefined
  // Signals are the chat's: the spinner's own handler would leave before the turn has ended.
  readonly #spinner: Spinner
  readonly #answer = new MarkdownStream(() => this.#columns())
  /** Whether anything of the answer that comes now was shown. */
  #hasText = false

  constructor(io: Io, lines: LinePrompt, approve: Approve | undefined) {
    this.#io = io
    this.#spinner = yoctoSpinner({ stream: io.stderr, handleSignals: false })
    this.#lines = lines
    this.#approve = approve
  }

  show(event: RunEvent): void {
    if (event.type === 'text-delta') return this.#text(event.delta)
    if (event.type === 'text-drop') return this.#drop()
    if (event.type === 'step-start') return this.#begin(event)
    const line = eventLine(event)
    if (line !== undefined) this.#line(line)
  }

  async answer(about: Json, signal: AbortSignal, allOfIt?: string): ReturnType<Face['answer']> {
    if (this.#approve === 'later') return LATER
    const question = questionOf(about, allOfIt)
    this.#own()
    this.#write(`${wrapLines(`${pc.yellow('?')} ${question.text}`, this.#columns())}\n`)
    if (question.tool !== undefined && this.#approve !== undefined) {
      this.#write(pc.dim(`  ${this.#approve} (--approve)\n`))
      return standing(this.#approve, question)
    }
    if (question.form !== undefined) return this.#fillIn(question.form, signal)
    return this.#ask(question, signal)
  }

  end(end: ChatEnd<unknown>): void {
    if (!this.#hasText && !this.#answer.isHolding && end.text !== '') this.#text(end.text)
    this.#own()
    const line = endLine(end)
    if (line !== undefined) this.#write(`${pc.yellow(wrapLines(line, this.#columns()))}\n`)
    this.#hasText = false
  }

  say(text: string): void {
    this.#own()
    this.#write(`${wrapped(this.#io, text)}\n\n`)
  }

  /** An answer that comes whole. */
  tell(text: string): void {
    this.#own()
    this.#write(`${answerText(this.#io, text)}\n`)
  }

  complain(text: string): void {
    this.#own()
    this.#write(`${pc.yellow(wrapped(this.#io, text))}\n`)
  }

  /** A form, field by field. */
  async #fillIn(
    form: ReadonlyMap<string, Question>,
    signal: AbortSignal,
  ): Promise<Json | typeof AWAY | undefined> {
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
      const typed = await this.#lines.ask(`  ${question.prompt}`, { isAnswer: true, signal })
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

  #columns(): number {
    return columns(this.#io)
  }

  #write(text: string): void {
    this.#io.stdout.write(text)
  }

  #begin({ effect, targets }: Extract<RunEvent, { type: 'step-start' }>): void {
    this.#hasText = false
    if (effect !== 'generate') return
    this.#own()
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
    // More of the answer may come: it is still being written.
    if (wasSpinning) this.#spinner.start()
  }

  /** What stands on the terminal cannot be taken back; it can be said that it does not count. */
  #drop(): void {
    this.#answer.drop()
    if (!this.#hasText) return
    this.#own()
    this.#write(`${pc.yellow('! the answer broke off: what stands above does not count')}\n`)
    this.#hasText = false
  }

  #line({ kind, text }: EventLine): void {
    this.#own()
    this.#write(`${PAINT[kind](cut(text, this.#columns()))}\n`)
  }

  /** The terminal is free, at the beginning of a line, with all of the answer on it. */
  #own(): void {
    this.#spinner.stop()
    this.#show(this.#answer.end())
  }
}

/** An answer that is known as a whole, as a terminal shows it. */
export const answerText = (io: Io, text: string): string =>
  markdownText(cleanLines(text).trimEnd(), columns(io))

/** What is no answer, in lines that the terminal need not break. */
export const wrapped = (io: Io, text: string): string => wrapLines(cleanLines(text), columns(io))

/** What a conversation begins with: the command's own words, whose styles stay. */
export const greeting = (io: Io, line: string): string => wrapLines(line, columns(io))
