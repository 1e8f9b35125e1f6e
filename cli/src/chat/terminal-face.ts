import type { ChatEnd } from 'echelon/chat'
import type { Json, RunEvent } from 'echelon/runtime'
import pc from 'picocolors'
import yoctoSpinner from 'yocto-spinner'
import { clean, cleanLines, cut, widthOf } from '../clean.ts'
import { endLine, type EventLine, eventLine } from './event-line.ts'
import { isDeclined, LEFT_OUT } from './form.ts'
import type { LinePrompt } from './line-prompt.ts'
import type { Approve } from './plain-face.ts'
import { type Question, questionOf, standing } from './read-reply.ts'
import { type Face, LATER } from './talk.ts'

const PAINT: Readonly<Record<EventLine['kind'], (text: string) => string>> = {
  start: pc.cyan,
  good: pc.green,
  bad: pc.yellow,
  note: pc.dim,
}

const COLUMNS = 80

/** A chat on a terminal: text as it comes, tools as they run, questions asked in place. */
export class TerminalFace implements Face {
  readonly #lines: LinePrompt
  readonly #approve: Approve | undefined
  // Signals are the chat's: the spinner's own handler would leave before the turn has ended.
  readonly #spinner = yoctoSpinner({ stream: process.stderr, handleSignals: false })
  #atLineStart = true
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
    process.stdout.write(`${pc.yellow('?')} ${question.text}\n`)
    if (question.tool !== undefined && this.#approve !== undefined) {
      process.stdout.write(pc.dim(`  ${this.#approve} (--approve)\n`))
      return standing(this.#approve, question)
    }
    if (question.form !== undefined) return this.#fillIn(question.form, signal)
    return this.#ask(question, signal)
  }

  end(end: ChatEnd<unknown>): void {
    if (!this.#hasText && end.text !== '') this.#text(end.text)
    this.#own()
    const line = endLine(end)
    if (line !== undefined) process.stdout.write(`${pc.yellow(line)}\n`)
    this.#hasText = false
  }

  say(text: string): void {
    this.#own()
    process.stdout.write(`${cleanLines(text)}\n\n`)
  }

  /** An answer that comes whole. */
  tell(text: string): void {
    this.#own()
    process.stdout.write(`${cleanLines(text)}\n`)
  }

  complain(text: string): void {
    this.#own()
    process.stdout.write(`${pc.yellow(cleanLines(text))}\n`)
  }

  /** A form, field by field. */
  async #fillIn(
    form: ReadonlyMap<string, Question>,
    signal: AbortSignal,
  ): Promise<Json | undefined> {
    const filled: Record<string, Json> = {}
    for (const [name, field] of form) {
      process.stdout.write(`${field.text}\n`)
      const reply = await this.#ask(field, signal)
      if (reply === undefined) return undefined
      if (isDeclined(reply)) return 'decline'
      if (reply !== LEFT_OUT) filled[name] = reply
    }
    return filled
  }

  async #ask(question: Question, signal: AbortSignal): Promise<Json | undefined> {
    for (;;) {
      const typed = await this.#lines.ask(`  ${question.prompt}`, { isAnswer: true, signal })
      if (typed.type === 'interrupt') return undefined
      if (typed.type === 'end') {
        process.stdout.write('\n')
        return question.without
      }
      const reply = question.read(typed.text)
      if (reply !== undefined) {
        const meaning = question.meaning(reply)
        if (meaning !== undefined) process.stdout.write(pc.dim(`  ${meaning}\n`))
        return reply
      }
      process.stdout.write(`  ${pc.yellow(question.otherwise)}\n`)
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
    if (text === '') return
    this.#spinner.stop()
    process.stdout.write(text)
    this.#hasText = true
    this.#atLineStart = text.endsWith('\n')
  }

  /** What stands on the terminal cannot be taken back; it can be said that it does not count. */
  #drop(): void {
    if (!this.#hasText) return
    this.#own()
    process.stdout.write(
      `${pc.yellow('! the answer broke off: what stands above does not count')}\n`,
    )
    this.#hasText = false
  }

  #line({ kind, text }: EventLine): void {
    this.#own()
    process.stdout.write(`${PAINT[kind](cut(text, widthOf(process.stdout, COLUMNS)))}\n`)
  }

  /** The terminal is free, at the beginning of a line. */
  #own(): void {
    this.#spinner.stop()
    if (!this.#atLineStart) process.stdout.write('\n')
    this.#atLineStart = true
  }
}
