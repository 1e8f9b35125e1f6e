import { damaged } from './checksum/row-sum.ts'

/**
 * What a column holds as JSON. A row may have been damaged before it had a checksum.
 * @param what names the row
 * @throws EchelonError STORE_DAMAGED, which holds nothing of the text: it is personal data
 */
export function keptJson(path: string, what: string, text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text))
  } catch {
    throw damaged(path, what)
  }
}
