import { clearLine, cursorTo, moveCursor } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import type { Io, Output } from '../io.ts'
import { ownEnd } from './captured-io.ts'
import type { TestIo } from './in-process.ts'

/** A fake terminal within this process. */
export interface FakeTerminal {
  readonly io: TestIo
  /** All output so far, with control sequences. */
  screen(): string
  type(text: string): void
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

/**
 * Behaves like a system terminal as far as commands need. In raw mode, keys arrive at once and are not
 * echoed. Otherwise typed text is echoed and kept for the next read, and Ctrl-C is a signal. Tests of
 * the terminal itself use a real one.
 */
export function fakeTerminal(env: Io['env'], columns: number): FakeTerminal {
  let shown = ''
  let ahead = ''
  const end = ownEnd()
  const show = (text: string): void => void (shown += text.replaceAll(/\r?\n/g, '\r\n'))
  const stdin = Object.assign(new Readable({ read: () => undefined }), {
    isTTY: true,
    isRaw: false,
    setRawMode(mode: boolean) {
      stdin.isRaw = mode
      if (mode && ahead !== '') stdin.push(ahead)
      ahead = ''
    },
  })
  const typeAhead = (key: string): void => {
    if (key === CTRL_C) {
      ahead = ''
      show('^C')
      end.signals.emit('SIGINT', 'SIGINT')
      return
    }
    // A buffered Ctrl-D becomes a zero byte in raw mode.
    ahead += key === CTRL_D ? '\0' : key === '\r' ? '\n' : key
    if (key !== CTRL_D) show(key === '\r' ? '\n' : key)
  }
  return {
    io: { ...end, stdin, stdout: output(show, columns), stderr: output(show, columns), env },
    screen: () => shown,
    type(text) {
      if (stdin.isRaw) stdin.push(text)
      else for (const key of text) typeAhead(key)
    },
  }
}

function output(show: (text: string) => void, columns: number): Output {
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      show(chunk.toString())
      done()
    },
  })
  return Object.assign(stream, {
    isTTY: true,
    columns,
    // Methods that a spinner calls.
    cursorTo: (x: number) => cursorTo(stream, x),
    moveCursor: (x: number, y: number) => moveCursor(stream, x, y),
    clearLine: (side: -1 | 0 | 1) => clearLine(stream, side),
  })
}
