import type { DocumentReader } from 'echelon/internal/knowledge'
import { CollectedText } from './collected-text.ts'
import { decodedText } from './decoded-text.ts'
import { fileTitle } from './file-title.ts'
import { checkBytes } from './limits.ts'
import { asRefusal, refused } from './refused.ts'
import { rowText } from './row-text.ts'

const MOST_COLUMNS = 1000
const MOST_ROW = 1_000_000

/** Each row as text, with the names of its columns: so a row is understood without its table. */
export const csvReader: DocumentReader = {
  extensions: ['.csv', '.tsv'],
  read: async (content, { name, limits, signal }) => {
    signal?.throwIfAborted()
    checkBytes(name, content, limits)
    const source = decodedText(name, content)
    const { parse } = await import('csv-parse/sync')
    const text = new CollectedText(name, limits)
    let header: readonly string[] | undefined
    const row = (cells: readonly string[]): null => {
      checkColumns(name, cells.length)
      if (header === undefined) header = cells
      else text.block(rowText(header, cells))
      // Nothing is kept but the text.
      return null
    }
    try {
      parse(source, {
        delimiter: delimiterOf(source),
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        max_record_size: MOST_ROW,
        on_record: row,
      })
    } catch (error) {
      throw asRefusal(name, error)
    }
    const sections = text.sections()
    if (sections.length === 0 && header !== undefined) text.block(header.join(' | '))
    return { title: fileTitle(name), sections: text.sections() }
  },
}

/** That which the first line has most of. */
function delimiterOf(source: string): string {
  const end = source.indexOf('\n')
  const line = source.slice(0, Math.min(end < 0 ? source.length : end, MOST_ROW))
  const counts = [',', ';', '\t', '|'].map((each) => ({ each, count: line.split(each).length }))
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).each
}

function checkColumns(name: string, columns: number): void {
  if (columns <= MOST_COLUMNS) return
  throw refused(
    name,
    `has a row of ${columns} columns, and at most ${MOST_COLUMNS} are read; leave out those that say nothing`,
  )
}
