import type { Artifact } from './artifact.ts'
import type { Json, JsonObject } from '../value/json.ts'

/** Why a tool did not do what was asked: the closed list that agents and logs see. */
export const TOOL_ERRORS = {
  TOOL_ERROR: 'the tool failed',
  NET_TIMEOUT: 'the network, or the tool, took too long',
  RATE_LIMIT: 'the service behind the tool asked to slow down',
  INVALID_ARGS: 'the arguments cannot be used',
  UNKNOWN_TOOL: 'no such tool is registered, or it is not allowed',
  FILE_TOO_LARGE: 'the file exceeds max_artifact_mb',
  INVALID_FILE_TYPE: 'the file extension is not allowed',
  PATH_TRAVERSAL: 'the file would leave the artifacts folder',
} as const

export type ToolErrorCode = keyof typeof TOOL_ERRORS

export const TOOL_FAULTS = ['setup', 'value'] as const
/**
 * Whose fault a failure is, where that is known and other arguments alone do not help. `setup`:
 * something outside of the run has to be set right, such as a missing package or a folder that can't
 * be written. `value`: what was asked has no one value, such as a division by zero or a date with
 * two readings.
 */
export type ToolFault = (typeof TOOL_FAULTS)[number]

/** What came of one tool call. Always data: a tool never throws out of the runtime. */
export type ToolOutcome =
  | { readonly type: 'ok'; readonly value: Json; readonly artifacts?: readonly Artifact[] }
  | {
      readonly type: 'error'
      readonly code: ToolErrorCode
      readonly message: string
      /** Absent where nobody knows. */
      readonly fault?: ToolFault
    }
  | { readonly type: 'denied'; readonly reason: string }
  /**
   * A limit did not allow the call: one of the budget, named as in the ledger, which is then used up, or
   * another with a reason for the model.
   */
  | { readonly type: 'refused'; readonly limit: string; readonly reason?: string }
  /** A crash, a time-out or a lost connection hid what an acting tool did. */
  | { readonly type: 'unknown'; readonly message: string }

export interface ToolCall {
  /** Unique within the run. */
  readonly id: string
  readonly tool: string
  readonly input: Json
}

/** What a tool does to the world; decides what may be repeated after a crash. */
export type Does = 'reads' | 'idempotent' | 'acts'

/** What is known of a tool without running it. */
export interface ToolFacts {
  readonly name: string
  /** What the model reads. */
  readonly description: string
  /** The input as JSON Schema draft 7, printed once. */
  readonly jsonSchema: JsonObject
  readonly does: Does
  /** Milliseconds. */
  readonly timeoutMs: number
  /** How often a network failure is tried again; each try counts as a tool call. */
  readonly retries: number
  /** Whether it may run at the same time as other calls of its batch. */
  readonly parallel: boolean
  /** Asks the user before each call, unless a rule or an earlier answer settles it. */
  readonly needsApproval: boolean
  /**
   * Where what it gives comes from, if from outside, such as `the web`: it may hold words of anybody,
   * which are data and no instructions. Without one what it gives is trusted.
   */
  readonly origin?: string
  /** Runs another agent, whose own limits hold instead of a time limit. */
  readonly delegates: boolean
  /** Of one that delegates: the agent that it runs has tools that act or write. */
  readonly mayAct?: boolean
}
