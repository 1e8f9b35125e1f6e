import type * as htmlParser from 'node-html-parser'
import type { HTMLElement, Node } from 'node-html-parser'
import type { DocumentSection, ReadingLimits } from 'echelon/internal/knowledge'
import { CollectedText } from './collected-text.ts'
import { codeBlock } from './code-block.ts'
import { rowText } from './row-text.ts'

type Parser = Pick<typeof htmlParser, 'HTMLElement' | 'TextNode'>

const NEVER_SHOWN =
  /^(?:script|style|template|noscript|svg|math|iframe|object|canvas|audio|video|datalist|head)$/
const BLOCKS =
  /^(?:address|article|aside|blockquote|body|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|header|hgroup|hr|html|legend|main|nav|p|search|section|summary|td|th|tr|tbody|thead|tfoot)$/
/** A table that contains one of these is used for page layout. */
const LAYOUT_CONTENT = /^(?:table|pre|ul|ol|h[1-6])$/

/** Not displayed, invisible, or of size zero; zero may be written `0`, `0.0` or `.0`. */
const HIDDEN_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*(?:0+(?:\.0*)?|\.0+)(?![\d.]))/i

/** The text of a page, block by block. */
export class HtmlText {
  readonly #parser: Parser
  readonly #text: CollectedText
  #line = ''
  #list: string[] = []
  #depth = 0
  #bullet = false
  #title: string | undefined
  #firstHeading: string | undefined

  constructor(parser: Parser, name: string, limits: ReadingLimits) {
    this.#parser = parser
    this.#text = new CollectedText(name, limits)
  }

  /** The page's title, or else its first heading. */
  title(): string | undefined {
    return this.#title ?? this.#firstHeading
  }

  sections(): readonly DocumentSection[] {
    this.#endList()
    return this.#text.sections()
  }

  walk(node: Node): void {
    if (node instanceof this.#parser.TextNode) this.#line += node.text
    else if (node instanceof this.#parser.HTMLElement) this.#element(node)
  }

  #element(element: HTMLElement): void {
    const tag = tagOf(element)
    if (tag === 'head') return this.#readTitle(element)
    if (tag === 'title') return this.#setTitle(this.#inline(element))
    if (NEVER_SHOWN.test(tag) || isHidden(element)) return
    if (tag === 'br') this.#line += '\n'
    else if (tag === 'input') this.#line += boxOf(element)
    else if (/^h[1-6]$/.test(tag)) this.#heading(element, Number(tag[1]))
    else if (tag === 'pre') this.#code(element)
    else if (tag === 'ul' || tag === 'ol' || tag === 'menu') this.#items(element)
    else if (tag === 'li') this.#item(element)
    else if (tag === 'table' && !this.#isLayout(element)) this.#table(element)
    else if (tag === 'table' || BLOCKS.test(tag)) this.#block(element)
    else this.#inside(element)
  }

  #inside(element: HTMLElement): void {
    for (const child of element.childNodes) this.walk(child)
  }

  #block(element: HTMLElement): void {
    this.#endLine()
    this.#inside(element)
    this.#endLine()
  }

  #readTitle(head: HTMLElement): void {
    for (const child of this.#elements(head)) if (tagOf(child) === 'title') this.#element(child)
  }

