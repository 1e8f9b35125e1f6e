import type { Listener, RunEvent } from '../agent/event.ts'
import { type Log, writeTo } from './log.ts'
import { LOGGED, logRecordOf } from './log-record.ts'

export interface LogRunsOptions {
  /**
   * Whether to write text too: answers, tool inputs and results, messages of errors and warnings, and the
   * content of notes; redacted, like everything. Default false: only numbers and names.
   */
  readonly content?: boolean
}

const HEARD: ReadonlySet<RunEvent['type']> = new Set([...LOGGED, 'step-end', 'middleware'])

/** One for each log: agents that share one and call each other must not write records twice. */
const plainly = new WeakMap<Log, Listener>()
const withContent = new WeakMap<Log, Listener>()

/**
 * Writes a record at each decision point of the runs that it listens to: start and end of a run, each
 * step, each model call with its usage, each tool call's outcome, each retry, request and switch,
 * middleware events (fallbacks, verdicts, votes), and the agent's notes: `H_plan`, `verify`, `act` and
 * `escalate` of the decision agent. Each has the `run`, and for a sub-agent the `path`. Pass it to an
 * agent as `telemetry` (or the log itself as `logging`), to a case of the decision agent as `onEvent`. It
 * keeps no state: a resumed run is logged from then on.
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
