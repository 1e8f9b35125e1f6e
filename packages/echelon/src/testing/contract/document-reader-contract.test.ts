import type { DocumentReader, ReadDocument } from '../../core/knowledge/document.ts'
import { EchelonError } from '../../core/value/error.ts'
import { documentReaderContract, type DocumentReaderTrial } from './document-reader-contract.ts'
import { holdsAndFails } from '../holds-and-fails.ts'

type Read = DocumentReader['read']

const refuse = (message: string): never => {
  throw new EchelonError('INVALID_INPUT', message)
}

/** Pages are parted by form feeds; what stands between stars is hidden; a document begins with `#`. */
const good: Read = async (content, { name, limits, signal }) => {
  signal?.throwIfAborted()
  if (content.byteLength > limits.maxBytes) refuse(`${name} is above ${limits.maxBytes} bytes`)
  const text = new TextDecoder().decode(content)
  if (!text.startsWith('#')) refuse(`${name} begins with no #`)
  const pages = text
    .slice(1)
    .replaceAll(/\*.*?\*/g, '')
    .split('\f')
  if (pages.length > limits.maxPages) refuse(`${name} has more than ${limits.maxPages} pages`)
  if (pages.join('').length > limits.maxCharacters) {
    refuse(`${name} has more than ${limits.maxCharacters} characters`)
  }
  const sections = pages.map((text, index) => ({ text, headings: ['Top'], page: index + 1 }))
  return { title: name, sections }
}

const trial =
  (read: Read = good, extensions: readonly string[] = ['.paged']) =>
  (): DocumentReaderTrial => ({
    reader: { extensions, read },
    content: new TextEncoder().encode('#one two *secret*\fthree four'),
    words: ['Top', 'one', 'two', 'three', 'four'],
    unseen: ['secret'],
    pages: 2,
    broken: [new TextEncoder().encode('one')],
  })

const changed =
  (change: (document: ReadDocument) => ReadDocument): Read =>
  async (content, about) =>
    change(await good(content, about))

const unlimited =
  (limit: 'maxBytes' | 'maxPages' | 'maxCharacters'): Read =>
  (content, about) =>
    good(content, { ...about, limits: { ...about.limits, [limit]: Infinity } })

holdsAndFails('a reader of documents', documentReaderContract, trial(), {
  'its extensions are lower case, with their dot': trial(good, ['PDF']),
  'what a document shows is read in its order': trial(
    changed(({ title, sections }) => ({ title, sections: sections.toReversed() })),
  ),
  'what nobody sees is not read': trial((content, about) => {
    const shown = new TextDecoder().decode(content).replaceAll('*', '')
    return good(new TextEncoder().encode(shown), about)
  }),
  'each section has text, and pages are counted from 1': trial(
    changed(({ title, sections }) => ({
      title,
      sections: sections.map((each, page) => ({ ...each, page })),
    })),
  ),
  'a document is read the same again, and stays as it is': trial(async (content, about) => {
    const document = await good(content, about)
    // As a parser does that takes the bytes for its own.
    content.fill(0)
    return document
  }),
  'a file beyond its bytes is refused': trial(unlimited('maxBytes')),
  'text beyond its characters is refused': trial(unlimited('maxCharacters')),
  'pages beyond their number are refused': trial(unlimited('maxPages')),
  'a file that is no document of its kind is refused by its name': trial(async (content, about) => {
    if (content[0] !== 0x23) throw new Error('unexpected token')
    return await good(content, about)
  }),
  'a reading that was given up rejects with the reason': trial((content, { name, limits }) =>
    good(content, { name, limits }),
  ),
})
