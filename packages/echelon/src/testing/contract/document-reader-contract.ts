import assert from 'node:assert/strict'
import type { DocumentReader, ReadDocument, ReadingLimits } from '../../core/knowledge/document.ts'
import { EchelonError } from '../../core/value/error.ts'
import { casesOf, type ContractCase } from '../contract.ts'

/** A reader, and documents of its kind. */
export interface DocumentReaderTrial {
  readonly reader: DocumentReader
  /** A valid document. */
  readonly content: Uint8Array
  /** Visible words of the document, in order. */
  readonly words: readonly string[]
  /** Invisible words in the file: comments, scripts, hidden text. Default: none. */
  readonly unseen?: readonly string[]
  /** The number of pages, at least two, if the format has pages. */
  readonly pages?: number
  /** Invalid or truncated files with its extension. */
  readonly broken: readonly Uint8Array[]
}

/**
 * The requirements of every `DocumentReader`: `for (const { name, holds } of
 * documentReaderContract(open)) test(name, holds)`.
 * @param open a reader with its documents, for each case
 */
export function documentReaderContract(
  open: () => DocumentReaderTrial | Promise<DocumentReaderTrial>,
): readonly ContractCase[] {
  return [...reading(open), ...refusing(open)]
}

type Open = () => DocumentReaderTrial | Promise<DocumentReaderTrial>

function reading(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('its extensions are lower case and start with a dot', ({ reader }) => {
      assert.ok(reader.extensions.length > 0)
      for (const each of reader.extensions) assert.match(each, /^\.[^A-Z./\\]+$/)
    }),
    caseOf('visible text is read in order', async (trial) => {
      const text = textOf(await read(trial))
      let at = 0
      for (const word of trial.words) {
        at = text.indexOf(word, at)
        assert.ok(at >= 0, `${word} is missing, or out of order`)
      }
    }),
    caseOf('invisible text is not read', async (trial) => {
      const text = textOf(await read(trial))
      for (const word of trial.unseen ?? []) assert.ok(!text.includes(word), word)
    }),
    caseOf('each section has text, and pages count from 1', async (trial) => {
      const { title, sections } = await read(trial)
      assert.notEqual(title.trim(), '')
      for (const { text, headings } of sections) {
        assert.notEqual(text.trim(), '')
        for (const heading of headings) assert.notEqual(heading.trim(), '')
      }
      const pages = new Set(sections.map(({ page }) => page))
      const expected = Array.from({ length: trial.pages ?? 0 }, (_, index) => index + 1)
      assert.deepEqual([...pages], trial.pages === undefined ? [null] : expected)
    }),
    caseOf(
      'reading a document again gives the same result and leaves it unchanged',
      async (trial) => {
        const before = trial.content.slice()
        const first = await read(trial)
        assert.deepEqual(trial.content, before)
        assert.deepEqual(await read(trial), first)
      },
    ),
  ]
}

function refusing(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a file over the byte limit is refused', async (trial) => {
      const maxBytes = trial.content.byteLength
      await read(trial, { maxBytes })
      await refuses(read(trial, { maxBytes: maxBytes - 1 }), `${maxBytes - 1}`)
    }),
    caseOf('text over the character limit is refused', async (trial) => {
      await refuses(read(trial, { maxCharacters: 3 }), '3')
    }),
    caseOf('pages over the page limit are refused', async (trial) => {
      if (trial.pages === undefined) return
      await read(trial, { maxPages: trial.pages })
      const maxPages = trial.pages - 1
      await refuses(read(trial, { maxPages }), `${maxPages}`)
    }),
    caseOf('an invalid document is refused with its name', async (trial) => {
      for (const content of trial.broken) await refuses(read({ ...trial, content }), nameOf(trial))
    }),
    caseOf('an aborted read rejects with the reason', async (trial) => {
      const reason = new Error('given up')
      await assert.rejects(
        read(trial, {}, AbortSignal.abort(reason)),
        (error) => error === reason,
        "a reading rejects with its signal's reason",
      )
    }),
  ]
}

const LIMITS: ReadingLimits = { maxBytes: 1e7, maxPages: 100, maxCharacters: 1e6 }

const nameOf = ({ reader }: DocumentReaderTrial): string => `trial${reader.extensions[0] ?? ''}`

const read = (
  trial: DocumentReaderTrial,
  limits: Partial<ReadingLimits> = {},
  signal?: AbortSignal,
): Promise<ReadDocument> =>
  trial.reader.read(trial.content, {
    name: nameOf(trial),
    limits: { ...LIMITS, ...limits },
    ...(signal && { signal }),
  })

/** All text in order, with each heading once. */
function textOf({ sections }: ReadDocument): string {
  let before: readonly string[] = []
  return sections
    .map(({ headings, text }) => {
      const news = headings.filter((heading, index) => before[index] !== heading)
      before = headings
      return [...news, text].join('\n')
    })
    .join('\n')
}

/** @param says what the message must contain, so that a user knows what to do */
async function refuses(reading: Promise<unknown>, says: string): Promise<void> {
  const failure = await reading.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(failure instanceof EchelonError, 'it must be refused with an EchelonError')
  assert.equal(failure.code, 'INVALID_INPUT')
  assert.ok(failure.message.includes(says), `${failure.message} does not say ${says}`)
}
