import type { ChatEnd } from 'echelon/chat'
import type { Json, RunEvent } from 'echelon/runtime'
import pc from 'picocolors'
import yoctoSpinner from 'yocto-spinner'
import { clean, cleanLines, cut, widthOf } from '../clean.ts'
import { markdownText } from '../markdown/blocks.ts'
import { MarkdownStream } from '../markdown/stream.ts'
import { wrapLines } from '../markdown/wrap.ts'
import { endLine, type EventLine, eventLine } from './event-line.ts'
import { isDeclined, LEFT_OUT } from './form.ts'
import type { LinePrompt } from './line-prompt.ts'
import type { Approve } from './plain-face.ts'
import { type Question, questionOf, standing } from './read-reply.ts'
import { AWAY, type Face, LATER } from './talk.ts'

const PAINT: Readonly<Record<EventLine['kind'], (text: string) => string>> = {
  start: pc.cyan,
  good: pc.green,
  bad: pc.yellow,
  note: pc.dim,
}

const COLUMNS = 80

/** How much a line of the terminal holds now. */
const columns = (): number => widthOf(process.stdout, COLUMNS)

const write = (text: string): void => void process.stdout.write(text)

/**
 * A chat on a terminal: answers block by block as they come, their Markdown rendered, tools as they
 * run, questions asked in place.
 */
export class TerminalFace implements Face {
  readonly #lines: LinePrompt
  readonly #approve: Approve | undefined
  // Signals are the chat's: the spinner's own handler would leave before the turn has ended.
  readonly #spinner = yoctoSpinner({ stream: process.stderr, handleSignals: false })
  readonly #answer = new MarkdownStream(columns)
  /** Whether anything of the answer that comes now was shown. */
  #hasText = false

  constructor(lines: LinePrompt, approve: Approve | undefined) {
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
    write(`${wrapLines(`${pc.yellow('?')} ${question.text}`, columns())}\n`)
    if (question.tool !== undefined && this.#approve !== undefined) {
      write(pc.dim(`  ${this.#approve} (--approve)\n`))
      return standing(this.#approve, question)
    }
    if (question.form !== undefined) return this.#fillIn(question.form, signal)
    return this.#ask(question, signal)
  }

  end(end: ChatEnd<unknown>): void {
    if (!this.#hasText && !this.#answer.isHolding && end.text !== '') this.#text(end.text)
    this.#own()
    const line = endLine(end)
    if (line !== undefined) write(`${pc.yellow(wrapLines(line, columns()))}\n`)
    this.#hasText = false
  }

  say(text: string): void {
    this.#own()
    write(`${wrapped(text)}\n\n`)
  }

  /** An answer that comes whole. */
  tell(text: string): void {
    this.#own()
    write(`${answerText(text)}\n`)
  }

  complain(text: string): void {
    this.#own()
    write(`${pc.yellow(wrapped(text))}\n`)
  }

  /** A form, field by field. */
  async #fillIn(
    form: ReadonlyMap<string, Question>,
    signal: AbortSignal,
  ): Promise<Json | typeof AWAY | undefined> {
    const filled: Record<string, Json> = {}
    for (const [name, field] of form) {
      write(`${field.text}\n`)
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
        write('\n')
        return question.without
      }
      const reply = question.read(typed.text)
      if (reply !== undefined) {
        const meaning = question.meaning(reply)
        if (meaning !== undefined) write(pc.dim(`  ${meaning}\n`))
        return reply
      }
      write(`  ${pc.yellow(question.otherwise)}\n`)
    }
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
    write(lines)
    this.#hasText = true
    // More of the answer may come: it is still being written.
    if (wasSpinning) this.#spinner.start()
  }

  /** What stands on the terminal cannot be taken back; it can be said that it does not count. */
  #drop(): void {
    this.#answer.drop()
    if (!this.#hasText) return
    this.#own()
    write(`${pc.yellow('! the answer broke off: what stands above does not count')}\n`)
    this.#hasText = false
  }

  #line({ kind, text }: EventLine): void {
    this.#own()
    write(`${PAINT[kind](cut(text, columns()))}\n`)
  }

  /** The terminal is free, at the beginning of a line, with all of the answer on it. */
  #own(): void {
    this.#spinner.stop()
    this.#show(this.#answer.end())
  }
}

/** An answer that is known as a whole, as a terminal shows it. */
export const answerText = (text: string): string =>
  markdownText(cleanLines(text).trimEnd(), columns())

/** What is no answer, in lines that the terminal need not break. */
export const wrapped = (text: string): string => wrapLines(cleanLines(text), columns())

/** What a conversation begins with: the command's own words, whose styles stay. */
export const greeting = (line: string): string => wrapLines(line, columns())
