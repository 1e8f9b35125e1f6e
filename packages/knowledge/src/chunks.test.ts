import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { DocumentSection, ReadDocument } from '../../echelon/src/core/knowledge/document.ts'
import { chunksOf, type ChunksOptions } from './chunks.ts'

const section = (text: string, headings: readonly string[] = []): DocumentSection => ({
  text,
  headings,
  page: null,
})
const documentOf = (...sections: readonly DocumentSection[]): ReadDocument => ({
  title: 'a',
  sections,
})
const textsOf = (text: string, options?: ChunksOptions): readonly string[] =>
  chunksOf(documentOf(section(text)), options).map(({ text }) => text)

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean)
const bytes = (text: string): number => Buffer.byteLength(text)

/** All its parts differ, so that a chunk can be located in it. */
const LONG_WORD = Array.from({ length: 75 }, (_, nth) => `w${nth + 100}`).join('')

/** Realistic and unrealistic lines of text. */
const line = fc.oneof(
  fc.lorem({ mode: 'sentences', maxCount: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('', '', '```js', '```', '- item', '  - inner', 'a: 1 | b: 2', LONG_WORD),
)
const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'))
const sections = fc.array(
  fc.record({
    text,
    headings: fc.array(fc.lorem({ maxCount: 2 }), { maxLength: 3 }),
    page: fc.option(fc.nat(9)),
  }),
  { maxLength: 5 },
)
const sizes = fc.integer({ min: 16, max: 120 }).chain((maxTokens) =>
  fc.record({
    maxTokens: fc.constant(maxTokens),
    overlapTokens: fc.integer({ min: 0, max: Math.floor(maxTokens / 2) }),
  }),
)

test('[C-19] chunks hold every word in order, within the size limit, each from one section', () => {
  fc.assert(
    fc.property(sections, sizes, (sections, options) => {
      const chunks = chunksOf({ title: 'a', sections }, options)
      assert.deepEqual(
        chunks.map(({ nth }) => nth),
        chunks.map((_, index) => index),
      )
      const left = [...chunks]
      for (const { text, headings, page } of sections) {
        // Offsets in the section: the end of all chunks so far, and the start of the last one.
        let covered = 0
        let began = -1
        while (text.slice(covered).trim() !== '') {
          const chunk = left.shift()
          assert.ok(chunk !== undefined, 'no chunk holds the end of a section')
          assert.deepEqual([chunk.headings, chunk.page], [headings, page])
          const at = chunkAt(text, chunk.text, { covered, began })
          assert.equal(text.slice(covered, at).trim(), '', 'something is in no chunk')
          assert.ok(bytes(text.slice(at, covered)) <= 4 * options.overlapTokens)
          began = at
          covered = at + chunk.text.length
        }
      }
      assert.deepEqual(left, [])
      for (const { text, tokens } of chunks) {
        assert.notEqual(text.trim(), '')
        assert.equal(tokens, Math.ceil(bytes(text) / 4))
        assert.ok(tokens <= options.maxTokens)
        assert.ok(text.isWellFormed() || !sections.every(({ text }) => text.isWellFormed()))
      }
    }),
  )
})

/** The last position of a chunk that leaves no gap and comes after the start of the last chunk. */
function chunkAt(text: string, chunk: string, seen: { covered: number; began: number }): number {
  const gap = /^\s*/.exec(text.slice(seen.covered))?.[0].length ?? 0
  const at = text.lastIndexOf(chunk, seen.covered + gap)
  assert.ok(at > seen.began, 'chunks are in order, and each adds text')
  return at
}

test('[C-19] the same document gives the same chunks', () => {
  fc.assert(
    fc.property(sections, (sections) => {
      assert.deepEqual(
        chunksOf({ title: 'a', sections }),
        chunksOf({ title: 'a', sections: structuredClone(sections) }),
      )
    }),
  )
})

test('[C-19] keeps a section, a paragraph, code or a line whole if it fits into one chunk', () => {
  const paragraph = 'word '.repeat(12).trim()
  const code = '```js\nfirst\n\nsecond\n\nthird\n```'
  assert.deepEqual(textsOf(`${paragraph}\n\n${code}`), [`${paragraph}\n\n${code}`])
  const options = { maxTokens: 18, overlapTokens: 0 }
  assert.deepEqual(textsOf(`${paragraph}\n\n${code}\n\n${paragraph}`, options), [
    paragraph,
    code,
    paragraph,
  ])
  const rows = Array.from({ length: 6 }, (_, nth) => `name: Ada ${nth} | born: 1815`)
  assert.deepEqual(textsOf(rows.join('\n'), options), [
    rows.slice(0, 2).join('\n'),
    rows.slice(2, 4).join('\n'),
    rows.slice(4).join('\n'),
  ])
})

test('[C-19] splits a long paragraph between sentences, a long sentence between words', () => {
  const sentences = Array.from({ length: 4 }, (_, nth) => `This is sentence number ${nth} of four.`)
  const options = { maxTokens: 20, overlapTokens: 0 }
  assert.deepEqual(textsOf(sentences.join(' '), options), [
    sentences.slice(0, 2).join(' '),
    sentences.slice(2).join(' '),
  ])
  const words = wordsOf('word '.repeat(50))
  assert.deepEqual(textsOf(words.join(' '), options).flatMap(wordsOf), words)
  for (const text of textsOf('😀'.repeat(500), options)) assert.ok(text.isWellFormed())
})

test('[C-19] a chunk repeats the last whole words of the one before, within its section', () => {
  const text = Array.from({ length: 100 }, (_, nth) => `word${nth}`).join(' ')
  const options = { maxTokens: 40, overlapTokens: 10 }
  const chunks = chunksOf(documentOf(section(text, ['A']), section('other', ['B'])), options)
  assert.equal(chunks.at(-1)?.text, 'other')
  const pairs = chunks.slice(1, -1).map(({ text }, nth) => [chunks[nth]?.text ?? '', text] as const)
  assert.ok(pairs.length > 3)
  for (const [before, after] of pairs) {
    const [first = ''] = wordsOf(after)
    const repeated = wordsOf(before).slice(wordsOf(before).indexOf(first)).join(' ')
    assert.ok(wordsOf(before).includes(first) && after.startsWith(repeated))
    assert.ok(bytes(repeated) > 20 && bytes(repeated) <= 40)
  }
})

test('[C-19] rejects invalid sizes', () => {
  for (const options of [
    { maxTokens: 15 },
    { maxTokens: Number.NaN },
    { overlapTokens: -1 },
    { maxTokens: 100, overlapTokens: 51 },
  ]) {
    assert.throws(() => textsOf('a', options), { code: 'INVALID_CONFIG' })
  }
})
