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

/** Where in a trace something stands, as the headers of W3C Trace Context have it. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

/**
 * Port: follows runs from within. Listeners are shared by runs and hear of an event when it is over;
 * this has an object for each run, and stands around the work itself.
 * Contract: nothing of it waits, and `within` gives back what the work gave. What of it throws is left
 * out, and said once in the log of the run, which goes on. What it is handed is not redacted.
 */
export interface Tracing {
  /** A run begins, or one within a run. @returns nothing where nobody listens: it then costs nothing more */
  begin(run: TracedRun): RunSpan | undefined
}

export interface TracedRun {
  readonly runId: string
  readonly agent: string
  /** `''` for the run itself; else of the call that began it. */
  readonly path: Path
  readonly session: string | undefined
  /** What it is a part of: the caller's span, or that of the call that began it. */
  readonly parent: TraceContext | undefined
  /** `traceparent` of the process that began it, where it goes on in another. */
  readonly earlier: string | undefined
  readonly limits: Amounts
  /** What the whole tree has spent by now. */
  spent(): Amounts
  isCanceled(): boolean
  /** Whether it has a tool of this name; what a model calls a tool may be any text. */
  hasTool(name: string): boolean
  readonly redact: Redactor
}

/** Work with a beginning and an end. Ends once, by `end` or by `fail`. */
export interface Span<End> {
  /** W3C `traceparent` of this span; nothing where there are only figures. */
  readonly traceparent: string | undefined
  /** What others trace while it works is within this span. */
  within<Value>(work: () => Value): Value
  end(end: End): void
  /** It threw. */
  fail(error: unknown): void
}

export interface RunSpan extends Span<TracedEnd> {
  model(call: TracedCall): ModelSpan | undefined
  tool(called: TracedTool): ToolSpan | undefined
  /** Somebody is asked, and the run waits. Ends with whether they replied. */
  wait(what: TracedWait): Span<Reply> | undefined
  /** A step is over. @param asked nothing where it was not asked for */
  saw(seen: Observation, asked: Effect | undefined): void
  note(note: Note): void
  /** What a middleware says of itself. */
  told(middleware: string, event: string): void
}

/** What of a run's end a trace tells. */
export interface TracedEnd {
  readonly status: 'finished' | 'canceled'
  readonly reason: string
}

/** A tool call with its retries, and the middleware around it. */
export interface TracedTool {
  readonly call: ToolCall
  /** Nothing for a tool that there is not. */
  readonly facts: ToolFacts | undefined
  /** The counter that it is booked under: what an agent recomputes are checks. */
  readonly meter: 'tools' | 'checks'
}

export interface ToolSpan extends Span<ToolOutcome> {
  /** It failed with this, and is tried again. */
  retry(code: ToolErrorCode, waitMs: number): void
}

/** Whether a call may run, or a question of an agent or a tool. */
export type TracedWait = 'approval' | 'question'
/** `unanswered` by a cancel, or by the end of the question. */
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
  /** What is sent; built when it is asked for. */
  messages(): readonly Message[]
}

export interface ModelSpan extends Span<ModelOutcome> {
  /** To be sent along with the request. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The first text of a stream came. */
  spoke(): void
  /** Who the provider says has answered. */
  answered(by: AnsweredBy): void
  retry(problem: Problem, waitMs: number): void
}

export interface AnsweredBy {
  readonly id?: string | undefined
  readonly modelId?: string | undefined
}
