import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import { fileOf, type Program } from '../programs.ts'
import type { Kill } from './death.ts'
import type { End } from './scenario.ts'

/** A run in one process, which starts or resumes it and may die during it. */
export interface Life {
  readonly run: string
  readonly scenario: string
  readonly kill?: Kill
  readonly limits?: Amounts
  /** The failing parts of its world; default none. */
  readonly faults?: number
}

/** A process's report about a life: that it began, and how it ended. */
export type Lived =
  | { readonly place: number; readonly began: true }
  | {
      readonly place: number
      readonly end: End
      /** The end as a later process sees it. */
      readonly again: End
      /** The number of points at which the process could have died. */
      readonly appends: number
      readonly actions: number
    }

export type Ended = Exclude<Lived, { began: true }>

/** The results of lives: how each one ended that was not killed. */
export interface Led {
  readonly ends: ReadonlyMap<number, Ended>
  readonly killed: number
}

/** Environment of a child: compiled modules are cached, and it is not part of the test runner. */
const ENVIRONMENT = ({ folder }: { readonly folder: string }): NodeJS.ProcessEnv => {
  const { NODE_TEST_CONTEXT: _context, ...rest } = process.env
  return { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...rest }
}

/** Another process, with arguments. */
export function spawnProgram(
  folder: string,
  program: Program,
  ...given: readonly string[]
): ChildProcess {
  return spawn(process.execPath, ['--conditions=echelon-source', fileOf(program), ...given], {
    env: ENVIRONMENT({ folder }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

/** How a process ended, and its output. @throws if it failed by itself */
export async function endOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  const said = child.stderr === null ? '' : text(child.stderr)
  child.stdout?.resume()
  const closing: Promise<unknown[]> = once(child, 'close')
  const [code, signal] = await closing
  if (signal === 'SIGKILL') return 'SIGKILL'
  if (code === 0) return null
  throw new Error(`a process ended with ${String(code)} ${String(signal)}: ${await said}`)
}

/**
 * Executes lives in order, in as many processes as needed: a killed one is followed by another that
 * starts with the next life. All lives of a lane share one store.
 */
export async function lead(folder: string, lane: string, lives: readonly Life[]): Promise<Led> {
  writeFileSync(join(folder, `${lane}.lives`), JSON.stringify(lives))
  let killed = 0
  for (let from = 0; from < lives.length;) {
    const signal = await endOf(spawnProgram(folder, 'crash/life.ts', folder, lane, String(from)))
    if (signal === null) break
    killed++
    from = (livedIn(folder, lane).at(-1)?.place ?? -1) + 1
  }
  const ends = livedIn(folder, lane).flatMap((lived) =>
    'end' in lived ? [[lived.place, lived] as const] : [],
  )
  return { ends: new Map(ends), killed }
}

function livedIn(folder: string, lane: string): readonly Lived[] {
  const file = join(folder, `${lane}.lived`)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line): Lived => JSON.parse(line))
}
