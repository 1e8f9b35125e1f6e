import { closeSync, existsSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import { openGivenFileSync } from 'echelon/config'

/** Files that a command writes, by option. */
export interface WrittenFiles {
  readonly record?: string
  readonly recordModels?: string
  readonly log?: string
  readonly trace?: string
}

/**
 * Checks the files before any is opened: their paths differ, and a file to append to holds lines of
 * the same kind, so that an unrelated file is never damaged.
 * @throws EchelonError INVALID_INPUT
 */
export function checkWrittenFiles({ record, recordModels, log, trace }: WrittenFiles): void {
  requireApart({
    '--record': record,
    '--record-models': recordModels,
    '--log': log,
    '--trace': trace,
  })
  if (log !== undefined) requireKind('--log', log, ['level', 'time', 'event', 'msg'])
  if (trace !== undefined) requireKind('--trace', trace, ['ts', 'run_id', 'step_id', 'step_type'])
}

function requireApart(files: Readonly<Record<string, string | undefined>>): void {
  const taken = new Map<string, string>()
  for (const [option, file] of Object.entries(files)) {
    // A device such as /dev/stderr accepts lines of any kind.
    if (file === undefined || (existsSync(file) && !isFile(file))) continue
    const place = placeOf(file)
    const other = taken.get(place)
    if (other !== undefined) {
      throw unusable(`${other} and ${option} both name ${file}; give each a file of its own`)
    }
    taken.set(place, option)
  }
}

/** @param fields string fields that every line of that kind has */
function requireKind(option: string, file: string, fields: readonly string[]): void {
  if (!isFile(file)) return
  const first = firstLine(file)
  if (first === undefined || hasTexts(first, fields)) return
  throw unusable(
    `${file} was not written by ${option}; name a new file, or one from an earlier ${option}`,
  )
}

/** Longer than any first line that a command writes. */
const MOST_BYTES = 1024 * 1024

/** @returns undefined if the file is empty or cannot be read; opening it to write reports why */
function firstLine(file: string): string | undefined {
  try {
    const opened = openGivenFileSync(file)
    try {
      const bytes = Buffer.alloc(MOST_BYTES)
      const read = readSync(opened, bytes)
      return read === 0 ? undefined : bytes.toString('utf8', 0, read).split('\n', 1)[0]
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined
  }
}

function hasTexts(line: string, fields: readonly string[]): boolean {
  try {
    const content: unknown = JSON.parse(line)
    if (typeof content !== 'object' || content === null) return false
    const found = new Map<string, unknown>(Object.entries(content))
    return fields.every((field) => typeof found.get(field) === 'string')
  } catch {
    return false
  }
}

/** Path with links resolved, also for a file that does not exist yet. */
function placeOf(file: string): string {
  return real(file) ?? join(real(dirname(file)) ?? resolve(dirname(file)), basename(file))
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const unusable = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
