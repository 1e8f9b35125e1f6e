import {
  type Artifact,
  type Message,
  type Part,
  type Task,
  TaskState,
  type TaskArtifactUpdateEvent,
} from '@a2a-js/sdk'
import type { TaskUpdate } from './turn-to-task.ts'

const TERMINAL: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
])

export const isTerminal = (state: TaskState): boolean => TERMINAL.has(state)

/** Whether a stream ends here: the task is over, or it is the user's turn. */
export const endsStream = (state: TaskState): boolean =>
  isTerminal(state) || state === TaskState.TASK_STATE_INPUT_REQUIRED

/** A task as all its updates so far leave it: what a client gets that asks for it. */
export class TaskView {
  readonly #id: string
  readonly #context: string
  readonly #history: Message[] = []
  readonly #known = new Set<string>()
  readonly #artifacts = new Map<string, Artifact>()
  #status: NonNullable<Task['status']>
  #metadata: Task['metadata']

  constructor(id: string, context: string, at: number) {
    this.#id = id
    this.#context = context
    this.#status = {
      state: TaskState.TASK_STATE_SUBMITTED,
      message: undefined,
      timestamp: new Date(at).toISOString(),
    }
  }

  get state(): TaskState {
    return this.#status.state
  }

  say(message: Message): void {
    if (this.#known.has(message.messageId)) return
    this.#known.add(message.messageId)
    this.#history.push(message)
  }

  apply(update: TaskUpdate): void {
    if (update.$case === 'artifactUpdate') return this.#add(update.value)
    const { status, metadata } = update.value
    if (status === undefined) return
    this.#status = status
    if (status.message !== undefined) this.say(status.message)
    if (endsStream(status.state) && metadata !== undefined) this.#metadata = metadata
  }

  /** The state without an event, such as of a task that was canceled between two turns. */
  become(state: TaskState, at: number): void {
    this.#status = { state, message: undefined, timestamp: new Date(at).toISOString() }
  }

  artifact(id: string): Artifact | undefined {
    return this.#artifacts.get(id)
  }

  /** @param historyLength newest messages; all if absent */
  task({ historyLength, artifacts = true }: ShownTask = {}): Task {
    const { length } = this.#history
    return {
      id: this.#id,
      contextId: this.#context,
      status: { ...this.#status },
      artifacts: artifacts ? [...this.#artifacts.values()] : [],
      history: this.#history.slice(Math.max(0, length - Math.max(0, historyLength ?? length))),
      metadata: this.#metadata,
    }
  }

  #add({ artifact, append }: TaskArtifactUpdateEvent): void {
    if (artifact === undefined) return
    const known = this.#artifacts.get(artifact.artifactId)
    if (known === undefined || !append)
      return void this.#artifacts.set(artifact.artifactId, artifact)
    this.#artifacts.set(artifact.artifactId, {
      ...known,
      metadata: artifact.metadata ?? known.metadata,
      parts: joined([...known.parts, ...artifact.parts]),
    })
  }
}

export interface ShownTask {
  readonly historyLength?: number | undefined
  /** Default true. */
  readonly artifacts?: boolean | undefined
}

/** Neighboring text parts as one, since each was a piece of one text. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last?.content?.$case === 'text' && part.content?.$case === 'text') {
      const value = last.content.value + part.content.value
      all[all.length - 1] = { ...part, content: { $case: 'text', value } }
    } else all.push(part)
  }
  return all
}
