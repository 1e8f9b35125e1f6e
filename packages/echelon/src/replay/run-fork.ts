import { EchelonError } from '../core/value/error.ts'
import type { Entry, Journal } from '../core/journal/journal.ts'
import { forkedEntries } from '../core/journal/forked-entries.ts'
import { type ForkRecord, ForkTools } from '../core/journal/forked-tools.ts'
import { isStoreCall } from '../core/journal/store-call.ts'
import type { RunRecord } from './run-record.ts'

export interface ForkOptions {
  /** The first step that is taken anew, from 0 on, as events count them. */
  readonly at: number
  /** The run that is forked; default the only one. */
  readonly run?: string
  /** Role to model where another plays from here on, such as `{ small: 'openai/gpt-5-nano' }`. */
  readonly models?: Readonly<Record<string, string>>
  /** Tools that may act anew, by name; the others answer from the record or are denied. */
  readonly act?: readonly string[]
  /** Memories that may be written anew, by name; writes of others answer from the record or fail. */
  readonly memories?: readonly string[]
}

/** A run that goes on from a step of a recorded one, with other models or another program. */
export class RunFork {
  /** Of the run to resume. */
  readonly runId: string
  readonly record: RunRecord
  readonly tools: ForkTools
  readonly #entries: readonly Entry[]

  /** @param runId what the fork is called: it is a run of its own */
  constructor(record: RunRecord, runId: string, options: ForkOptions) {
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

  /** What is on record of the fork; `inner` is written on. */
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

/** What of a recording a fork may use. */
function forkRecord(record: RunRecord, run: string, at: number): ForkRecord {
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

/** The step of the run itself in which a call was made; of another run none was. */
function stepOf(key: string, run: string): number {
  if (!key.startsWith(`${run}:`)) return -1
  return Number.parseInt(key.slice(run.length + 1), 10)
}

function onlyRun(record: RunRecord): string {
  const [run, ...others] = record.entries.keys()
  if (run !== undefined && others.length === 0) return run
  throw new EchelonError(
    'INVALID_INPUT',
    run === undefined
      ? `${record.path} holds no run; record one first`
      : `${record.path} holds ${others.length + 1} runs; say which is forked: ${[...record.entries.keys()].join(', ')}`,
  )
}

const unknownRun = (record: RunRecord, run: string): EchelonError =>
  new EchelonError(
    'UNKNOWN_RUN',
    `${record.path} holds no run ${run}; it holds ${[...record.entries.keys()].join(', ')}`,
  )
