import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRecord, type Json } from '../../packages/echelon/src/core/value/json.ts'

/** Something that reads a text of any length which others wrote. */
export interface Reader {
  readonly name: string
  /** The modules that it tries, as paths from the project's folder; a folder ends with a slash. */
  readonly of: readonly string[]
  /** What it makes of the text is of no interest, and neither is that it refuses it. */
  readonly read: (text: string) => unknown
  /** Texts of its format, which fuzzers start from. */
  readonly samples: readonly string[]
  /**
   * For one that never sees a longer text, or that runs in a process of its own with a time limit: it is
   * tried at that length alone, and has so much processor time.
   */
  readonly within?: { readonly characters: number; readonly ms: number }
  /** It reads in a process of its own, which may fail in any way. */
  readonly isApart?: boolean
}

/** A parser of others, in the process that reads documents, which has 60 seconds. */
export const APART = { characters: 8192, ms: 5000 }

/** Reads a value that came as JSON; what is no JSON never gets there. */
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

/** Reads what lies in a file. */
export const ofFile =
  (name: string, read: (path: string) => unknown): Reader['read'] =>
  (text) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return read(path)
  }

export const json = (...values: readonly Json[]): readonly string[] =>
  values.map((value) => JSON.stringify(value))

/** One sample: a value a line. */
export const lines = (...values: readonly Json[]): readonly string[] => [
  `${json(...values).join('\n')}\n`,
]
