import { Lexer, type MarkedToken, type Token } from 'marked'
import pc from 'picocolors'

/** Text with more marks is shown unparsed, because the parser's time is not linear. */
const MOST_MARKS = 300

/** Renders the inline marks of a paragraph, cell or heading. */
export function inline(text: string): string {
  const marks = text.match(/[*_~`[<]/g)?.length ?? 0
  return marks > MOST_MARKS ? text : styledAll(Lexer.lexInline(text))
}

const styledAll = (tokens: readonly Token[]): string =>
  tokens.map((token, at) => styled(token, tokens[at - 1], tokens[at + 1])).join('')

function styled(given: Token, before: Token | undefined, after: Token | undefined): string {
  const token = known(given)
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      // The marks in 5*3*2, __init__ and ~5 are not emphasis.
      return isWithinWord(before, after) || isName(token.raw)
        ? token.raw
        : EMPHASIS[token.type](styledAll(token.tokens))
    case 'codespan':
      return pc.isColorSupported ? pc.cyan(token.text) : token.raw
    case 'link':
      return linked(styledAll(token.tokens), token.href)
    case 'image':
      return linked(token.text, token.href)
    case 'br':
      return '\n'
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? '\n' : token.raw
    case 'escape':
      return token.text
    case 'text':
      return token.tokens === undefined ? plain(token.text) : styledAll(token.tokens)
    case 'blockquote':
    case 'checkbox':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
      return token.raw
  }
}

const EMPHASIS = { strong: pc.bold, em: pc.italic, del: pc.strikethrough } as const

const isName = (raw: string): boolean => /^(?:__|~(?!~))/.test(raw)

const isWithinWord = (before: Token | undefined, after: Token | undefined): boolean =>
  /[A-Za-z0-9]$/.test(before?.raw ?? '') || /^[A-Za-z0-9]/.test(after?.raw ?? '')

/** The URL is always shown, so that no link hides its target. */
function linked(text: string, address: string): string {
  const isItself = text === address || `mailto:${text}` === address
  if (isItself || address === '') return pc.underline(text)
  return text === '' ? pc.underline(address) : `${text} (${pc.underline(address)})`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

const plain = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)

/** Without extensions, all tokens are those of the parser itself. */
export function known(token: Token): MarkedToken {
  return isKnown(token) ? token : { type: 'text', raw: token.raw, text: token.raw, escaped: false }
}

const TYPES: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
])

const isKnown = (token: Token): token is MarkedToken => TYPES.has(token.type)