  #setTitle(title: string): void {
    if (title !== '') this.#title ??= title.slice(0, 200)
  }

  #heading(element: HTMLElement, level: number): void {
    this.#endList()
    const text = this.#inline(element)
    if (text !== '') this.#firstHeading ??= text.slice(0, 200)
    this.#text.heading(level, text)
  }

  #code(element: HTMLElement): void {
    this.#endList()
    const [inner] = this.#elements(element)
    const language = /\blanguage-([\w+#-]{1,30})/.exec(inner?.getAttribute('class') ?? '')?.[1]
    this.#text.block(codeBlock(this.#visibleText(element), language))
  }

  #items(element: HTMLElement): void {
    this.#endLine()
    this.#depth += 1
    this.#inside(element)
    this.#endLine()
    this.#depth -= 1
    if (this.#depth === 0) this.#endList()
  }

  #item(element: HTMLElement): void {
    this.#endLine()
    this.#bullet = true
    this.#inside(element)
    this.#endLine()
    this.#bullet = false
  }

  #isLayout(table: HTMLElement): boolean {
    return this.#elements(table).some(
      (each) => LAYOUT_CONTENT.test(tagOf(each)) || this.#isLayout(each),
    )
  }

  #table(table: HTMLElement): void {
    this.#endList()
    for (const each of this.#elements(table)) if (tagOf(each) === 'caption') this.#element(each)
    const [first, ...rest] = this.#rows(table)
    if (first === undefined) return
    const names = first.cells.map((cell) => this.#inline(cell))
    const named = first.cells.every((cell) => tagOf(cell) === 'th')
    const header = named && rest.length > 0 ? names : []
    const rows = header.length > 0 ? rest : [first, ...rest]
    const texts = rows.map(({ cells }) =>
      rowText(
        header,
        cells.map((cell) => this.#inline(cell)),
      ),
    )
    this.#text.block(texts.filter((text) => text !== '').join('\n'))
  }

  #rows(within: HTMLElement): readonly { readonly cells: readonly HTMLElement[] }[] {
    return this.#elements(within)
      .filter((each) => !isHidden(each) && tagOf(each) !== 'caption')
      .flatMap((each) => (tagOf(each) === 'tr' ? [{ cells: this.#cells(each) }] : this.#rows(each)))
  }

  #cells(row: HTMLElement): readonly HTMLElement[] {
    return this.#elements(row).filter((each) => !isHidden(each))
  }

  #elements(within: HTMLElement): readonly HTMLElement[] {
    return within.childNodes.filter((each) => each instanceof this.#parser.HTMLElement)
  }

  #inline(element: HTMLElement): string {
    return this.#visibleText(element).replaceAll(/\s+/g, ' ').trim()
  }

  /** Its visible text, with its spacing. */
  #visibleText(node: Node): string {
    if (node instanceof this.#parser.TextNode) return node.text
    if (!(node instanceof this.#parser.HTMLElement)) return ''
    const tag = tagOf(node)
    if (tag === 'br') return '\n'
    if (NEVER_SHOWN.test(tag) || isHidden(node)) return ''
    const text = node.childNodes.map((child) => this.#visibleText(child)).join('')
    return BLOCKS.test(tag) || tag === 'li' ? `${text} ` : text
  }

  /** Ends the text since the last block: a paragraph, or an item of the current list. */
  #endLine(): void {
    const lines = this.#line.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())
    this.#line = ''
    const text = lines.filter((line) => line !== '').join(this.#depth > 0 ? ' ' : '\n')
    if (text === '') return
    if (this.#depth === 0) return this.#text.block(text)
    const indent = '  '.repeat(this.#depth - 1)
    this.#list.push(`${indent}${this.#bullet ? '- ' : '  '}${text}`)
    this.#bullet = false
  }

  #endList(): void {
    this.#endLine()
    this.#text.block(this.#list.join('\n'))
    this.#list = []
  }
}

const tagOf = (element: HTMLElement): string => (element.rawTagName ?? '').toLowerCase()

/** The Markdown task box. */
function boxOf(input: HTMLElement): string {
  if (input.getAttribute('type') !== 'checkbox') return ''
  return input.hasAttribute('checked') ? '[x] ' : '[ ] '
}

const isHidden = (element: HTMLElement): boolean =>
  element.rawAttrs !== '' &&
  (element.hasAttribute('hidden') ||
    element.getAttribute('aria-hidden')?.toLowerCase() === 'true' ||
    HIDDEN_STYLE.test(element.getAttribute('style') ?? ''))
