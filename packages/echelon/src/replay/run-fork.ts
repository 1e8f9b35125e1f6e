import { EchelonError } from '../core/value/error.ts'
import type { Entry, Journal } from '../core/journal/journal.ts'
import { forkedEntries } from '../core/journal/forked-entries.ts'
import { type ForkRecord, ForkTools } from '../core/journal/forked-tools.ts'
import { isStoreCall } from '../core/journal/store-call.ts'
import type { LoadedRecording } from './loaded-recording.ts'

export interface ForkOptions {
  /** The first step to run again, from 0, as counted by events. */
  readonly at: number
  /** The run to fork. Default: the only one. */
  readonly run?: string
  /** Replacement models by role, such as `{ small: 'openai/gpt-5-nano' }`. */
  readonly models?: Readonly<Record<string, string>>
  /** Tools that may run again, by name; others answer from the recording or are denied. */
  readonly act?: readonly string[]
  /**
   * Memories that may be written again, by name; other writes answer from the recording or fail.
   */
  readonly memories?: readonly string[]
}

/** Continues a recorded run from one of its steps, with other models or another program. */
export class RunFork {
  /** The id of the run to resume. */
  readonly runId: string
  readonly record: LoadedRecording
  readonly tools: ForkTools
  readonly #entries: readonly Entry[]

  /** @param runId the id of the fork, which is a separate run */
  constructor(record: LoadedRecording, runId: string, options: ForkOptions) {
    const { at, run, models = {}, act = [], memories = [] } = options
    const forked = run ?? onlyRun(record)
    const entries = record.entries.get(forked)
    if (entries === undefined) throw unknownRun(record, forked)
    if (!Number.isInteger(at) || at < 0) {
      throw new EchelonError('INVALID_INPUT', `at is ${at}; give the number of a step, from 0 on`)
    }
    this.runId = runId
    this.record = record
    this.tools = new ForkTools(forkRecord(record, forked, at), { act, memories })
    this.#entries = forkedEntries(entries, { run: forked, at, as: runId, models })
  }

  /** A journal that starts with the recorded entries; new ones go to `inner`. */
  journal(inner: Journal | undefined): Journal {
    const entries = [...this.#entries]
    return {
      digests: inner?.digests !== false,
      append: (run, added) => {
        if (run === this.runId) entries.push(...added)
        return inner?.append(run, added)
      },
      read: (run) => {
        if (run !== this.runId) return inner?.read(run) ?? []
        this.tools.checkAct()
        return [...entries]
      },
    }
  }
}

/** The part of a recording that a fork may use. */
function forkRecord(record: LoadedRecording, run: string, at: number): ForkRecord {
  const { toolCalls } = record
  const place = record.placeOf(run, at)
  const wrote = (key: string): boolean =>
    record.actsOf(key).some(({ does }) => does.act === 'write')
  return {
    names: toolCalls.map(({ tool }) => tool).filter((name) => !isStoreCall(name)),
    done: toolCalls.filter(({ key, end }) => end?.type === 'ok' && !wrote(key)),
    later: toolCalls.filter(({ key }) => stepOf(key, run) >= at),
    memory: {
      before: toolCalls.filter((call) => call.place <= place),
      later: toolCalls.filter((call) => call.place > place),
    },
  }
}

/** The step in which the run made a call; undefined for calls of other runs. */
function stepOf(key: string, run: string): number {
  if (!key.startsWith(`${run}:`)) return -1
  return Number.parseInt(key.slice(run.length + 1), 10)
}

function onlyRun(record: LoadedRecording): string {
  const [run, ...others] = record.entries.keys()
  if (run !== undefined && others.length === 0) return run
  throw new EchelonError(
    'INVALID_INPUT',
    run === undefined
      ? `${record.path} holds no run; record one first`
      : `${record.path} holds ${others.length + 1} runs; say which is forked: ${[...record.entries.keys()].join(', ')}`,
  )
}

const unknownRun = (record: LoadedRecording, run: string): EchelonError =>
  new EchelonError(
    'UNKNOWN_RUN',
    `${record.path} holds no run ${run}; it holds ${[...record.entries.keys()].join(', ')}`,
  )
