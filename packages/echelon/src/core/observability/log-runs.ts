import type { Listener, RunEvent } from '../agent/event.ts'
import { type Log, writeTo } from './log.ts'
import { LOGGED, logRecordOf } from './log-record.ts'

export interface LogRunsOptions {
  /**
   * Whether what was said is written too: answers, input and results of tools, messages of errors and
   * warnings, and all that notes hold; redacted, as everything. Default false: numbers and names alone.
   */
  readonly content?: boolean
}

const HEARD: ReadonlySet<RunEvent['type']> = new Set([...LOGGED, 'step-end', 'middleware'])

/** One for each log: agents that share it and call one another must not write everything twice. */
const plainly = new WeakMap<Log, Listener>()
const withContent = new WeakMap<Log, Listener>()

/**
 * Writes a record at each decision point of the runs that it listens to: how a run begins and ends, each
 * step, what a model answered and took, what came of a tool call, each retry, request and switch, what
 * middleware tells (fallbacks, verdicts, votes), and what the agent itself notes: `H_plan`, `verify`,
 * `act` and `escalate` of the decision agent. Each has the `run`, and where it is not the run itself
 * the `path` of the sub-agent. An agent takes it as `telemetry` (or the log itself as `logging`), a case
 * of the decision agent as `onEvent`. It keeps no state: of a run that is resumed there are records of
 * what is done from then on.
 */
export function logRuns(log: Log, { content = false }: LogRunsOptions = {}): Listener {
  const known = content ? withContent : plainly
  const listener = known.get(log) ?? listenerOf(log, content)
  known.set(log, listener)
  return listener
}

const listenerOf = (log: Log, content: boolean): Listener => ({
  only: HEARD,
  hear: (event, run) => {
    const record = logRecordOf(event, content)
    if (record === undefined) return
    const path = 'path' in event && event.path !== '' ? { path: event.path } : {}
    writeTo(log, { ...record, data: { run, ...path, ...record.data } })
  },
})
