import { SPOKEN, type RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { CaseResult } from '../../packages/echelon/src/agents/decide/case/case-result.ts'
import type { CaseRun } from '../../packages/echelon/src/agents/decide/case/case-run.ts'
import type { LogEntry } from '../../packages/echelon/src/agents/decide/case/log.ts'
import type { TaskView } from '../../packages/echelon/src/agents/decide/case/task-view.ts'
import type { TelemetryEvent } from '../../packages/support/src/primitives/telemetry-sink.ts'

/** A place where something of a case shows to others than whoever asked. */
export interface Sink {
  readonly name: string
  /** All that the place shows, as text. */
  readonly read: () => string
}

/** What was heard of one case, kept by `listening`. */
export interface Heard {
  readonly events: RunEvent[]
  readonly log: LogEntry[]
  readonly views: TaskView[]
}

/**
 * Every place of a case that is redacted. A new one (a metric, a usage record, an audit entry) is
 * one more line here, and the whole corpus is looked for in it.
 *
 * Not among them, since they are for whoever asked or for the run itself: the answer, what is said
 * and asked (`SPOKEN`), prompts to models and calls of tools, `run.state`, and the journal.
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

/** What was heard of one turn of the support agent. */
export interface SupportHeard {
  readonly events: readonly RunEvent[]
  /** By each of the three sinks. */
  readonly printed: readonly string[]
  readonly stored: readonly TelemetryEvent[]
  readonly told: readonly TelemetryEvent[]
}

/**
 * Every place of a turn of the support agent that is redacted.
 *
 * Not among them, since they are for the customer or for the next turn: the answer and what is said
 * (`SPOKEN`), the conversation in its memory, what rules and tools are given, and the journal of a
 * store. Ids of sessions and of messages are told as they are, so that what is told can be found
 * again: put nothing personal into them.
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
