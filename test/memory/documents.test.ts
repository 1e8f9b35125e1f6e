import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import { type DocumentReader, readDocument, type ReadDocumentOptions } from '@echelon/knowledge'
import {
  pdfFile,
  pdfOfStream,
  pdfStream,
} from '../../packages/knowledge/src/documents/trial/pdf-file.ts'
import { docxFile, docxOf } from '../../packages/knowledge/src/documents/trial/zip-file.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const pages = (count: number): Uint8Array =>
  pdfFile(Array.from({ length: count }, (_, nth) => [`Line ${nth}`]))

const encrypted = pdfFile([['secret']], {
  objects: [`<</Filter/Standard/V 1/R 2/O<${'41'.repeat(32)}>/U<${'42'.repeat(32)}>/P -4>>`],
  entries: `/Encrypt 4 0 R/ID[<${'31'.repeat(16)}><${'31'.repeat(16)}>]`,
})

const zeros = (bytes: number): { name: string; content: Buffer } => ({
  name: 'word/media/a.png',
  content: Buffer.alloc(bytes),
})

/** So many million zeros, deflated: one repeated block, which is fast to create. */
function deflatedZeros(millions: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1e6), { finishFlush: constants.Z_FULL_FLUSH })
  const header = Buffer.from([0x78, 0x9c])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE((millions * 1e6) % 65_521, 0)
  checksum.writeUInt16BE(1, 2)
  const lastBlock = deflateRawSync('')
  return Buffer.concat([header, ...Array<Buffer>(millions).fill(block), lastBlock, checksum])
}

interface Hostile {
  readonly name: string
  readonly content: () => Uint8Array
  readonly says: RegExp
  readonly limits?: ReadDocumentOptions['limits']
}

const HOSTILE: readonly Hostile[] = [
  {
    name: '501.pdf',
    content: () => pages(501),
    says: /has 501 pages, and at most 500 .*maxPages$/,
  },
  {
    name: 'locked.pdf',
    content: () => encrypted,
    says: /is encrypted; save it without a password$/,
  },
  { name: 'cut.pdf', content: () => pages(3).slice(0, -200), says: /is broken or cut off/ },
  { name: 'page.pdf', content: () => utf8('<html>'), says: /is not a PDF by its content/ },
  {
    name: 'buffers.pdf',
    // Inflated by the parser itself, into buffers outside the heap limit.
    content: () => pdfOfStream(pdfStream(deflatedZeros(1500), true)),
    says: /was aborted: the reader needed more memory than the .* 1024 MB with its buffers; split it/,
  },
  {
    name: 'words.pdf',
    content: () => pdfOfStream(pdfStream('BT /F1 9 Tf (words) Tj ET\n'.repeat(100_000))),
    limits: { maxCharacters: 100_000 },
    says: /has more than 100000 characters/,
  },
  {
    name: 'bomb.docx',
    content: () => docxOf('', [zeros(4e7)]),
    says: /unpacks to 1\d{3} times its size/,
  },
  {
    name: 'large.docx',
    content: () => docxOf('', [zeros(5e6)]),
    limits: { maxBytes: 1e6 },
    says: /unpacks to 5\d{6} bytes, and at most 4000000 are read/,
  },
  {
    name: 'liar.docx',
    content: () => docxOf('', [{ ...zeros(4e7), declares: 100 }]),
    says: /is not what its directory says/,
  },
  {
    name: 'many.docx',
    content: () =>
      docxOf(
        '',
        Array.from({ length: 2001 }, (_, nth) => ({ name: `${nth}`, content: '' })),
      ),
    says: /contains more than 2000 files/,
  },
  {
    name: 'deep.docx',
    content: () => docxOf('<w:ins>'.repeat(20_000) + '</w:ins>'.repeat(20_000)),
    says: /is nested too deeply/,
  },
  { name: 'deep.html', content: () => utf8('<b>'.repeat(1e6)), says: /is nested too deeply/ },
  {
    name: 'crossed.html',
    content: () => utf8('<b></i>'.repeat(1e5)),
    says: /is nested too deeply/,
  },
  {
    name: 'deep.md',
    content: () => utf8('>'.repeat(20_000)),
    says: /nests lists and quotations too deeply/,
  },
  {
    name: 'wide.csv',
    content: () => utf8(`${'a,'.repeat(1e6)}\n`),
    says: /has a row of 1000001 columns, and at most 1000 are read/,
  },
  {
    name: 'row.csv',
    content: () => utf8(`a\n${'a'.repeat(2e6)}\n`),
    says: /cannot be read \(Max Record Size/,
  },
  { name: 'long.txt', content: () => utf8('a'.repeat(5_000_001)), says: /5000000 characters/ },
  { name: 'large.txt', content: () => new Uint8Array(50_000_001), says: /50000000 are read/ },
  { name: 'picture', content: () => Buffer.from('89504e470d0a1a0a0000', 'hex'), says: /not text/ },
  {
    name: 'fees.txt',
    content: () => pages(1),
    says: /is a PDF by its content and not by its name/,
  },
]

void describe('[C-19] a hostile document ends in one sentence', () => {
  for (const { name, content, says, limits } of HOSTILE) {
    void test(name, async () => {
      const reading = readDocument(content(), name, limits === undefined ? {} : { limits })
      await assert.rejects(reading, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'INVALID_INPUT')
        assert.match(error.message, says)
        assert.ok(error.message.startsWith(`${name} `) && !error.message.includes('\n'))
        return true
      })
    })
  }

  void test('and the next one is read', async () => {
    const { sections } = await readDocument(pages(2), 'next.pdf')
    assert.deepEqual(sections, [
      { text: 'Line 0', headings: [], page: 1 },
      { text: 'Line 1', headings: [], page: 2 },
    ])
  })
})

