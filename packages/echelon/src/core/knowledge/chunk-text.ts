import type { FoundChunk } from './knowledge.ts'

/** A chunk as a model reads it: in a frame with its number and source, which its text cannot close. */
export const chunkText = (chunk: FoundChunk, number: number): string =>
  `<document number="${number}" ${attributes(chunk)}>\n${fenced(chunk.text)}\n</document>`

function attributes({ source, page, headings }: FoundChunk): string {
  const parts = [`source="${attribute(source)}"`]
  if (page !== null) parts.push(`page="${page}"`)
  if (headings.length > 0) parts.push(`section="${attribute(headings.join(' › '))}"`)
  return parts.join(' ')
}

/** Keeps names and headings within their quotes and on their line. */
const attribute = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** A document must not close its own tag or open another. */
const fenced = (text: string): string => text.replaceAll(/<(?=\s*\/?\s*document\b)/gi, '&lt;')
