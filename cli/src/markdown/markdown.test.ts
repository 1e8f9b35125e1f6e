import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { share } from '../../../test/share.ts'
import { markdownText } from './blocks.ts'
import { MarkdownStream } from './stream.ts'
import { columnsOf, wrapLines } from './wrap.ts'

const TABLE = `| Option | Why it may be good for you | What speaks against it |
|---|---|---|
| Hono | small, quick and it runs everywhere | fewer plugins than others |
| Fastify | operational manners, schemas | Node only |
`

const ALL = `# A plan

Some **bold** text with \`code\` and a [guide](https://example.com/guide), long enough to be wrapped.

1. First, which is long enough that it has to be wrapped at forty columns
   - nested *one*
   - nested two
2. Second

${TABLE}
> A quotation that is long enough to need to be wrapped.

\`\`\`ts
const x = 1 // a comment that is longer than forty columns for sure

go()
\`\`\`

The end.`

suite('Markdown on a terminal', () => {
  test('renders headings, emphasis, code, links, lists and quotations', () => {
    assert.equal(
      markdownText(ALL.replace(TABLE, ''), 40),
      `# A plan

Some bold text with \`code\` and a guide
(https://example.com/guide), long enough
to be wrapped.

1. First, which is long enough that it
   has to be wrapped at forty columns
   • nested one
   • nested two
2. Second

│ A quotation that is long enough to
│ need to be wrapped.

  const x = 1 // a comment that is longer than forty columns for sure

  go()

The end.`,
    )
  })

  test('keeps stars, tildes and underscores that are not emphasis', () => {
    for (const text of [
      '5*3*2 = 30',
      '2*3 = 6 and 4*5 = 20',
      '__init__.py',
      '~5 to ~10~',
      '3**2**4',
    ])
      assert.equal(markdownText(text, 80), text)
  })

  test('shows a table in columns if it fits, with wrapped cells', () => {
    assert.equal(
      markdownText('| Name | Age |\n|:--|--:|\n| Zoë | 7 |\n| 東京 | 31 |', 40),
      'Name  Age\n────  ───\nZoë     7\n東京   31',
    )
    const wide = markdownText(TABLE, 60)
    assert.match(wide, /^Option {3}Why it may be good/)
    for (const columns of [20, 40, 60, 80])
      for (const line of markdownText(TABLE, columns).split('\n'))
        assert.ok(columnsOf(line) <= columns, `${columns}: ${line}`)
  })

  test('shows a table as a list if its columns do not fit', () => {
    assert.equal(
      markdownText(TABLE, 24).split('\n\n')[0],
      `• Option: Hono
  Why it may be good for
  you: small, quick and
  it runs everywhere
  What speaks against
  it: fewer plugins than
  others
• Option: Fastify
  Why it may be good for
  you: operational
  manners, schemas
  What speaks against
  it: Node only`,
    )
  })

  test('breaks no word, even one longer than a line', () => {
    const address = 'https://example.com/a/very/long/address/that/fits/nowhere'
    const shown = markdownText(`Look at ${address} for all of it, or ask somebody else.`, 20)
    const words = 'Look at for all of it, or ask somebody else.'.split(' ')
    assert.deepEqual(shown.split(/\s+/).toSorted(), [...words, address].toSorted())
  })

  test('a stream renders the same as the whole text, however it is chunked', () => {
    const whole = `${markdownText(ALL, 40)}\n`
    for (const size of [1, 2, 7, 50, ALL.length]) {
      const stream = new MarkdownStream(() => 40)
      let shown = ''
      for (let at = 0; at < ALL.length; at += size) shown += stream.push(ALL.slice(at, at + size))
      assert.equal(shown + stream.end(), whole, `in pieces of ${size}`)
    }
  })

  test('a stream writes complete blocks, and list items and code lines one by one', () => {
    const stream = new MarkdownStream(() => 40)
    assert.equal(stream.push('Hello **Ann'), '')
    assert.ok(stream.isHolding)
    assert.equal(stream.push('**.\n\n- o'), 'Hello Ann.\n')
    assert.equal(stream.push('ne\n- two\n'), '\n• one\n')
    assert.equal(stream.push('- three\n\n'), '• two\n')
    assert.equal(stream.push('```\na\nb'), '• three\n\n  a\n')
    assert.equal(stream.push('\n```\n'), '  b\n')
    assert.equal(stream.push('Left over'), '')
    stream.drop()
    assert.ok(!stream.isHolding)
    assert.equal(stream.end(), '')
  })

  test('takes linear time for any text', () => {
    const odd = ['[', '*a_', '_a', '> ', '1. ', '- a\n', '| a | b |\n|---|---|\n', '`', '<']
    for (const piece of share(odd, 1)) {
      const text = piece.repeat(16_000)
      // Processor time, which other processes do not add to.
      const before = process.threadCpuUsage()
      markdownText(text, 40)
      const stream = new MarkdownStream(() => 40)
      for (let at = 0; at < text.length; at += 50) stream.push(text.slice(at, at + 50))
      stream.end()
      const { user, system } = process.threadCpuUsage(before)
      assert.ok(user + system < 15_000_000, JSON.stringify(piece))
    }
  })
})

test('wraps plain lines under their second column or indentation', () => {
  assert.equal(
    wrapLines('/undo    take the last turn back, whatever it was', 30),
    '/undo    take the last turn\n         back, whatever it was',
  )
  assert.equal(wrapLines('  one two three four five', 12), '  one two\n  three four\n  five')
  assert.equal(wrapLines('fits', 12), 'fits')
})
