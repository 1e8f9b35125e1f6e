import { EchelonError } from 'echelon/internal/value'
import { type CopiedRow, named } from './copied-tables.ts'

/** The text that a copied chunk is found by, besides the title of its source. */
export interface ChunkText {
  readonly n: number
  /** The number of its source. */
  readonly source: number
  readonly headings: readonly string[]
  readonly text: string
}

/** @throws EchelonError STORE_DAMAGED */
export function chunkText(row: CopiedRow): ChunkText {
  const { n, source, headings_json: headings, text } = named('chunks', row)
  return {
    n: Number(n),
    source: Number(source),
    headings: headingsIn(String(headings)),
    text: String(text),
  }
}

function headingsIn(json: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    throw new EchelonError(
      'STORE_DAMAGED',
      'a part of a document to copy is damaged; add the document again first',
    )
  }
}
