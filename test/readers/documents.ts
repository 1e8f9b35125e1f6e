import { chunksOf } from '../../packages/knowledge/src/chunks.ts'
import reading from '../../packages/knowledge/src/documents/reading.ts'
import { pdfFile } from '../../packages/knowledge/src/documents/trial/pdf-file.ts'
import { sentencesOf } from '../../packages/knowledge/src/knowledge/sentences.ts'
import { docxFile } from '../../packages/knowledge/src/documents/trial/zip-file.ts'
import { readMatter } from '../../packages/knowledge/src/skills/read-matter.ts'
import { mediaTypeOf } from '../../packages/echelon/src/platform/artifact-folder/media-type.ts'
import { readCloses } from '../../packages/tools/src/stock/read-closes.ts'
import { wordsQuery, wordTexts } from '../../packages/store/src/postgres/knowledge/word-texts.ts'
import { APART, type Reader } from './reader.ts'

const LIMITS = { maxBytes: 10_000_000, maxCharacters: 10_000_000, maxPages: 100 }

const document =
  (name: string, encoding: 'utf8' | 'latin1' = 'utf8'): Reader['read'] =>
  (text) =>
    reading({ name, content: Buffer.from(text, encoding).toString('base64'), limits: LIMITS })

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const asChunks: Reader['read'] = (text) =>
  chunksOf({ title: 'a', sections: [{ text, headings: [], page: null }] })

const HTML = `<html><head><title>Fees</title></head><body><h1>Yearly</h1>
  <p>Ten &amp; <b>more</b>.<!-- none --></p><div hidden>a</div><ul><li>One<ul><li>Two</li></ul></li></ul>
  <table><tr><th>name</th><td>5</td></tr></table><pre><code class="language-js">if (a)</code></pre></body></html>`
const MARKDOWN =
  '---\ntitle: Notes\n---\n# Fees\n\nTen *and* [more](a.md "b").\n\n- a\n  - b\n\n> c\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nrun()\n```\n'
const CSV = 'date,close\n2026-01-02,"1,024.50"\n2026-01-05,17\n'
const SKILL =
  '---\nname: a\ndescription: Checks invoices. Use for bills.\nlicense: MIT\nmetadata:\n  team: blue\nallowed-tools: calculator\n---\n# How\n\nRead it.\n'

/** Readers of documents. All except plain text run in a separate process. */
export const DOCUMENTS: readonly Reader[] = [
  {
    name: 'pieces of a document',
    of: ['packages/knowledge/src/chunks.ts', 'packages/knowledge/src/chunks/'],
    read: asChunks,
    samples: [MARKDOWN, 'One. Two! Three?\n\nFour.'],
  },
  {
    name: 'sentences of a piece',
    of: ['packages/knowledge/src/knowledge/sentences.ts'],
    read: sentencesOf,
    samples: ['One. Two! Three?\n\nFour.', 'No. 5 costs 1.50 euros; ask Dr. Bell.'],
  },
  {
    name: 'words of a piece, for PostgreSQL',
    of: ['packages/store/src/postgres/knowledge/word-texts.ts'],
    read: (text) => [wordTexts([text]), wordsQuery([{ word: text, begins: true }])],
    samples: ['Ten *and* Äpfel, a-b_c 12.5', "it's 'quoted' | & !"],
  },
  {
    name: 'a Markdown document',
    of: ['packages/knowledge/src/documents/markdown.ts'],
    read: document('a.md'),
    samples: [MARKDOWN],
    within: APART,
    isApart: true,
  },
  {
    name: 'an HTML document',
    of: [
      'packages/knowledge/src/documents/html.ts',
      'packages/knowledge/src/documents/html-text.ts',
    ],
    read: document('a.html'),
    samples: [HTML],
    isApart: true,
  },
  {
    name: 'a CSV document',
    of: ['packages/knowledge/src/documents/csv.ts'],
    read: document('a.csv'),
    samples: [CSV, 'a;b\n1;2\n'],
    isApart: true,
  },
  {
    name: 'a plain text document',
    of: ['packages/knowledge/src/documents/decoded-text.ts'],
    read: document('a.txt'),
    samples: ['One.\n\nTwo.'],
    isApart: true,
  },
  {
    name: 'a PDF document',
    of: [
      'packages/knowledge/src/documents/pdf.ts',
      'packages/knowledge/src/documents/page-text.ts',
    ],
    read: document('a.pdf', 'latin1'),
    samples: [latin1(pdfFile([['Fees (yearly)', 'are due.'], ['Refunds']]))],
    within: APART,
    isApart: true,
  },
  {
    name: 'a Word document',
    of: [
      'packages/knowledge/src/documents/docx.ts',
      'packages/knowledge/src/documents/zip-directory.ts',
    ],
    read: document('a.docx', 'latin1'),
    samples: [latin1(docxFile(['# Fees', 'Ten & more.']))],
    within: APART,
    isApart: true,
  },
  {
    name: 'the file of a skill',
    of: ['packages/knowledge/src/skills/read-matter.ts'],
    read: (text) => readMatter(text, 'a'),
    samples: [SKILL],
  },
  {
    name: 'the head of a skill',
    of: ['packages/knowledge/src/skills/read-matter.ts'],
    read: (text) => readMatter(`---\n${text}\n---\nb`, 'a'),
    samples: ['name: a\ndescription: b'],
  },
  {
    name: 'a table of prices',
    of: ['packages/tools/src/stock/read-closes.ts'],
    read: (text) => readCloses(text, { date: 'date', close: 'close' }),
    samples: [CSV],
  },
  {
    name: 'the kind of an artifact',
    of: ['packages/echelon/src/platform/artifact-folder/media-type.ts'],
    read: (text) => mediaTypeOf(Buffer.from(text)),
    samples: [CSV, '{"a":[1,2]}', '\u0089PNG\r\n\u001a\n'],
  },
]
