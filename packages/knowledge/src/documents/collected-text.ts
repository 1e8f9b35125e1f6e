import type { DocumentSection, ReadingLimits } from 'echelon/internal/knowledge'
import type { EchelonError } from 'echelon'
import { refused } from './refused.ts'

/** A longer one is a text that somebody made large. */
const MOST_HEADING = 200

/** Sections as they are read, never more of them than the limit of characters lets through. */
export class CollectedText {
  readonly #name: string
  readonly #limits: ReadingLimits
  readonly #sections: DocumentSection[] = []
  readonly #headings: { readonly level: number; readonly text: string; told: boolean }[] = []
  #blocks: string[] = []
  #characters = 0

  constructor(name: string, limits: ReadingLimits) {
    this.#name = name
    this.#limits = limits
  }

  /** The sections so far; what is open is closed. */
  sections(): readonly DocumentSection[] {
    this.#close()
    this.#leave(0)
    return this.#sections
  }

  /** A paragraph, a list, a table, a piece of code; what has no text is passed over. */
  block(text: string): void {
    const trimmed = trimmedBlock(text)
    if (trimmed === '') return
    this.#count(trimmed)
    this.#blocks.push(trimmed)
  }

  /** @param level from 1, the outermost */
  heading(level: number, text: string): void {
    const line = text.replaceAll(/\s+/g, ' ').trim()
    if (line === '') return
    if (line.length > MOST_HEADING) return this.block(line)
    this.#count(line)
    this.#close()
    this.#leave(level)
    this.#headings.push({ level, text: line, told: false })
  }

  page(text: string, page: number): void {
    const trimmed = trimmedBlock(text)
    if (trimmed === '') return
    this.#count(trimmed)
    this.#sections.push({ text: trimmed, headings: [], page })
  }

  tooMuch(): EchelonError {
    const { maxCharacters } = this.#limits
    return refused(
      this.#name,
      `holds more than the ${maxCharacters} characters of text that are read; split it, or raise maxCharacters`,
    )
  }

  #close(): void {
    if (this.#blocks.length === 0) return
    this.#push(this.#blocks.join('\n\n'))
    this.#blocks = []
  }

  /** Ends what is below headings of this level on. One that nothing stood below is a text itself. */
  #leave(level: number): void {
    for (let last = this.#headings.at(-1); last && last.level >= level;) {
      if (!last.told) this.#push(last.text)
      this.#headings.pop()
      last = this.#headings.at(-1)
    }
  }

  #push(text: string): void {
    for (const heading of this.#headings) heading.told = true
    const headings = this.#headings.map(({ text }) => text)
    this.#sections.push({ text, headings, page: null })
  }

  #count(text: string): void {
    this.#characters += text.length
    if (this.#characters > this.#limits.maxCharacters) throw this.tooMuch()
  }
}

/** Blank lines around it go, and what is blank at the ends of lines; how code is indented stays. */
const trimmedBlock = (text: string): string =>
  text
    .replaceAll('\0', '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
