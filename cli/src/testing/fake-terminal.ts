import { clearLine, cursorTo, moveCursor } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import type { Io, Output } from '../io.ts'
import { ownEnd } from './captured-io.ts'
import type { TestIo } from './in-process.ts'

/** A terminal imitated within this process. */
export interface FakeTerminal {
  readonly io: TestIo
  /** All that was shown so far, with what a terminal obeys. */
  screen(): string
  type(text: string): void
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

/**
 * Does what the terminal of a system does as far as commands need it. While the command reads keys,
 * they come at once and are not shown. Otherwise what is typed is shown and kept for the next reading,
 * and Ctrl-C is a signal. Tests of the terminal itself take a real one.
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
    // The end of input that a terminal keeps becomes a zero once keys are read.
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
    // What a spinner asks of a terminal.
    cursorTo: (x: number) => cursorTo(stream, x),
    moveCursor: (x: number, y: number) => moveCursor(stream, x, y),
    clearLine: (side: -1 | 0 | 1) => clearLine(stream, side),
  })
}
