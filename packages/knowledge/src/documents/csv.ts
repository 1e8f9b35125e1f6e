import type { DocumentReader } from 'echelon/internal/knowledge'
import { CollectedText } from './collected-text.ts'
import { decodedText } from './decoded-text.ts'
import { fileTitle } from './file-title.ts'
import { checkBytes } from './limits.ts'
import { asRefusal, refused } from './refused.ts'
import { rowText } from './row-text.ts'

const MAX_COLUMNS = 1000
const MAX_ROW = 1_000_000

/** Reads each row as text with the column names, so that a row can be understood without its table. */
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
      // Rows are converted to text as they come and not kept.
      return null
    }
    try {
      parse(source, {
        delimiter: delimiterOf(source),
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        max_record_size: MAX_ROW,
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

/** The delimiter that occurs most in the first line. */
function delimiterOf(source: string): string {
  const end = source.indexOf('\n')
  const line = source.slice(0, Math.min(end < 0 ? source.length : end, MAX_ROW))
  const counts = [',', ';', '\t', '|'].map((each) => ({ each, count: line.split(each).length }))
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).each
}

function checkColumns(name: string, columns: number): void {
  if (columns <= MAX_COLUMNS) return
  throw refused(
    name,
    `has a row of ${columns} columns, and at most ${MAX_COLUMNS} are read; remove the unneeded ones`,
  )
}
