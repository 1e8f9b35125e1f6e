import type { DocumentReader, ReadDocument } from '../../core/knowledge/document.ts'
import { EchelonError } from '../../core/value/error.ts'
import { documentReaderContract, type DocumentReaderTrial } from './document-reader-contract.ts'
import { holdsAndFails } from '../holds-and-fails.ts'

type Read = DocumentReader['read']

const refuse = (message: string): never => {
  throw new EchelonError('INVALID_INPUT', message)
}

/** Form feeds separate pages; text between stars is hidden; a document begins with `#`. */
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
  'its extensions are lower case and start with a dot': trial(good, ['PDF']),
  'visible text is read in order': trial(
    changed(({ title, sections }) => ({ title, sections: sections.toReversed() })),
  ),
  'invisible text is not read': trial((content, about) => {
    const shown = new TextDecoder().decode(content).replaceAll('*', '')
    return good(new TextEncoder().encode(shown), about)
  }),
  'each section has text, and pages count from 1': trial(
    changed(({ title, sections }) => ({
      title,
      sections: sections.map((each, page) => ({ ...each, page })),
    })),
  ),
  'reading a document again gives the same result and leaves it unchanged': trial(
    async (content, about) => {
      const document = await good(content, about)
      // Like a parser that overwrites its input.
      content.fill(0)
      return document
    },
  ),
  'a file over the byte limit is refused': trial(unlimited('maxBytes')),
  'text over the character limit is refused': trial(unlimited('maxCharacters')),
  'pages over the page limit are refused': trial(unlimited('maxPages')),
  'an invalid document is refused with its name': trial(async (content, about) => {
    if (content[0] !== 0x23) throw new Error('unexpected token')
    return await good(content, about)
  }),
  'an aborted read rejects with the reason': trial((content, { name, limits }) =>
    good(content, { name, limits }),
  ),
})
