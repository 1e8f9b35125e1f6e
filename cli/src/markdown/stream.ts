import type { Token, Tokens } from 'marked'
import { blockLines, blocksOf, codeLines } from './blocks.ts'

/** Opening fence of a code block. */
const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})[^\n]*\n/

/** Growth factor before a long block is parsed again, so that the total time stays linear. */
const GROWTH = 1.1

/**
 * Renders Markdown that arrives in chunks. Each block is written when it is complete, list items and
 * lines of code one by one. Written output never changes.
 */
export class MarkdownStream {
  readonly #columns: () => number
  #rest = ''
  /** Matches the end of the current code block. */
  #codeEnd: RegExp | undefined
  /** Whether the rest may continue a list of which items were written. */
  #isInList = false
  #hasWritten = false
  /** Length that the rest must reach before it is parsed again. */
  #tryAt = 0

  /** @param columns current width of the terminal, which may change */
  constructor(columns: () => number) {
    this.#columns = columns
  }

  /** Whether some text waits for the end of its block. */
  get isHolding(): boolean {
    return this.#rest.trim() !== ''
  }

  /** @returns complete lines to write now; empty if no block is complete */
  push(text: string): string {
    this.#rest += text
    if (!text.includes('\n') || this.#rest.length < this.#tryAt) return ''
    let written = ''
    for (;;) {
      const more = this.#codeEnd === undefined ? this.#blocks() : this.#code(this.#codeEnd)
      if (more === undefined) break
      written += more
    }
    this.#tryAt = this.#codeEnd === undefined ? this.#rest.length * GROWTH : 0
    return written
  }

  /** @returns the rest, as complete lines */
  end(): string {
    const lines = this.push('\n')
    const written = lines + (this.#codeEnd === undefined ? this.#render(blocksOf(this.#rest)) : '')
    this.drop()
    return written
  }

  /** Discards unwritten text and starts a new document. */
  drop(): void {
    this.#rest = ''
    this.#codeEnd = undefined
    this.#isInList = false
    this.#hasWritten = false
    this.#tryAt = 0
  }

  /** The complete blocks of the rest; undefined if there are none. */
  #blocks(): string | undefined {
    const tokens = blocksOf(this.#rest)
    const last = tokens.findLastIndex(({ type }) => type !== 'space')
    const open = tokens[last]
    if (open === undefined) return undefined
    const done = tokens.slice(0, last)
    const isApart = last < tokens.length - 1 || open.raw.endsWith('\n\n')
    if (isApart && open.type !== 'list' && open.type !== 'code') return this.#take(tokens)
    const fence = open.type === 'code' ? FENCE.exec(open.raw) : null
    const mark = fence?.groups?.['mark']
    if (fence !== null && mark !== undefined) return this.#openCode(done, fence[0], mark)
    const items = isList(open) ? open.items.slice(0, -1) : []
    if (isList(open) && items.length > 0) return this.#takeItems(done, open, items)
    return done.some(({ type }) => type !== 'space') ? this.#take(done) : undefined
  }

  #take(tokens: readonly Token[]): string {
    const written = this.#render(tokens)
    this.#cut(tokens)
    return written
  }

  #takeItems(before: readonly Token[], list: Tokens.List, items: Tokens.ListItem[]): string {
    const begun: Tokens.List = { ...list, items, raw: items.map(({ raw }) => raw).join('') }
    const written = this.#take([...before, begun])
    this.#isInList = true
    return written
  }

  #openCode(before: readonly Token[], line: string, mark: string): string {
    const written = this.#render(before)
    this.#cut(before)
    this.#rest = this.#rest.slice(line.length)
    this.#codeEnd = new RegExp(`^ {0,3}${mark}${mark[0]}*[ \\t]*$`)
    const apart = this.#apart()
    this.#hasWritten = true
    return written + apart
  }

  /** The complete lines of the current code block; undefined if there are none. */
  #code(end: RegExp): string | undefined {
    const upTo = this.#rest.lastIndexOf('\n')
    if (upTo === -1) return undefined
    const lines = this.#rest.slice(0, upTo).split('\n')
    const last = lines.findIndex((line) => end.test(line))
    if (last === -1) {
      this.#rest = this.#rest.slice(upTo + 1)
      return linesOf(codeLines(lines.join('\n')))
    }
    this.#codeEnd = undefined
    this.#rest = [...lines.slice(last + 1), this.#rest.slice(upTo + 1)].join('\n')
    return last === 0 ? '' : linesOf(codeLines(lines.slice(0, last).join('\n')))
  }

  #render(tokens: readonly Token[]): string {
    const lines = blockLines(tokens, this.#columns())
    if (lines.length === 0) return ''
    const first = tokens.find(({ type }) => type !== 'space')
    const apart = this.#isInList && first?.type === 'list' ? '' : this.#apart()
    this.#isInList = false
    this.#hasWritten = true
    return apart + linesOf(lines)
  }

  #apart(): string {
    return this.#hasWritten ? '\n' : ''
  }

  #cut(tokens: readonly Token[]): void {
    this.#rest = this.#rest.slice(tokens.reduce((length, { raw }) => length + raw.length, 0))
  }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const isList = (token: Token): token is Tokens.List => token.type === 'list'
