import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { DocumentReader, ReadDocument } from '../../../echelon/src/core/knowledge/document.ts'
import { EchelonError } from '../../../echelon/src/core/value/error.ts'
import {
  documentReaderContract,
  type DocumentReaderTrial,
} from '../../../echelon/src/testing/contract/document-reader-contract.ts'
import { csvReader } from './csv.ts'
import { docxReader } from './docx.ts'
import { htmlReader } from './html.ts'
import { READING_LIMITS } from './limits.ts'
import { markdownReader } from './markdown.ts'
import { pdfReader } from './pdf.ts'
import { plainTextReader } from './plain-text.ts'
import { pdfFile } from './trial/pdf-file.ts'
import { docxFile, docxOf, zipFile } from './trial/zip-file.ts'

const PACKAGES = join(import.meta.dirname, '../../../../node_modules')
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const binary = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])

const twoPages = pdfFile([['Fees (yearly)', 'are due.', '', 'Late ones cost more.'], ['Refunds']])
const word = docxFile(['# Fees', 'Ten & more.', '# Refunds', 'None.'])
const page = `<html><head><title>Fees</title><style>.secretA{}</style></head><body>
  <h1>Yearly</h1><p>Ten &amp; <b>more</b>.<!-- secretB --></p><script>secretC()</script>
  <div hidden>secretD</div><p style="color: red; DISPLAY : none">secretE</p>
  <template>secretF</template><span style="font-size:0px">secretG</span>
  <h2>Late</h2><ul><li>One<ul><li>Two</li></ul></li></ul>
  <table><tr><th>name</th><th>fee</th></tr><tr><td>Ada</td><td>5</td></tr></table>
  <pre><code class="language-js">if (a &lt; b)
    run()</code></pre></body></html>`
const notes = `---
title: Notes
author: secretA
---
# Fees
Ten & \`more\`. <!-- secretB -->
<div hidden>

secretC

</div>

## Late
- One
  - Two

| name | fee |
| ---- | --- |
| Ada  | 5   |

~~~js
if (a < b)

    run() <!-- shown -->
~~~
`

const TRIALS: Readonly<Record<string, () => DocumentReaderTrial>> = {
  PDF: () => ({
    reader: pdfReader,
    content: twoPages,
    words: ['Fees (yearly)', 'due', 'Late', 'Refunds'],
    pages: 2,
    broken: [
      utf8('hello'),
      utf8('%PDF-1.7'),
      twoPages.slice(0, 300),
      twoPages.slice(0, -150),
      pdfFile([[]]),
    ],
  }),
  Word: () => ({
    reader: docxReader,
    content: word,
    words: ['Fees', 'Ten & more.', 'Refunds', 'None.'],
    broken: [
      utf8('hello'),
      word.slice(0, -30),
      word.slice(0, 200),
      zipFile([{ name: 'a.txt', content: 'hello' }]),
      docxOf('<w:p><w:r>'),
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    ],
  }),
  HTML: () => ({
    reader: htmlReader,
    content: utf8(page),
    words: ['Yearly', 'Ten & more.', 'Late', 'One', 'Two', 'name: Ada | fee: 5', 'if (a < b)'],
    unseen: 'ABCDEFG'.split('').map((each) => `secret${each}`),
    broken: [binary, twoPages, utf8('<div>'.repeat(100_000))],
  }),
  Markdown: () => ({
    reader: markdownReader,
    content: utf8(notes),
    words: ['Fees', 'Ten & more.', 'Late', 'One', 'Two', 'name: Ada | fee: 5', '<!-- shown -->'],
    unseen: 'ABC'.split('').map((each) => `secret${each}`),
    broken: [binary, word, utf8('>'.repeat(20_000)), new Uint8Array([65, 0xe4, 66])],
  }),
  CSV: () => ({
    reader: csvReader,
    content: utf8('\ufeffname;fee\r\nAda;5\r\n"Bo; the\nbuilder";"6"\r\n'),
    words: ['name: Ada | fee: 5', 'name: Bo; the builder | fee: 6'],
    broken: [binary, utf8('name,fee\n"Ada,5\n'), utf8(`${'a,'.repeat(1001)}\n`)],
  }),
  'plain text': () => ({
    reader: plainTextReader,
    content: utf8('Fees are due.\n\n  As code.\n'),
    words: ['Fees are due.\n\n  As code.'],
    broken: [binary, twoPages, new Uint8Array([65, 0xe4, 66])],
  }),
}

for (const [kind, open] of Object.entries(TRIALS)) {
  void describe(`[C-19] the reader of ${kind}`, () => {
    for (const { name, holds } of documentReaderContract(open)) void test(name, holds)
  })
}

const read = (reader: DocumentReader, content: Uint8Array, name = 'a'): Promise<ReadDocument> =>
  reader.read(content, { name, limits: READING_LIMITS })

test('[C-19] lists headings from the outermost, and keeps a heading without text', async () => {
  const source = '# A\n\nx\n\n### C\n\ny\n\n## B\n\n## D\n\nz\n\n# E\n'
  const { title, sections } = await read(markdownReader, utf8(source))
  assert.equal(title, 'A')
  assert.deepEqual(
    sections.map(({ headings, text }) => [...headings, text]),
    [
      ['A', 'x'],
      ['A', 'C', 'y'],
      ['A', 'B', 'B'],
      ['A', 'D', 'z'],
      ['E', 'E'],
    ],
  )
})

