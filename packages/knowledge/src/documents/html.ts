import type { DocumentReader, ReadDocument, ReadingLimits } from 'echelon/internal/knowledge'
import { decodedText } from './decoded-text.ts'
import { HtmlText } from './html-text.ts'
import { fileTitle } from './file-title.ts'
import { checkBytes } from './limits.ts'
import { asRefusal, refused } from './refused.ts'

const MOST_NESTED = 2000

/** What a page shows: without scripts, styles, comments and what is hidden from those who look. */
export const htmlReader: DocumentReader = {
  extensions: ['.html', '.htm', '.xhtml'],
  read: async (content, { name, limits, signal }) => {
    signal?.throwIfAborted()
    checkBytes(name, content, limits)
    return await readHtml(decodedText(name, content, declaredEncoding), name, limits)
  },
}

/** @throws EchelonError INVALID_INPUT for what is nested without end, and beyond a limit */
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
    // What scripts and styles hold is not kept; the parser would take `pre` as raw text by default.
    const blockTextElements = { script: false, style: false, noscript: false }
    text.walk(parser.parse(html, { comment: false, blockTextElements }))
    return { title: text.title() ?? fileTitle(name), sections: text.sections() }
  } catch (error) {
    throw asRefusal(name, error)
  }
}

const declaredEncoding = (head: string): string | undefined =>
  /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1]

/** The parser takes it for text. */
const PROLOGUE = /^\s*(?:<\?xml[^>]*>\s*)?<!doctype[^>]*>/i

/** By hand, since patterns look for the end of each that has none through all that follows. */
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

/** Elements that need no end: many of them are not nested. */
const ENDLESS =
  /^(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|p|param|source|tbody|td|tfoot|th|thead|tr|track|wbr)$/

/**
 * The time that the parser takes grows with the square of the depth. An end ends only what is open under
 * its own name.
 */
function checkNesting(name: string, html: string): void {
  const open = new Map<string, number>()
  let depth = 0
  for (const [, end, tag = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,30})/gi)) {
    const own = tag.toLowerCase()
    const count = open.get(own) ?? 0
    const step = end === '' ? 1 : -1
    if (ENDLESS.test(own) || count + step < 0) continue
    open.set(own, count + step)
    depth += step
    if (depth > MOST_NESTED) {
      throw refused(name, 'is nested too deep to be read; leave it out or write it anew')
    }
  }
}
