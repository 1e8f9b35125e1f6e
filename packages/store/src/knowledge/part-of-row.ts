import type { FoundPart } from './search-knowledge.ts'

/** The part of a document in a row of `chunks` joined with its source. @param headings as parsed from the row */
export const partOf = (row: Readonly<Record<string, unknown>>, headings: unknown): FoundPart => ({
  nth: Number(row['nth']),
  text: String(row['text']),
  headings: Array.isArray(headings) ? headings.map(String) : [],
  page: row['page'] === null ? null : Number(row['page']),
  tokens: Number(row['tokens']),
  source: String(row['id']),
  title: String(row['title']),
})
