import type { Artifact } from './artifact.ts'
import type { Json, JsonObject } from '../value/json.ts'

/** The closed list of tool error codes, with their meanings. Agents and logs see these. */
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
 * The cause of a failure that other arguments alone do not fix. `setup`: something outside of the
 * run has to be fixed, such as a missing package or a folder that can't be written. `value`: the
 * request has no single value, such as a division by zero or an ambiguous date.
 */
export type ToolFault = (typeof TOOL_FAULTS)[number]

/** The outcome of one tool call, always as data: the runtime catches what a tool throws. */
export type ToolOutcome =
  | { readonly type: 'ok'; readonly value: Json; readonly artifacts?: readonly Artifact[] }
  | {
      readonly type: 'error'
      readonly code: ToolErrorCode
      readonly message: string
      /** Absent if unknown. */
      readonly fault?: ToolFault
    }
  | { readonly type: 'denied'; readonly reason: string }
  /**
   * A limit did not allow the call: a budget counter that is used up, named as in the ledger, or
   * another limit with a reason for the model.
   */
  | { readonly type: 'refused'; readonly limit: string; readonly reason?: string }
  /** After a crash, timeout or lost connection it is unknown whether an acting tool acted. */
  | { readonly type: 'unknown'; readonly message: string }

export interface ToolCall {
  /** Unique within the run. */
  readonly id: string
  readonly tool: string
  readonly input: Json
}

/** The kind of a tool's side effects. It decides whether a call may be repeated after a crash. */
export type Does = 'reads' | 'idempotent' | 'acts'

/** Static facts about a tool. */
export interface ToolFacts {
  readonly name: string
  /** Description for the model. */
  readonly description: string
  /** The input as JSON Schema draft 7. */
  readonly jsonSchema: JsonObject
  readonly does: Does
  /** Milliseconds. */
  readonly timeoutMs: number
  /** Number of retries after a network failure; each retry counts as a tool call. */
  readonly retries: number
  /** Whether it may run at the same time as other calls of its batch. */
  readonly parallel: boolean
  /** Asks the user before each call, unless a rule or an earlier answer settles it. */
  readonly needsApproval: boolean
  /**
   * External source of its results, such as `the web`. Results with an origin are marked as
   * untrusted data, not instructions. Results without one are trusted.
   */
  readonly origin?: string
  /** Runs another agent, which has its own limits instead of a timeout. */
  readonly delegates: boolean
  /** For a tool that delegates: whether its agent has tools that act or write. */
  readonly mayAct?: boolean
}
