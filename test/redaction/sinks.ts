import { SPOKEN, type RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { CaseResult } from '../../packages/echelon/src/agents/decide/case/case-result.ts'
import type { CaseRun } from '../../packages/echelon/src/agents/decide/case/case-run.ts'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import type { LogEntry } from '../../packages/echelon/src/agents/decide/case/log.ts'
import type { TaskView } from '../../packages/echelon/src/agents/decide/case/task-view.ts'
import type { TelemetryEvent } from '../../packages/support/src/primitives/telemetry-sink.ts'

/** A place where data of a case is visible to others than the caller. */
export interface Sink {
  readonly name: string
  /** Everything that the place shows, as text. */
  readonly read: () => string
}

/** The events and output of one case, collected by `listening`. */
export interface Heard {
  readonly events: RunEvent[]
  readonly log: LogEntry[]
  readonly views: TaskView[]
}

/**
 * Every redacted output of a case. Add new ones (a metric, a usage record, an audit entry) here, and they
 * are searched for the whole corpus.
 *
 * The server's view of the inside of a run is searched by `test/server/inspection.test.ts`.
 *
 * Not included, since they are for the caller or the run itself: the answer, texts and questions for the
 * user (`SPOKEN`), prompts and tool calls, `run.state`, and the journal, except for errors of models.
 */
export const sinksOf = (run: CaseRun, result: CaseResult, heard: Heard): readonly Sink[] => [
  sink('events', () => heard.events.filter(({ type }) => !SPOKEN.has(type))),
  sink('log entries as they come', () => heard.log),
  sink('log of the result', () => result.logs),
  sink('explanation', () => result.explanation),
  sink('result', () => ({ ...result, answer: null })),
  sink('partial result', () => ({ ...run.partial(), answer: null })),
  sink('views on the way', () => heard.views.map((view) => ({ ...view, answer: null }))),
  sink('last view', () => ({ ...run.view(), answer: null })),
  sink('artifacts', () => result.artifacts),
]

/** The errors of models in a run's journal: a server may repeat the key or the prompt in them. */
export const journaledErrors = (entries: readonly Entry[]): Sink =>
  sink('journaled errors', () =>
    entries.flatMap((entry) =>
      entry.type === 'closed' && entry.seen.type === 'failed' ? entry.seen.error : [],
    ),
  )

/** The events and output of one turn of the support agent. */
export interface SupportHeard {
  readonly events: readonly RunEvent[]
  /** Of each of the three sinks. */
  readonly printed: readonly string[]
  readonly stored: readonly TelemetryEvent[]
  readonly told: readonly TelemetryEvent[]
}

/**
 * Every redacted output of a turn of the support agent.
 *
 * Not included, since they are for the customer or the next turn: the answer and the texts for the user
 * (`SPOKEN`), the conversation in memory, the input of rules and tools, and a store's journal. Ids of
 * sessions and messages are not redacted, so that records can be found by them: put nothing personal into
 * them.
 */
export const supportSinksOf = (heard: SupportHeard): readonly Sink[] => [
  sink('events', () => heard.events.filter(({ type }) => !SPOKEN.has(type))),
  sink('print sink', () => heard.printed),
  sink('SQLite sink', () => heard.stored),
  sink('mock sink', () => heard.told),
]

const sink = (name: string, shown: () => unknown): Sink => ({
  name,
  read: () => JSON.stringify(shown()),
})
