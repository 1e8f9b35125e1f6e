import assert from 'node:assert/strict'
import { createInterface, type Interface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { Keys } from './keys.ts'

const HOME = '\u001b[H'
const LONG =
  'What is fifteen times twenty-three plus one hundred and seven, and what is that minus nine?'

interface Screen {
  readonly reader: Interface
  /** Types text. @returns what is drawn for it */
  type(piece: string): string
}

/** A line editor on an imitated terminal. */
function screenOf(t: TestContext, columns: number): Screen {
  const terminal = Object.assign(new PassThrough(), { isRaw: false, setRawMode: () => undefined })
  let drawn = ''
  const output = Object.assign(new PassThrough(), { columns, rows: 20 })
  output.on('data', (bytes: Buffer) => (drawn += bytes.toString()))
  const keys = new Keys(terminal, {
    onPaste: (text) => reader.write(text),
    onText: (text) => reader.write(text),
  })
  const reader = createInterface({ input: keys, output, terminal: true })
  t.after(() => reader.close())
  reader.setPrompt('> ')
  reader.prompt()
  return {
    reader,
    type(piece) {
      drawn = ''
      terminal.emit('data', Buffer.from(piece))
      return drawn
    },
  }
}

test('redraws the line in place after several characters arrive at once', (t) => {
  const screen = screenOf(t, 40)
  screen.type(LONG)
  // The text takes three rows, and the cursor is in the last.
  assert.ok(screen.type(HOME).startsWith('\u001b[2A'))
  assert.ok(screen.type('X').startsWith('\u001b[1G'))
  assert.equal(screen.reader.line, `X${LONG}`)
})

test('handles keys that arrive together with characters', (t) => {
  const screen = screenOf(t, 40)
  screen.type(`${LONG}\u001b`)
  screen.type(HOME.slice(1))
  screen.type('ab\u001b[3~\u001b[Fcd\u007f')
  assert.equal(screen.reader.line, `ab${LONG.slice(1)}c`)
})

test('reads lines that were typed ahead', (t) => {
  const screen = screenOf(t, 40)
  const lines: string[] = []
  screen.reader.on('line', (line) => lines.push(line))
  screen.type('first\rsecond\rthi')
  assert.deepEqual([lines, screen.reader.line], [['first', 'second'], 'thi'])
})
