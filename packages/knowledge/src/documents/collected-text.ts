import type { DocumentSection, ReadingLimits } from 'echelon/internal/knowledge'
import type { EchelonError } from 'echelon'
import { refused } from './refused.ts'

/** A longer heading is body text in large type. */
const MAX_HEADING = 200

/** Collects sections as they are read, up to the character limit. */
export class CollectedText {
  readonly #name: string
  readonly #limits: ReadingLimits
  readonly #sections: DocumentSection[] = []
  readonly #headings: { readonly level: number; readonly text: string; written: boolean }[] = []
  #blocks: string[] = []
  #characters = 0

  constructor(name: string, limits: ReadingLimits) {
    this.#name = name
    this.#limits = limits
  }

  /** The sections so far; closes an open one. */
  sections(): readonly DocumentSection[] {
    this.#close()
    this.#closeHeadings(0)
    return this.#sections
  }

  /** Adds a paragraph, list, table or code block; skips one without text. */
  block(text: string): void {
    const trimmed = trimmedBlock(text)
    if (trimmed === '') return
    this.#count(trimmed)
    this.#blocks.push(trimmed)
  }

  /** @param level 1 is the outermost */
  heading(level: number, text: string): void {
    const line = text.replaceAll(/\s+/g, ' ').trim()
    if (line === '') return
    if (line.length > MAX_HEADING) return this.block(line)
    this.#count(line)
    this.#close()
    this.#closeHeadings(level)
    this.#headings.push({ level, text: line, written: false })
  }

  page(text: string, page: number): void {
    const trimmed = trimmedBlock(text)
    if (trimmed === '') return
    this.#count(trimmed)
    this.#sections.push({ text: trimmed, headings: [], page })
  }

  limitError(): EchelonError {
    const { maxCharacters } = this.#limits
    return refused(
      this.#name,
      `has more than ${maxCharacters} characters of text, the limit; split it, or raise maxCharacters`,
    )
  }

  #close(): void {
    if (this.#blocks.length === 0) return
    this.#push(this.#blocks.join('\n\n'))
    this.#blocks = []
  }

  /** Closes headings of this level and below. A heading with nothing below it becomes text itself. */
  #closeHeadings(level: number): void {
    for (let last = this.#headings.at(-1); last && last.level >= level;) {
      if (!last.written) this.#push(last.text)
      this.#headings.pop()
      last = this.#headings.at(-1)
    }
  }

  #push(text: string): void {
    for (const heading of this.#headings) heading.written = true
    const headings = this.#headings.map(({ text }) => text)
    this.#sections.push({ text, headings, page: null })
  }

  #count(text: string): void {
    this.#characters += text.length
    if (this.#characters > this.#limits.maxCharacters) throw this.limitError()
  }
}

/** Trims blank lines around a block and trailing blanks; keeps the indentation of code. */
const trimmedBlock = (text: string): string =>
  text
    .replaceAll('\0', '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
