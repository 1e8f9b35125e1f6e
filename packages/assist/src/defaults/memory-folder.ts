import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import type { Json, MemoryStore } from 'echelon/runtime'
import {
  readGivenText,
  UnreadableFileError,
  realFolder,
  writePrivateFile,
} from 'echelon/internal/platform'
import { DEFAULT_INTENT, type Intent } from '../intent/intent.ts'
import { expired } from '../evaluation/kept-evaluations.ts'
import { NO_PLANS } from '../plan/kept-plans.ts'
import { isEvaluations, isIntent, isPlans } from '../session/memories.ts'
import { evaluationsValue, plansValue } from '../session/memory-values.ts'
import type { Plans } from '../plan/plan.ts'
import { withLock } from './folder-lock.ts'
import { MEMORY_NAMES, type MemoryName } from './memory-schema.ts'
import { memoryText, readMemoryText, unusable } from './memory-text.ts'
import {
  NOT_THERE,
  readVersions,
  type Versions,
  versionOf,
  writeVersions,
} from './versions-file.ts'

/** Limits on stored evaluations and plans. */
export interface MemoryFolderOptions {
  /** Recent evaluations; default 100. Patterns are kept. */
  readonly mostEvaluations?: number
  /** Days that an evaluation is kept for; default 30. */
  readonly evaluationDays?: number
  /** Earlier plans with their reasons; default 50. */
  readonly mostRevisions?: number
  /** Default: the machine's clock, in milliseconds. */
  readonly now?: () => number
}

const DAY_MS = 86_400_000
const MOST_BYTES = 4_000_000

/**
 * The memory of an assistant as a folder of three files that people can read and edit: `intent.json`, `plans.json`
 * and `evaluations.json`. Each is checked on every read; an error is reported with its line, and an invalid file
 * is never written over. Writes are atomic, and files are readable by their owner only. Several processes may
 * share the folder. Needs the packages `yaml` and `zod`.
 *
 * @param path default `memory`, in the working folder of the process
 */
export const memoryFolder = (path = 'memory', options: MemoryFolderOptions = {}): MemoryFolder =>
  new MemoryFolder(path, options)

/** Opened by `memoryFolder`. */
export class MemoryFolder implements MemoryStore {
  /** Absolute. */
  readonly path: string
  readonly #options: Required<MemoryFolderOptions>

  constructor(path: string, options: MemoryFolderOptions) {
    this.path = resolve(path)
    const { mostEvaluations = 100, evaluationDays = 30, mostRevisions = 50 } = options
    const { now = Date.now } = options
    this.#options = { mostEvaluations, evaluationDays, mostRevisions, now }
  }

  /** The path of intent.json, whether or not it exists. */
  get intentFile(): string {
    return this.#file('intent')
  }

