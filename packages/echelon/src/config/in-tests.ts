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

/** Loads a configuration without registered providers. */
export const loadConfig = (options: LoadOptions): Promise<Config> => load(KNOWN, options)

/** A temporary folder for one test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-config-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The sources of a configuration as text; omitted ones are absent. */
export interface SourceTexts {
  readonly yaml?: string
  readonly named?: string
  readonly dotenv?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Whether the file was named explicitly. */
  readonly isNamed?: boolean
}

const textFile = (path: string, text: string | undefined): TextFile => ({
  path,
  text: text ?? null,
  problem: null,
  isShared: false,
})

/** A configuration from sources in memory. */
export function configOf(texts: SourceTexts, options: LoadOptions = {}): Promise<Config> {
  const sources: Sources = {
    files: [textFile('config.yaml', texts.yaml), textFile('config.test.yaml', texts.named)],
    dotenv: textFile('.env', texts.dotenv === undefined ? undefined : ''),
    variables: [
      { values: texts.dotenv ?? {}, file: '.env' },
      { values: texts.env ?? {}, file: null },
    ],
    isNamed: texts.isNamed ?? false,
    warnings: [],
    problems: [],
  }
  return configFrom(KNOWN, sources, options)
}

/** Values of every kind; a setting's own check selects the valid ones. */
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

/** Several valid values for a setting. */
export function valuesFor({ kind, path }: KnownSetting): readonly unknown[] {
  // More rounds conflict with the mode fallback_only, which another test covers.
  if (path.endsWith('act.max_steps')) return [0, 1, null]
  return POOL.filter((value) => kind.fits(value))
}

/** A configuration value as the text of a variable; undefined becomes empty. */
export const asText = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') || ',' : String(value)

/** The value at a path of a loaded configuration. */
export function heldAt(config: Config, path: string): unknown {
  const { settings, run, gates, records, modelTimeouts, server } = config
  const telemetry = { ...settings.telemetry, ...records }
  const model_timeouts = {
    answer_seconds: seconds(modelTimeouts.answerMs),
    pause_seconds: seconds(modelTimeouts.pauseMs),
  }
  let value: unknown = { ...settings, telemetry, run, ci_gates: gates, model_timeouts, server }
  for (const name of path.split('.')) value = isRecord(value) ? value[name] : undefined
  return value
}

const seconds = (ms: number): number | null => (ms === Infinity ? null : ms / 1000)
