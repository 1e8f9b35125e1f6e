import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import type { Io, Output } from '../io.ts'
import type { TestIo } from './in-process.ts'
import { Ending } from '../ending.ts'

/** Input of a command under test. */
export interface Given {
  /** The whole environment; nothing of the test process is added. */
  readonly env?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string | Uint8Array
}

/** An `Io` without a terminal that captures output. */
export interface CapturedIo extends TestIo {
  readonly written: { readonly stdout: string; readonly stderr: string }
}

export function capturedIo({ env = {}, input = '' }: Given = {}): CapturedIo {
  const [stdout, stderr] = [kept(), kept()]
  return {
    ...ownEnd(),
    stdin: piped(input),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env,
    get written() {
      return { stdout: stdout.text(), stderr: stderr.text() }
    },
  }
}

/** Signals and exit for a command in this process. */
export function ownEnd(): Pick<TestIo, 'signals' | 'ending' | 'exit' | 'left'> {
  const signals = new EventEmitter()
  const { promise: left, resolve } = Promise.withResolvers<number>()
  const exit = (status = 0): void => resolve(status)
  return { signals, ending: new Ending(signals, exit), exit, left }
}

const piped = (input: string | Uint8Array): Io['stdin'] =>
  Object.assign(Readable.from(input.length === 0 ? [] : [Buffer.from(input)]), {
    isRaw: false,
    setRawMode: () => undefined,
  })

function kept(): { readonly stream: Output; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
