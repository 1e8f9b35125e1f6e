import { EchelonError, type Checkpoint, type Entry } from 'echelon/runtime'
import { readGivenFileSync, UnreadableFileError } from 'echelon/config'
import type { z } from 'zod'
import { entrySchema, sessionSchema } from './entry-schema.ts'

/** Maximum file size; a journal is held in memory as a whole. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Reads the runs of an exported journal (JSON lines, or one JSON array), or a saved chat session.
 * @throws EchelonError INVALID_INPUT with the line or entry that cannot be read
 */
export function readCheckpoints(file: string): readonly Checkpoint[] {
  const text = textOf(file)
  const found = valuesOf(file, text)
  if (found.type === 'session') return [sessionOf(file, found.value)]
  const { values, unit } = found
  const runs = runsOf(values, (place, what) => wrong(file, `${unit} ${place} ${what}`))
  if (runs.length === 0) throw wrong(file, 'holds no journal entry')
  return runs.map((entries) => ({ kind: 'run', entries }))
}

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readGivenFileSync(file, MOST_BYTES))
  } catch (cause) {
    if (cause instanceof UnreadableFileError && cause.isTooLarge) {
      throw wrong(file, `has more than ${MOST_BYTES} bytes; export fewer runs`, cause)
    }
    if (cause instanceof UnreadableFileError) {
      throw wrong(file, 'is not a file; name an exported journal or session', cause)
    }
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw wrong(file, 'does not exist; name a store, an exported journal or a session', cause)
    }
    const why = cause instanceof TypeError ? 'it is not UTF-8' : reasonOf(cause)
    throw wrong(file, `cannot be read (${why})`, cause)
  }
}

/** A value with its line or index in the file. */
interface Numbered {
  readonly place: number
  readonly value: unknown
}

type Found =
  | { readonly type: 'session'; readonly value: unknown }
  | {
      readonly type: 'entries'
      readonly values: readonly Numbered[]
      readonly unit: 'line' | 'entry'
    }

/** A session has a `kind` field; anything else is read as journal entries. */
function valuesOf(file: string, text: string): Found {
  const whole = parse(text)
  if (whole.ok && Array.isArray(whole.value)) {
    const values = whole.value.map((value: unknown, index) => ({ place: index + 1, value }))
    return { type: 'entries', values, unit: 'entry' }
  }
  if (whole.ok && isSession(whole.value)) return { type: 'session', value: whole.value }
  // A journal of one entry is also one JSON value, but on one line.
  if (whole.ok && text.trim().includes('\n')) {
    throw wrong(file, 'holds neither a journal nor a session')
  }
  if (!whole.ok && /^\s*\[/.test(text)) {
    throw wrong(file, `is not JSON${whole.line === undefined ? '' : `: see line ${whole.line}`}`)
  }
  return { type: 'entries', values: linesOf(file, text), unit: 'line' }
}

const isSession = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value

function linesOf(file: string, text: string): readonly Numbered[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = parse(line)
    if (parsed.ok) return [{ place: index + 1, value: parsed.value }]
    throw wrong(file, `line ${index + 1} is not JSON`)
  })
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  /** The line is not always known. Its text is not quoted, since it may be secret. */
  | { readonly ok: false; readonly line: string | undefined }

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, line: /\(line (\d+)/.exec(reasonOf(error))?.[1] }
  }
}

function sessionOf(file: string, value: unknown): Checkpoint {
  const read = sessionSchema.safeParse(value)
  if (!read.success) throw wrong(file, `is not a session (${problemOf(read.error)})`)
  const { id, agent, states } = read.data
  const held = typeof agent === 'string' ? { name: agent, version: null } : agent
  return { kind: 'session', id, agent: held.name, version: held.version, states }
}

/** Groups entries into runs. Each run begins with a `started` entry at the top level. */
function runsOf(
  values: readonly Numbered[],
  problem: (place: number, what: string) => EchelonError,
): readonly (readonly Entry[])[] {
  const runs: Entry[][] = []
  const ids = new Set<string>()
  for (const { place, value } of values) {
    const read = entrySchema.safeParse(value)
    if (!read.success) throw problem(place, `is not a journal entry (${problemOf(read.error)})`)
    const entry = read.data
    if (entry.type === 'started' && entry.path === '') {
      if (ids.has(entry.runId)) throw problem(place, `starts the run ${entry.runId} a second time`)
      ids.add(entry.runId)
      runs.push([])
    }
    const run = runs.at(-1)
    if (run === undefined) {
      throw problem(place, 'belongs to no run: the entry that starts the run must come first')
    }
    run.push(entry)
  }
  return runs
}

/** The first problem only, because an unrelated file has dozens. */
export function problemOf({ issues }: z.ZodError): string {
  const [first] = issues
  if (first === undefined) return 'it does not match'
  return first.path.length === 0 ? first.message : `${first.path.join('.')}: ${first.message}`
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const wrong = (file: string, what: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_INPUT', `${file}: ${what}`, { cause })
