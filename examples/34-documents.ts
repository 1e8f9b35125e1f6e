// Documents: a file as text with its headings, in chunks that suit models and search.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EchelonError } from 'echelon'
import { chunksOf, type DocumentReader, readDocument } from '@echelon/knowledge'

const file = join(import.meta.dirname, '../README.md')
const document = await readDocument(await readFile(file), file)
const chunks = chunksOf(document, { maxTokens: 300 })

console.log(document.title, document.sections.length, 'sections')
for (const { nth, headings, tokens } of chunks.slice(0, 8)) {
  console.log(`${nth} ${headings.join(' > ')} (${tokens} tokens)`)
}

// The error for an unreadable document says why, and what to do.
try {
  await readDocument(new TextEncoder().encode('Fees are due.'), 'fees.pdf')
} catch (error) {
  if (!(error instanceof EchelonError)) throw error
  console.log(error.code, error.message)
}

// Your own document kind: text with form feeds between pages.
const pagedText: DocumentReader = {
  extensions: ['.paged'],
  async read(content, { name, signal }) {
    signal?.throwIfAborted()
    const pages = new TextDecoder().decode(content).split('\f')
    const sections = pages.map((text, nth) => ({ text, headings: [], page: nth + 1 }))
    return { title: name, sections }
  },
}
const letter = new TextEncoder().encode('Dear Ada,\fyours, Bo')
const { sections } = await readDocument(letter, 'letter.paged', { readers: [pagedText] })
console.log(sections.map(({ page, text }) => `page ${page}: ${text}`).join('; '))
