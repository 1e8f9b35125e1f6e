import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openStore } from '@echelon/store'
import type { ToolExecutor } from '../../../../packages/support/src/primitives/tool-executor.ts'
import type { Domain } from './domain.ts'
import type { Exchange, RecordedRun } from './recorded-run.ts'
import { ReplaySession } from './replay-session.ts'
import type { BaseTables, TauData } from './tau-data.ts'
import { type Answer, TauDatabase } from './tau-database.ts'
import { TauExecutor, TwiceDelivered } from './tau-executor.ts'
import type { TauTool } from './tau-tool.ts'

/**
 * Options for replaying a run: as it was; with new objects over the same files for each message; with a new
 * process for each message; with each tool call delivered twice.
 */
export const MODES = ['plain', 'restarted', 'processes', 'twice'] as const
export type Mode = (typeof MODES)[number]

/** A domain, with its files. */
export interface Replay {
  readonly domain: Domain
  readonly base: BaseTables
  /** The folder of the domain, and which run of its records it is: for processes of their own. */
  readonly folder: string
  readonly place: number
}

export interface Replayed {
  /** Answers of the tools, one per call. */
  readonly answers: readonly Answer[]
  /** Answers to the customer, by message. */
  readonly texts: readonly string[]
  /** The database at the end. */
  readonly data: TauData
}

/** Replays a recorded run through router, memory and tools. */
export async function replayRun(replay: Replay, run: RecordedRun, mode: Mode): Promise<Replayed> {
  if (mode === 'plain' || mode === 'twice') return inMemory(replay, run, mode)
  const files = await mkdtemp(join(tmpdir(), 'replay-'))
  try {
    const texts: string[] = []
    for (const place of answeredPlaces(run)) {
      const said = mode === 'processes' ? sayInProcess : sayOverFiles
      texts.push(await said(replay, run, { place, files }))
    }
    using database = databaseIn(replay, files)
    return { answers: database.answers(), texts, data: database.data }
  } finally {
    await rm(files, { recursive: true })
  }
}

async function inMemory(replay: Replay, run: RecordedRun, mode: Mode): Promise<Replayed> {
  const { domain, base } = replay
  using database = new TauDatabase(base, domain.tools, ':memory:')
  const executor = (tools: readonly TauTool[]): ToolExecutor => {
    const once = new TauExecutor(tools, database)
    return mode === 'twice' ? new TwiceDelivered(once) : once
  }
  const session = new ReplaySession(replay, executor, await openStore(':memory:'))
  const texts: string[] = []
  for (const place of answeredPlaces(run)) {
    texts.push((await session.say(exchangeAt(run, place), place)).text)
  }
  return { answers: database.answers(), texts, data: database.data }
}

/** The messages that the agent did something about; the last ones often only say goodbye. */
const answeredPlaces = (run: RecordedRun): readonly number[] =>
  run.exchanges.flatMap(({ turns }, place) => (turns.length === 0 ? [] : [place]))

/** @throws RangeError for a place that the run does not have */
function exchangeAt(run: RecordedRun, place: number): Exchange {
  const exchange = run.exchanges[place]
  if (exchange === undefined) throw new RangeError(`the run has no message ${place}`)
  return exchange
}

interface Message {
  readonly place: number
  /** The folder of the files that outlive the process. */
  readonly files: string
}

const databaseIn = ({ base, domain }: Replay, files: string): TauDatabase =>
  new TauDatabase(base, domain.tools, join(files, 'tau.db'))

/** One message, by objects that know nothing but what the files hold. */
export async function sayOverFiles(
  replay: Replay,
  run: RecordedRun,
  { place, files }: Message,
): Promise<string> {
  using database = databaseIn(replay, files)
  const store = await openStore(join(files, 'store.db'))
  try {
    const executor = (tools: readonly TauTool[]): ToolExecutor => new TauExecutor(tools, database)
    const session = new ReplaySession(replay, executor, store)
    return (await session.say(exchangeAt(run, place), place)).text
  } finally {
    await store.close()
  }
}

const MESSAGE = fileURLToPath(new URL('replay-message.ts', import.meta.url))

async function sayInProcess(
  { domain, folder, place: runPlace }: Replay,
  _run: RecordedRun,
  { place, files }: Message,
): Promise<string> {
  const args = [domain.name, folder, String(runPlace), String(place), files]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=echelon-source', MESSAGE, ...args],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  return stdout
}
