import { isRecord, type Json } from '../../core/json.ts'
import type { CaseArtifact } from './case-result.ts'
import type { TaskState, TaskView } from './task-view.ts'

/** A piece of what was said or made, by kind. */
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
  /** What the user asked, and what each tool gave. */
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

/** Data is an object on this wire; a tool of one's own may give anything. */
function partOf(result: Json | object): A2aPart {
  if (typeof result === 'string') return { kind: 'text', text: result }
  return { kind: 'data', data: isRecord(result) ? result : { value: result } }
}