test('[C-19] a document of 500 pages is read, each with its number', async () => {
  const { sections } = await readDocument(pages(500), '500.pdf')
  assert.deepEqual(sections.at(-1), { text: 'Line 499', headings: [], page: 500 })
})

test('[C-19] the signal ends a parser that does not end', async () => {
  const content = pdfOfStream(pdfStream('BT /F1 9 Tf (words) Tj ET\n'.repeat(2_000_000)))
  const limits = { maxCharacters: Infinity }
  const reading = readDocument(content, 'a.pdf', { limits, signal: AbortSignal.timeout(300) })
  await assert.rejects(reading, { name: 'TimeoutError' })
  const reason = new Error('enough')
  await assert.rejects(
    readDocument(content, 'a.pdf', { signal: AbortSignal.abort(reason) }),
    (error) => error === reason,
  )
})

test('[C-19] the content decides if the name does not', async () => {
  const read = async (name: string, content: Uint8Array): Promise<string | undefined> =>
    (await readDocument(content, name)).sections[0]?.text
  assert.equal(await read('LICENSE', utf8('As it is')), 'As it is')
  assert.equal(await read('download', pages(1)), 'Line 0')
  assert.equal(await read('download', docxFile(['Word'])), 'Word')
  assert.equal(await read('download', utf8('<!DOCTYPE html><p>Page</p>')), 'Page')
  assert.equal(await read('a/b.d/README.MD', utf8('*Mark*')), 'Mark')
  assert.equal(await read('code.ts', readFileSync(import.meta.filename).subarray(0, 6)), 'import')
})

test('[C-19] a custom reader comes before the standard ones', async () => {
  const shouting: DocumentReader = {
    extensions: ['.md', '.shout'],
    read: async (content, { name }) => ({
      title: name,
      sections: [{ text: new TextDecoder().decode(content).toUpperCase(), headings: [], page: 1 }],
    }),
  }
  for (const name of ['a.md', 'a.SHOUT']) {
    const { sections } = await readDocument(utf8('hi'), name, { readers: [shouting] })
    assert.equal(sections[0]?.text, 'HI')
  }
})