  /**
   * Reads a memory; `null` and version 0 if it was never written. Ignores queries.
   * @throws EchelonError INVALID_INPUT with file and line if it cannot be used
   */
  async read(memory: string): Promise<{ readonly value: Json; readonly version: number }> {
    const name = known(memory)
    const text = await this.#text(name)
    const version = versionOf((await readVersions(this.path))[name], digestOf(text))
    if (text === undefined) return { value: null, version }
    const value = await readMemoryText(name, text, this.#file(name))
    return { value: this.#bounded(value), version }
  }

  /**
   * Writes plans or evaluations, within their limits. A write under one key is done once.
   * @throws EchelonError NOT_PERMITTED for `intent`, which only `setIntent` writes; INVALID_INPUT for an invalid
   * value, or an invalid current file; RUN_BUSY
   */
  async write(
    memory: string,
    value: Json,
    { key, ifVersion }: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'> {
    const name = known(memory)
    if (name === 'intent') {
      throw new EchelonError(
        'NOT_PERMITTED',
        'runs cannot write the intent; change it with echelon intent edit',
      )
    }
    const text = `${memoryText(this.#bounded(value))}\n`
    await readMemoryText(name, text, `the new ${name}`)
    return this.#put(name, text, { key, ifVersion, isChecked: true })
  }

  /** The intent; the shipped one if none was written. @throws as `read` */
  async intent(): Promise<Intent> {
    const { value } = await this.read('intent')
    return isIntent(value) ? value : DEFAULT_INTENT
  }

  /** The current plan, and earlier ones with the reasons for changing them. @throws as `read` */
  async plans(): Promise<Plans> {
    const { value } = await this.read('plans')
    const plans: unknown = value
    return isPlans(plans) ? plans : NO_PLANS
  }

  /** The text of intent.json, valid or not; the default intent without a file. */
  async intentText(): Promise<string> {
    return (await this.#text('intent')) ?? intentText(DEFAULT_INTENT)
  }

  /**
   * Writes the intent: an act of the user, never of a run.
   * @param intent a value, or the text for the file
   * @param ifText the text that the file must still hold
   * @returns its version
   * @throws EchelonError INVALID_INPUT if it is not an intent, has 50 lines or more, or the file has changed
   * meanwhile
   */
  async setIntent(
    intent: Intent | string,
    { ifText }: { readonly ifText?: string } = {},
  ): Promise<number> {
    const text = typeof intent === 'string' ? intent : intentText(intent)
    await readMemoryText('intent', text, typeof intent === 'string' ? 'intent.json' : 'the intent')
    const version = await this.#put('intent', text, { ifText })
    if (version !== 'conflict') return version
    throw unusable([
      `${this.intentFile} was changed by somebody else meanwhile; look at it and try again`,
    ])
  }

  /** Writes the default intent, unless an intent exists. @returns whether it was written */
  async init(): Promise<boolean> {
    if ((await this.#text('intent')) !== undefined) return false
    await this.setIntent(DEFAULT_INTENT)
    return true
  }

  async #put(
    name: MemoryName,
    text: string,
    {
      key,
      ifVersion,
      ifText,
      isChecked = false,
    }: {
      readonly key?: string
      readonly ifVersion?: number | undefined
      readonly ifText?: string | undefined
      /** Whether the current content must be valid. */
      readonly isChecked?: boolean
    },
  ): Promise<number | 'conflict'> {
    const folder = await realFolder(await realpath(this.path).catch(() => this.path))
    return withLock(folder, async () => {
      const all = await readVersions(folder)
      const done = all[name].answers.find(([known]) => known === key)
      const standing = await this.#text(name)
      const version = versionOf(all[name], digestOf(standing))
      // Finish a write that was recorded but never reached the file.
      if (done !== undefined && (done[1] === 'conflict' || done[1] <= version)) return done[1]
      if (isChecked && standing !== undefined)
        await readMemoryText(name, standing, this.#file(name))
      const isConflict =
        (ifVersion !== undefined && ifVersion !== version) ||
        (ifText !== undefined && standing !== undefined && ifText !== standing)
      const answer = isConflict ? 'conflict' : version + 1
      const answers =
        key === undefined ? all[name].answers : [...all[name].answers, [key, answer] as const]
      const versions: Versions = isConflict
        ? { ...all[name], answers }
        : {
            last: { version: version + 1, digest: digestOf(text) },
            before: { version, digest: digestOf(standing) },
            answers,
          }
      // Record the version first, so that a crash in between leaves no ambiguity.
      await writeVersions(folder, { ...all, [name]: versions })
      if (!isConflict)
        await writePrivateFile(folder, `${name}.json`, new TextEncoder().encode(text))
      return answer
    })
  }

  #bounded(memory: Json): Json {
    const value: unknown = memory
    const { mostEvaluations, evaluationDays, mostRevisions, now } = this.#options
    if (isPlans(value)) {
      const revision_history = value.revision_history.slice(-mostRevisions)
      return plansValue({ ...value, revision_history })
    }
    if (!isEvaluations(value)) return memory
    const limits = { most: mostEvaluations, maxAgeMs: evaluationDays * DAY_MS }
    return evaluationsValue(expired(value, now(), limits))
  }

  #file(name: MemoryName): string {
    return join(this.path, `${name}.json`)
  }

  async #text(name: MemoryName): Promise<string | undefined> {
    const file = this.#file(name)
    try {
      return await readGivenText(file, MOST_BYTES)
    } catch (cause) {
      if (cause instanceof UnreadableFileError && cause.isTooLarge) {
        throw unusable([`${file} is longer than such a file may be; take out what is old`], cause)
      }
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
      const why = cause instanceof Error ? cause.message : String(cause)
      throw unusable([`${file} cannot be read (${why})`], cause)
    }
  }
}

const intentText = (intent: Intent): string => {
  const { patterns, ...rest } = intent
  return `${memoryText({ ...rest, ...(patterns && { patterns: { ...patterns } }) })}\n`
}

function known(memory: string): MemoryName {
  const name = MEMORY_NAMES.find((one) => one === memory)
  if (name !== undefined) return name
  throw new EchelonError(
    'INVALID_INPUT',
    `the folder holds only the memories ${MEMORY_NAMES.join(', ')}`,
  )
}

const digestOf = (text: string | undefined): string =>
  text === undefined
    ? NOT_THERE
    : createHash('sha256').update(text).digest('base64url').slice(0, 22)
