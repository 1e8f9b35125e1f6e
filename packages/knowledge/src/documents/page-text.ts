import type { getDocumentProxy } from 'unpdf'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Pdf['getPage']>>

/** Lines further apart than this many line heights belong to different paragraphs. */
const PARAGRAPH_GAP = 1.7

/**
 * The text of a page, line by line, with a blank line where there is a gap.
 * @param most maximum characters; returns undefined beyond it. The rest of the page then stays pending
 * for ever, because the package can neither cancel a page nor close its document meanwhile
 */
export async function pageText(page: Page, most: number): Promise<string | undefined> {
  const parts: string[] = []
  let length = 0
  let above: { readonly y: number; readonly height: number } | undefined
  const reader = page.streamTextContent().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts.join('').replaceAll(/\n{3,}/g, '\n\n')
    if (length > most) return undefined
    for (const item of value.items) {
      if (!('str' in item)) continue
      const y = Number(item.transform[5])
      const height = item.height || (above?.height ?? 0)
      if (item.str.trim() !== '') {
        if (above !== undefined && above.y - y > PARAGRAPH_GAP * Math.max(height, above.height)) {
          parts.push('\n')
        }
        above = { y, height }
      }
      parts.push(item.str, item.hasEOL ? '\n' : '')
      length += item.str.length + 1
    }
  }
}
