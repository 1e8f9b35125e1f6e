import type { DocumentReader, ReadDocument } from 'echelon/internal/knowledge'
import { isRecord } from 'echelon/internal/value'
import { decodedText } from './decoded-text.ts'
import { readHtml } from './html.ts'
import { checkBytes } from './limits.ts'
import { asRefusal, refused } from './refused.ts'

/**
 * Reads Markdown as rendered: converted to HTML first, because it can contain HTML anywhere, and only
 * HTML shows what is hidden.
 */
export const markdownReader: DocumentReader = {
  extensions: ['.md', '.markdown', '.mdown', '.mkd'],
  read: async (content, { name, limits, signal }): Promise<ReadDocument> => {
    signal?.throwIfAborted()
    checkBytes(name, content, limits)
    const { title, body } = await splitMatter(decodedText(name, content))
    if (DEEP.test(body))
      throw refused(name, 'nests lists and quotations too deeply; write it flatter')
    const { Marked } = await import('marked')
    let html: string
    try {
      html = await new Marked().parse(body, { gfm: true, async: true })
    } catch (error) {
      throw asRefusal(name, error)
    }
    const read = await readHtml(html, name, limits)
    return { title: title ?? read.title, sections: read.sections }
  },
}

/** Nested lists and quotations: the parser needs seconds for 4 KB of them. */
const DEEP = /(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+){100}/

const MAX_MATTER = 65_536

/** Splits off front matter, which is not part of the text. If it is not valid YAML, it stays text. */
async function splitMatter(
  source: string,
): Promise<{ readonly title?: string; readonly body: string }> {
  if (!/^---[ \t]*\n/.test(source)) return { body: source }
  const matter = /^---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/s.exec(
    source.slice(0, MAX_MATTER),
  )
  if (matter === null) return { body: source }
  const { parse } = await import('yaml')
  try {
    // Aliases are off: they let a few lines expand to gigabytes.
    const fields: unknown = parse(matter[1] ?? '', { maxAliasCount: 0, logLevel: 'error' })
    if (!isRecord(fields)) return { body: source }
    const { title } = fields
    const body = source.slice(matter[0].length)
    return typeof title === 'string' && title.trim() !== ''
      ? { title: title.trim().slice(0, 200), body }
      : { body }
  } catch {
    return { body: source }
  }
}