test('[C-19] code, lists and tables keep their lines', async () => {
  const { title, sections } = await read(markdownReader, utf8(notes))
  assert.equal(title, 'Notes')
  const code = '```js\nif (a < b)\n\n    run() <!-- shown -->\n```'
  assert.equal(sections[1]?.text, `- One\n  - Two\n\nname: Ada | fee: 5\n\n${code}`)
})

test('[C-19] separates paragraphs of a page by the space between them', async () => {
  const { sections } = await read(pdfReader, twoPages)
  assert.equal(sections[0]?.text, 'Fees (yearly)\nare due.\n\nLate ones cost more.')
})

test('[C-19] reads text in any declared encoding', async () => {
  const text = 'Größe €\n'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const content of [utf8(text), utf8(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16()]) {
    assert.equal((await read(plainTextReader, content)).sections[0]?.text, 'Größe €')
  }
  const latin = Buffer.from('<meta charset="iso-8859-1"><p>Größe</p>', 'latin1')
  assert.equal((await read(htmlReader, latin)).sections[0]?.text, 'Größe')
})

test('[C-19] treats a layout table as blocks, not as a table', async () => {
  const source = '<table><tr><td><h2>A</h2><p>x</p></td><td><pre>y\n z</pre></td></tr></table>'
  const { sections } = await read(htmlReader, utf8(source))
  assert.deepEqual(sections, [{ headings: ['A'], text: 'x\n\n```\ny\n z\n```', page: null }])
})

const damage = fc.record({
  cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
  bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
})

test('[C-19] reads or refuses a damaged file, whatever the damage', async () => {
  for (const [reader, sound] of [
    [pdfReader, twoPages],
    [docxReader, word],
  ] as const) {
    await fc.assert(
      fc.asyncProperty(damage, async ({ cut, bytes }) => {
        const content = sound.slice(0, cut === null ? sound.length : cut * sound.length)
        for (const [at, byte] of bytes) {
          if (content.length > 0) content[at % content.length] = byte
        }
        const failure = await read(reader, content, 'a file').then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure === undefined) return
        assert.ok(failure instanceof EchelonError && failure.code === 'INVALID_INPUT')
        assert.match(failure.message, /^a file [^\n]+$/)
      }),
      { numRuns: 60 },
    )
  }
})

test('[C-19] hides text with exactly the styles that hide it', async () => {
  const seen = async (style: string): Promise<boolean> => {
    const { sections } = await read(htmlReader, utf8(`<p>a</p><p style="${style}">told</p>`))
    return JSON.stringify(sections).includes('told')
  }
  for (const style of [
    'display:none',
    'color:red; VISIBILITY : hidden',
    'opacity: 0',
    'opacity:.0',
  ]) {
    assert.equal(await seen(style), false, style)
  }
  for (const style of ['font-size:0', 'font-size: 0px', 'font-size:0.0em !important']) {
    assert.equal(await seen(style), false, style)
  }
  const shown = [
    'font-size: small',
    'font-size:0.9em',
    'opacity: 0.5',
    'opacity:.05',
    'display: block',
  ]
  for (const style of shown) assert.equal(await seen(style), true, style)
})

test('[C-19] reads tasks, captions, line breaks and old tables as they look', async () => {
  const texts = async (reader: DocumentReader, source: string): Promise<string | undefined> =>
    (await read(reader, utf8(source))).sections[0]?.text
  assert.equal(await texts(markdownReader, '- [x] done\n- [ ] open'), '- [x] done\n- [ ] open')
  assert.equal(await texts(htmlReader, '<!DOCTYPE html><p>a<br>b</p><p>c'), 'a\nb\n\nc')
  const table = '<table><caption>Fees</caption><tr><td>Ada<td>5<tr><td hidden>x<td>6</table>'
  assert.equal(await texts(htmlReader, table), 'Fees\n\nAda | 5\n6')
})

test('[C-19] keeps all of invalid front matter as text', async () => {
  const matter = '---\ntitle: [broken\n---\ntext\n'
  const { sections } = await read(markdownReader, utf8(matter), 'docs/a.md')
  assert.match(JSON.stringify(sections), /text.*broken/)
  const { title } = await read(plainTextReader, utf8('x'), 'docs/fees.txt')
  assert.equal(title, 'fees.txt')
})

test('[C-19] reads documents by others: READMEs, Word files and pages of packages', async () => {
  const files = globSync(['*/README.md', 'mammoth/test/test-data/*.docx', '*/index.html'], {
    cwd: PACKAGES,
  })
  const some = files.filter((file, nth) => !file.endsWith('.md') || nth % 8 === 0)
  assert.ok(some.length > 20)
  for (const file of some) {
    const reader = [markdownReader, docxReader, htmlReader].find(({ extensions }) =>
      extensions.some((each) => file.endsWith(each)),
    )
    assert.ok(reader !== undefined)
    const { sections } = await read(reader, readFileSync(join(PACKAGES, file)), basename(file))
    for (const { text } of sections) assert.notEqual(text.trim(), '', file)
    if (file.endsWith('.md')) assert.ok(sections.length > 0, file)
  }
})
