import { join } from 'node:path'
import { isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { readGivenText, writePrivateFile } from 'echelon/internal/platform'
import { MEMORY_NAMES, type MemoryName } from './memory-schema.ts'

/** Beside the three files: the version of each, and completed writes. Not meant to be edited. */
const FILE = '.versions.json'

/** Write keys to remember, so that a resumed run repeats no write. */
const MOST_KEYS = 200

interface Written {
  readonly version: number
  /** Of the file's text as it was written. */
  readonly digest: string
}

/** The version record of one file. */
export interface Versions {
  readonly last: Written
  /** The previous version: the file still has it if its writer died on the way. */
  readonly before: Written
  /** Results of writes, by key; oldest first. */
  readonly answers: readonly (readonly [key: string, answer: number | 'conflict'])[]
}

export type AllVersions = Readonly<Record<MemoryName, Versions>>

export const NOT_THERE = ''
const NEVER: Written = { version: 0, digest: NOT_THERE }
const NONE: Versions = { last: NEVER, before: NEVER, answers: [] }

const MOST_BYTES = 1024 * 1024

/** A lost or broken version file costs no memory: versions restart above any that a reader may hold. */
export async function readVersions(folder: string): Promise<AllVersions> {
  const text = await readGivenText(join(folder, FILE), MOST_BYTES).catch(() => '{}')
  const kept = jsonIn(text)
  const of = (name: MemoryName): Versions => (isRecord(kept) ? versionsIn(kept[name]) : NONE)
  return { intent: of('intent'), plans: of('plans'), evaluations: of('evaluations') }
}

export async function writeVersions(folder: string, all: AllVersions): Promise<void> {
  const bounded = MEMORY_NAMES.map((name) => {
    const { last, before, answers } = all[name]
    return [name, { last, before, answers: answers.slice(-MOST_KEYS) }] as const
  })
  const text = `${JSON.stringify(Object.fromEntries(bounded))}\n`
  await writePrivateFile(folder, FILE, new TextEncoder().encode(text))
}

/** The file's current version; a file edited by hand gets a new one. */
export function versionOf({ last, before }: Versions, digest: string): number {
  if (digest === last.digest) return last.version
  if (digest === before.digest) return before.version
  return last.version + 1
}

function jsonIn(text: string): Json {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return null
  }
}

function versionsIn(value: unknown): Versions {
  if (!isRecord(value) || !Array.isArray(value['answers'])) return NONE
  const [last, before] = [writtenIn(value['last']), writtenIn(value['before'])]
  const answers = value['answers'].flatMap((pair: unknown) => {
    if (!Array.isArray(pair)) return []
    const [key, answer]: readonly unknown[] = pair
    const isAnswer = typeof answer === 'number' || answer === 'conflict'
    return typeof key === 'string' && isAnswer ? [[key, answer] as const] : []
  })
  return { last, before, answers }
}

const writtenIn = (value: unknown): Written =>
  isRecord(value) && typeof value['version'] === 'number' && typeof value['digest'] === 'string'
    ? { version: value['version'], digest: value['digest'] }
    : NEVER
