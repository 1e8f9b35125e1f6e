import { EchelonError } from '../../core/value/error.ts'
import { isJson, isRecord, type Json } from '../../core/value/json.ts'

/** The content of a recording: only model calls, or whole runs with their model calls. */
export type Recorded = 'models' | 'runs'

const VERSION = 2

/** The first line of a recording. */
export interface Header {
  readonly kind: 'recording'
  readonly version: typeof VERSION
  readonly holds: Recorded
  /** Set by the recording program, so that it can build the same agent again. */
  readonly about: Json
}

export const headerOf = (holds: Recorded, about: Json = null): Header => ({
  kind: 'recording',
  version: VERSION,
  holds,
  about,
})

/** First lines of version 1, whose other lines are the same. */
const OLDER: Readonly<Record<string, Recorded>> = {
  'model-tape': 'models',
  'run-recording': 'runs',
}

const REPLAY: Readonly<Record<Recorded, string>> = {
  models: 'calls of models alone; replay it with --replay-models',
  runs: 'whole runs; replay it with echelon replay',
}

/**
 * Reads the first line of a recording.
 * @returns the recording program's `about` value
 * @throws EchelonError INVALID_INPUT
 */
export function readHeader(path: string, holds: Recorded, value: unknown): Json {
  const { kind, version, about, ...header } = isRecord(value) ? value : {}
  const older = typeof kind === 'string' && Object.hasOwn(OLDER, kind) ? OLDER[kind] : undefined
  if (kind !== 'recording' && older === undefined) {
    throw damaged(path, holds, 'line 1 is not the beginning of a recording')
  }
  const known = older === undefined ? VERSION : 1
  if (version !== known) {
    const what = `line 1 names version ${JSON.stringify(version)}, and version ${known} is known`
    throw damaged(path, holds, what)
  }
  const held = older ?? header['holds']
  if ((held === 'models' || held === 'runs') && held !== holds) {
    throw new EchelonError('INVALID_INPUT', `${path} holds ${REPLAY[held]}`)
  }
  // It contains tool schemas, which can be deep.
  return isJson(about, 128) ? about : null
}

const RECORD: Readonly<Record<Recorded, string>> = { models: '--record-models', runs: '--record' }

export const damaged = (path: string, holds: Recorded, what: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `${path} cannot be replayed: ${what}; record it again with ${RECORD[holds]}`,
  )

export const unreadable = (path: string, holds: Recorded, cause: unknown): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `the recording ${path} cannot be read (${cause instanceof Error ? cause.message : String(cause)}); name a file that ${RECORD[holds]} wrote`,
    { cause },
  )
