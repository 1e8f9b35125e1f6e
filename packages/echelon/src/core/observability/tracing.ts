import type { Note } from '../agent/agent.ts'
import type { Amounts } from '../agent/budget.ts'
import type { Effect, Sampling } from '../agent/effect.ts'
import type { Path } from '../journal/journal.ts'
import type { ModelOutcome } from '../extension/middleware.ts'
import type { Observation } from '../agent/observation.ts'
import type { Problem } from '../model/problem.ts'
import type { Redactor } from '../redaction/redaction.ts'
import type { Message } from '../message/thread.ts'
import type { ToolCall, ToolErrorCode, ToolFacts, ToolOutcome } from '../tool/tool-call.ts'

/** A position in a trace, as in the headers of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

/**
 * Port: traces runs. Unlike listeners, which are shared by runs and get events afterwards, it has an
 * object for each run and wraps the work itself.
 * Contract: its methods are synchronous, and `within` returns the result of the work. If a method
 * throws, that part of the trace is missing, which the run logs once; the run continues. Its input is
 * not redacted.
 */
export interface Tracing {
  /** Called when a run or child run begins. @returns `undefined` to leave it untraced, at no further cost */
  begin(run: TracedRun): RunSpan | undefined
}

export interface TracedRun {
  readonly runId: string
  readonly agent: string
  /** `''` for the root run; else the path of the call that started it. */
  readonly path: Path
  readonly session: string | undefined
  /** The parent: the caller's span, or that of the call that started the child run. */
  readonly parent: TraceContext | undefined
  /** For a resumed run, `traceparent` of the process that started it. */
  readonly earlier: string | undefined
  readonly limits: Amounts
  /** Returns what the whole tree has spent so far. */
  spent(): Amounts
  isCanceled(): boolean
  /** Whether it has a tool of this name; the name that a model gives may be any text. */
  hasTool(name: string): boolean
  readonly redact: Redactor
}

/** A span of work. It ends once, by `end` or by `fail`. */
export interface Span<End> {
  /** W3C `traceparent` of this span; `undefined` if only metrics are recorded. */
  readonly traceparent: string | undefined
  /** Runs work with this span as the active one, so that other traces nest in it. */
  within<Value>(work: () => Value): Value
  end(end: End): void
  /** Ends the span of work that threw. */
  fail(error: unknown): void
}

export interface RunSpan extends Span<TracedEnd> {
  model(call: TracedCall): ModelSpan | undefined
  tool(called: TracedTool): ToolSpan | undefined
  /** Called when the run waits for a person. The span ends with whether they replied. */
  wait(what: TracedWait): Span<Reply> | undefined
  /** Called after a step. @param asked `undefined` for an observation without an effect */
  saw(seen: Observation, asked: Effect | undefined): void
  note(note: Note): void
  /** Called with events that middleware emits. */
  told(middleware: string, event: string): void
}

/** The end of a run, as traced. */
export interface TracedEnd {
  readonly status: 'finished' | 'canceled'
  readonly reason: string
}

/** A tool call with its retries, and the middleware around it. */
export interface TracedTool {
  readonly call: ToolCall
  /** `undefined` for an unknown tool. */
  readonly facts: ToolFacts | undefined
  /** The counter for the call; calls that recompute a value are `checks`. */
  readonly meter: 'tools' | 'checks'
}

export interface ToolSpan extends Span<ToolOutcome> {
  /** Called when a failed call is retried. */
  retry(code: ToolErrorCode, waitMs: number): void
}

/** The kind of wait: an approval of a call, or a question of an agent or a tool. */
export type TracedWait = 'approval' | 'question'
/** How a wait ended; `unanswered` after a cancel or the question's expiry. */
export type Reply = 'answered' | 'unanswered'

/** A model call with its retries. */
export interface TracedCall {
  /** As `provider/model`. */
  readonly model: string
  readonly role: string
  readonly seq: number
  readonly streams: boolean
  readonly asksJson: boolean
  readonly maxTokens: number | undefined
  readonly sampling: Sampling | undefined
  /** Returns the messages that are sent; built on each call. */
  messages(): readonly Message[]
}

export interface ModelSpan extends Span<ModelOutcome> {
  /** Headers to send with the request. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Called with the first text of a stream. */
  spoke(): void
  /** Called with the model that answered, according to the provider. */
  answered(by: AnsweredBy): void
  retry(problem: Problem, waitMs: number): void
}

export interface AnsweredBy {
  readonly id?: string | undefined
  readonly modelId?: string | undefined
}
