import { Lexer, type Token, type Tokens } from 'marked'
import pc from 'picocolors'
import { inline, known } from './inline.ts'
import { tableLines } from './table.ts'
import { columnsOf, wrap } from './wrap.ts'

/** Renders Markdown for a terminal of the given width, without a final newline. */
export const markdownText = (markdown: string, columns: number): string =>
  blockLines(blocksOf(markdown), columns).join('\n')

/** Lists and quotations nested twenty deep: the parser would be slow or exhaust the stack. */
const DEEP = /(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+){20}/

/** The blocks of a text. Their content is parsed when rendered. */
export function blocksOf(markdown: string): Token[] {
  if (!DEEP.test(markdown)) return new Lexer().blockTokens(markdown)
  return [{ type: 'text', raw: markdown, text: markdown.trim(), escaped: false }]
}

/** Lines of blocks, with an empty line between blocks. */
export function blockLines(tokens: readonly Token[], columns: number): readonly string[] {
  const blocks = tokens.map((token) => linesOf(token, columns)).filter(({ length }) => length > 0)
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]))
}

function linesOf(given: Token, columns: number): readonly string[] {
  const token = known(given)
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return []
    case 'paragraph':
      return wrap(inline(token.text), columns)
    case 'heading':
      return headingLines(token, columns)
    case 'code':
      return codeLines(token.text)
    case 'list':
      return listLines(token, columns)
    case 'blockquote':
      return blockLines(token.tokens, columns - 2).map((line) => `${pc.dim('│')} ${line}`)
    case 'table':
      return tableLines(token, columns)
    case 'hr':
      return [pc.dim('─'.repeat(Math.min(columns, 40)))]
    case 'text':
      return wrap(inline(token.text), columns)
    case 'br':
    case 'codespan':
    case 'def':
    case 'del':
    case 'em':
    case 'escape':
    case 'html':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
      return wrap(token.raw.trimEnd(), columns)
  }
}

/** Without styles, a heading keeps its marks, to differ from a sentence. */
function headingLines(
  { depth, text: written }: Tokens.Heading,
  columns: number,
): readonly string[] {
  const text = inline(written)
  if (!pc.isColorSupported) return wrap(`${'#'.repeat(depth)} ${text}`, columns)
  const paint = (line: string): string => pc.bold(depth === 1 ? pc.underline(line) : line)
  return wrap(text, columns).map(paint)
}

/** Code is never wrapped, since line breaks would change what is copied. */
export const codeLines = (code: string): readonly string[] =>
  code.split('\n').map((line) => (line === '' ? '' : `  ${pc.cyan(line)}`))

function listLines({ items, ordered, start }: Tokens.List, columns: number): readonly string[] {
  const first = typeof start === 'number' ? start : 1
  return items.flatMap((item, at) => {
    const mark = ordered ? `${first + at}. ` : '• '
    const box = item.task ? (item.checked === true ? '[x] ' : '[ ] ') : ''
    const indent = ' '.repeat(columnsOf(mark))
    const [line = '', ...more] = itemLines(item, columns - indent.length, box)
    return [mark + line, ...more.map((one) => (one === '' ? '' : indent + one))]
  })
}

/** Lines of an item. A nested list follows directly; only a second paragraph is set apart. */
function itemLines({ tokens }: Tokens.ListItem, columns: number, box: string): readonly string[] {
  const lines: string[] = []
  for (const token of tokens) {
    const own = linesOf(token, columns - (lines.length === 0 ? box.length : 0))
    if (own.length > 0 && lines.length > 0 && token.type === 'paragraph') lines.push('')
    lines.push(...own)
  }
  return lines.map((line, at) => (at === 0 ? box + line : line))
}
