import { damaged } from './checksum/row-sum.ts'

/**
 * Parses a JSON column. A row may have been damaged before it had a checksum.
 * @param what names the row
 * @throws EchelonError STORE_DAMAGED without the text, which is personal data
 */
export function keptJson(path: string, what: string, text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text))
  } catch {
    throw damaged(path, what)
  }
}
