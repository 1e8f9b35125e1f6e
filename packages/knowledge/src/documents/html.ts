import type { DocumentReader, ReadDocument, ReadingLimits } from 'echelon/internal/knowledge'
import { decodedText } from './decoded-text.ts'
import { HtmlText } from './html-text.ts'
import { fileTitle } from './file-title.ts'
import { checkBytes } from './limits.ts'
import { asRefusal, refused } from './refused.ts'

const MAX_NESTED = 2000

/** Reads the visible text of a page, without scripts, styles, comments and hidden elements. */
export const htmlReader: DocumentReader = {
  extensions: ['.html', '.htm', '.xhtml'],
  read: async (content, { name, limits, signal }) => {
    signal?.throwIfAborted()
    checkBytes(name, content, limits)
    return await readHtml(decodedText(name, content, declaredEncoding), name, limits)
  },
}

/** @throws EchelonError INVALID_INPUT for a page nested too deeply, and beyond a limit */
export async function readHtml(
  source: string,
  name: string,
  limits: ReadingLimits,
): Promise<ReadDocument> {
  const html = withoutComments(source).replace(PROLOGUE, '')
  checkNesting(name, html)
  const parser = await import('node-html-parser')
  const text = new HtmlText(parser, name, limits)
  try {
    // Scripts and styles are dropped; by default the parser would treat `pre` as raw text.
    const blockTextElements = { script: false, style: false, noscript: false }
    text.walk(parser.parse(html, { comment: false, blockTextElements }))
    return { title: text.title() ?? fileTitle(name), sections: text.sections() }
  } catch (error) {
    throw asRefusal(name, error)
  }
}

const declaredEncoding = (head: string): string | undefined =>
  /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1]

/** The parser would treat it as text. */
const PROLOGUE = /^\s*(?:<\?xml[^>]*>\s*)?<!doctype[^>]*>/i

/** Without a pattern: for each unclosed comment a pattern would scan the whole rest of the page. */
function withoutComments(html: string): string {
  const kept: string[] = []
  let from = 0
  for (;;) {
    const start = html.indexOf('<!--', from)
    kept.push(html.slice(from, start < 0 ? undefined : start))
    const end = start < 0 ? -1 : html.indexOf('-->', start + 2)
    if (end < 0) return kept.join('')
    from = end + 3
  }
}

/** Void elements, and those whose end tag is optional: they do not count as nesting. */
const UNCLOSED =
  /^(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|p|param|source|tbody|td|tfoot|th|thead|tr|track|wbr)$/

/** Parsing time grows with the square of the depth. An end tag closes only elements of its own name. */
function checkNesting(name: string, html: string): void {
  const open = new Map<string, number>()
  let depth = 0
  for (const [, end, tag = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,30})/gi)) {
    const element = tag.toLowerCase()
    const count = open.get(element) ?? 0
    const step = end === '' ? 1 : -1
    if (UNCLOSED.test(element) || count + step < 0) continue
    open.set(element, count + step)
    depth += step
    if (depth > MAX_NESTED) {
      throw refused(name, 'is nested too deeply; leave it out or rewrite it')
    }
  }
}
