import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRecord, type Json } from '../../packages/echelon/src/core/value/json.ts'

/** A reader of foreign text of any length. */
export interface Reader {
  readonly name: string
  /** The modules that it tests, as paths from the project's folder; a folder ends with a slash. */
  readonly of: readonly string[]
  /** Its result is ignored, and it may reject the text. */
  readonly read: (text: string) => unknown
  /** Texts in its format, which fuzzers start from. */
  readonly samples: readonly string[]
  /**
   * For a reader that never gets longer text, or that runs in its own process with a time limit: it is tried
   * only at that length, with so much processor time.
   */
  readonly within?: { readonly characters: number; readonly ms: number }
  /** It reads in its own process, which may fail in any way. */
  readonly isApart?: boolean
}

/** A third-party parser, in the process that reads documents, which has 60 seconds. */
export const APART = { characters: 8192, ms: 5000 }

/** Reads a parsed JSON value; text that is not JSON never reaches it. */
export const ofJson =
  (read: (value: unknown) => unknown): Reader['read'] =>
  (text) => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return undefined
    }
    return read(value)
  }

/** The same for a reader of objects. */
export const ofObject = (
  read: (value: Readonly<Record<string, unknown>>) => unknown,
): Reader['read'] => ofJson((value) => (isRecord(value) ? read(value) : undefined))

const folder = mkdtempSync(join(tmpdir(), 'echelon-readers-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Reads the content of a file. */
export const ofFile =
  (name: string, read: (path: string) => unknown): Reader['read'] =>
  (text) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return read(path)
  }

export const json = (...values: readonly Json[]): readonly string[] =>
  values.map((value) => JSON.stringify(value))

/** One sample: a value per line. */
export const lines = (...values: readonly Json[]): readonly string[] => [
  `${json(...values).join('\n')}\n`,
]
