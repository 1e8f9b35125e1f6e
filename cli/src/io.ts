import type { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import type { Terminal } from './conversation/keys.ts'
import type { Ending } from './ending.ts'

/** Standard input: a pipe, or a terminal, which has `isTTY` set. */
export type Input = Terminal & { readonly isTTY?: boolean }

/** An output stream. A terminal sets `isTTY` and its width. */
export interface Output extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Signals of the process, as events. */
export type Signals = Pick<EventEmitter, 'on' | 'off'>

/**
 * Everything a command reads from and writes to besides files. Commands use this instead of
 * `process`, so that tests can run them within their own process. The working folder is the process's
 * own, since the library resolves relative paths against it.
 */
export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signals: Signals
  /** Whether this command was asked to end early. */
  readonly ending: Ending
  /**
   * Exits immediately, without waiting for work in progress. Default status: that of the command, if
   * it has ended, or 0. The caller must return right after it.
   */
  exit(status?: number): void
}

/** Writes one line of output. */
export const printLine = (io: Io, text: string): void => void io.stdout.write(`${text}\n`)
