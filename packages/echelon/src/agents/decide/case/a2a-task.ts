import { isRecord, type Json } from '../../../core/value/json.ts'
import type { CaseArtifact } from './case-result.ts'
import type { TaskState, TaskView } from './task-view.ts'
import type { ErrorCode } from '../../../core/value/error.ts'

/** One part of a message or an artifact, by kind. */
export type A2aPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: Readonly<Record<string, unknown>> }
  | CaseArtifact['parts'][0]

export interface A2aMessage {
  readonly kind: 'message'
  readonly messageId: string
  readonly role: 'user' | 'agent'
  readonly parts: readonly A2aPart[]
}

/** A task as an A2A client sees it. */
export interface A2aTask {
  readonly kind: 'task'
  readonly id: string
  readonly contextId: string
  readonly status: {
    readonly state: TaskState
    /** ISO 8601. */
    readonly timestamp: string
    /** The answer, once there is one. */
    readonly message?: A2aMessage
  }
  /** The user's question and the result of each tool. */
  readonly history: readonly A2aMessage[]
  readonly artifacts: readonly CaseArtifact[]
}

/**
 * The A2A form of a task: its state is the task's own (submitted, working, completed when verified,
 * failed, canceled; input-required is not used), texts are text parts, results and errors of tools
 * are data parts, and files are file parts of the artifacts.
 */
export function a2aTask(view: TaskView): A2aTask {
  const { id, contextId, state, timestamp, answer } = view
  const message = (place: string, role: A2aMessage['role'], part: A2aPart): A2aMessage => ({
    kind: 'message',
    messageId: `${id}:${place}`,
    role,
    parts: [part],
  })
  return {
    kind: 'task',
    id,
    contextId,
    status: {
      state,
      timestamp,
      ...(answer === null
        ? {}
        : { message: message('answer', 'agent', { kind: 'text', text: answer }) }),
    },
    history: [
      message('input', 'user', { kind: 'text', text: view.user_input }),
      ...view.evidence.map(({ result }, index) =>
        message(`evidence-${index + 1}`, 'agent', partOf(result)),
      ),
    ],
    artifacts: Object.values(view.artifacts),
  }
}

/** A2A data must be an object, but a custom tool may return any JSON. */
function partOf(result: Json | object): A2aPart {
  if (typeof result === 'string') return { kind: 'text', text: result }
  return { kind: 'data', data: isRecord(result) ? result : { value: result } }
}

/**
 * JSON-RPC error codes of requests to an A2A server, by the error that the request ended with. Three
 * codes are A2A's own (section 8 of its specification: task not found, unsupported operation, content
 * type not supported). The others lie within -32050 to -32099, which JSON-RPC 2.0 leaves to servers
 * and A2A does not use. An error inside a run is part of its result and has no code here, except
 * MODEL_FAILED: the run's model could not be called.
 */
export const RPC_CODES: Readonly<Record<ErrorCode, number>> = {
  UNKNOWN_RUN: -32001,
  UNKNOWN_TOOL: -32004,
  INVALID_INPUT: -32005,
  INVALID_CONFIG: -32050,
  INVALID_DEFINITION: -32051,
  UNKNOWN_MODEL: -32052,
  MISSING_KEY: -32053,
  MISSING_PACKAGE: -32054,
  UNKNOWN_REQUEST: -32055,
  KEY_REUSED: -32056,
  JOURNAL_FAILED: -32057,
  JOURNAL_MISMATCH: -32058,
  UNEXPECTED_CALL: -32059,
  UNRECORDED_CALL: -32060,
  STATE_REFUSED: -32061,
  STATE_TOO_LARGE: -32062,
  SESSION_BUSY: -32063,
  NOT_PERMITTED: -32064,
  SERVER_UNREACHABLE: -32065,
  RUN_BUSY: -32066,
  RUN_SUSPENDED: -32067,
  STORE_UNUSABLE: -32068,
  MODEL_FAILED: -32069,
  NO_OUTPUT: -32070,
  STORE_DAMAGED: -32071,
  LIMIT_REACHED: -32072,
  RUN_GIVEN_UP: -32073,
}
