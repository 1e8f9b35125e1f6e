import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { isRecord } from '../core/value/json.ts'
import type { KnownSetting } from '../core/setting/setting-tree.ts'
import { type Config, KNOWN, type LoadOptions } from '../compose/config.ts'
import { configFrom, loadConfig as load } from './load.ts'
import type { Sources } from './sources.ts'
import type { TextFile } from './text-file.ts'

/** A configuration from files and environment, where no provider is known. */
export const loadConfig = (options: LoadOptions): Promise<Config> => load(KNOWN, options)

/** A folder of one test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-config-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What the sources of a configuration say, as text; what is left out is absent. */
export interface Said {
  readonly yaml?: string
  readonly named?: string
  readonly dotenv?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Whether somebody named the file. */
  readonly isNamed?: boolean
}

const textFile = (path: string, text: string | undefined): TextFile => ({
  path,
  text: text ?? null,
  problem: null,
  isShared: false,
})

/** A configuration from sources that lie on no disk. */
export function configOf(said: Said, options: LoadOptions = {}): Promise<Config> {
  const sources: Sources = {
    files: [textFile('config.yaml', said.yaml), textFile('config.test.yaml', said.named)],
    dotenv: textFile('.env', said.dotenv === undefined ? undefined : ''),
    variables: [
      { values: said.dotenv ?? {}, file: '.env' },
      { values: said.env ?? {}, file: null },
    ],
    isNamed: said.isNamed ?? false,
    warnings: [],
    problems: [],
  }
  return configFrom(KNOWN, sources, options)
}

/** Values of every kind; those that fit a setting are found by its own check. */
const NUMBERS = [0, 1, 2, 0.5, 1.5, 16, 20, 1000]
const WORDS = [
  'hrm_small_then_escalate',
  'fallback_only',
  'a/b',
  'offline/big',
  'UTC',
  'Asia/Bangkok',
  'some-folder',
  'fail',
  'fail_or_budget',
  'escalate',
  'refuse',
  'low',
  'high',
]
const LISTS = [[], ['a/b'], ['a/b', 'c/d']]
const POOL: readonly unknown[] = [...NUMBERS, ...WORDS, ...LISTS, true, false, null]

/** Values that a setting takes, several of them. */
export function valuesFor({ kind, path }: KnownSetting): readonly unknown[] {
  // More rounds contradict the mode fallback_only, which is another test's matter.
  if (path.endsWith('act.max_steps')) return [0, 1, null]
  return POOL.filter((value) => kind.fits(value))
}

/** A value of a configuration file as a variable holds it; nothing at all is no value. */
export const asText = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') || ',' : String(value)

/** What a configuration holds at a path, in the part that a program reads. */
export function heldAt(config: Config, path: string): unknown {
  const { settings, run, gates, records, modelTimeouts } = config
  const telemetry = { ...settings.telemetry, ...records }
  const model_timeouts = {
    answer_seconds: seconds(modelTimeouts.answerMs),
    pause_seconds: seconds(modelTimeouts.pauseMs),
  }
  let value: unknown = { ...settings, telemetry, run, ci_gates: gates, model_timeouts }
  for (const name of path.split('.')) value = isRecord(value) ? value[name] : undefined
  return value
}

const seconds = (ms: number): number | null => (ms === Infinity ? null : ms / 1000)
