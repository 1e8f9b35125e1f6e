import {
  type Message,
  type Part,
  type TaskArtifactUpdateEvent,
  TaskState,
  type TaskStatusUpdateEvent,
} from '@a2a-js/sdk'
import type { ToolOutcome } from 'echelon/internal/tool'
import type { JsonObject } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { agentMessage, artifactOf, dataPart, textPart, urlPart } from './parts.ts'

/** A change of a task, as a stream sends it. */
export type TaskUpdate =
  | { readonly $case: 'statusUpdate'; readonly value: TaskStatusUpdateEvent }
  | { readonly $case: 'artifactUpdate'; readonly value: TaskArtifactUpdateEvent }

type PartOf<Type extends TurnPart['type']> = Extract<TurnPart, { readonly type: Type }>

/** A request of the run that no one has answered. */
export type OpenRequest = PartOf<'approval'> | PartOf<'question'>

export interface TurnOfTask {
  readonly task: string
  readonly context: string
  readonly run: string
  /** The place of the turn in the task, from 1. */
  readonly turn: number
  /** The address of a file that the run made. */
  readonly fileUrl: (run: string, name: string) => string
}

/** A piece of the answer that is held back until it is known whether it is the last one. */
interface Held {
  readonly text: string
  /** Whether earlier pieces of the same block were sent. */
  readonly append: boolean
}

/**
 * The mapping from the parts of a run to the updates of its task:
 *
 * | part                       | update                                                        |
 * | -------------------------- | ------------------------------------------------------------- |
 * | `start`                    | working                                                       |
 * | `text-*`                   | chunks of the artifact `answer`; a new block replaces the old |
 * | `tool-call`, `note`        | working, with the event in the metadata                       |
 * | `tool-result`              | working, with a data part; an artifact for each file          |
 * | `approval`, `question`     | input-required, with the choices in words and as a data part  |
 * | `answered`                 | working, or input-required while other requests are open      |
 * | `end`                      | completed, failed, canceled or input-required; `output`       |
 *
 * Steps, reasoning, partial objects, models and warnings are not shown, and tools of a client do not exist in A2A.
 * Text goes out one piece late, since only the last piece is marked as such and says how sure it is.
 */
export class TurnToTask {
  readonly #of: TurnOfTask
  readonly #open = new Map<string, OpenRequest>()
  readonly #calls = new Set<string>()
  readonly #later: TaskUpdate[] = []
  #held: Held | undefined
  /** The text of the artifact `answer`, sent or held. */
  #answer = ''
  #hasBegun = false

  constructor(of: TurnOfTask) {
    this.#of = of
  }

  get requests(): readonly OpenRequest[] {
    return [...this.#open.values()]
  }

  *of(part: TurnPart, at: number): Generator<TaskUpdate, void> {
    switch (part.type) {
      case 'start':
        if (!this.#hasBegun) yield this.#status('working', at)
        this.#hasBegun = true
        break
      case 'text-start':
        yield* this.#flush()
        this.#answer = ''
        break
      case 'text-delta':
        yield* this.#text(part.delta)
        break
      case 'text-drop':
        this.#held = undefined
        this.#answer = ''
        break
      case 'tool-call':
        yield* this.#flush()
        if (part.depth > 0 || this.#calls.has(part.id)) break
        this.#calls.add(part.id)
        yield* this.#progress(at, { event: 'tool-call', tool: part.tool, call: part.id })
        break
      case 'tool-result':
        yield* this.#result(part, at)
        break
      case 'note':
        yield* this.#progress(at, { event: 'note', stage: part.stage, data: part.data })
        break
      case 'approval':
      case 'question':
        yield* this.#request(part, at)
        break
      case 'answered':
        if (!this.#open.delete(part.request)) break
        yield this.#waiting(at)
        if (this.#open.size === 0) yield* this.#deferred()
        break
      case 'end':
        yield* this.#end(part.end, at)
        break
      case 'text-end':
      case 'reasoning':
      case 'step-start':
      case 'step-end':
      case 'partial':
      case 'tool-progress':
      case 'client-turn':
      case 'model':
      case 'warning':
      case 'suspended':
        break
    }
  }

  *#text(delta: string): Generator<TaskUpdate, void> {
    const held = this.#held
    if (held !== undefined) yield this.#chunk(held, { last: false })
    this.#held = { text: delta, append: this.#answer !== '' }
    this.#answer += delta
  }

  *#flush(metadata?: JsonObject): Generator<TaskUpdate, void> {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined) yield this.#chunk(held, { last: true, metadata })
  }

  #chunk(
    { text, append }: Held,
    { last, metadata }: { readonly last: boolean; readonly metadata?: JsonObject | undefined },
  ): TaskUpdate {
    const { turn } = this.#of
    const part: Part = { ...textPart(text), metadata }
    const id = turn === 1 ? 'answer' : `answer-${turn}`
    return this.#artifact({ id, name: 'answer', parts: [part] }, { append, last })
  }

  *#result({ id, tool, outcome }: PartOf<'tool-result'>, at: number): Generator<TaskUpdate, void> {
    if (outcome.type === 'ok') {
      for (const file of outcome.artifacts ?? []) {
        const { name, mediaType, bytes, sha256 } = file
        const url = this.#of.fileUrl(this.#of.run, name)
        yield this.#artifact(
          {
            id: `file-${sha256}`,
            name,
            description: `A file that the tool ${tool} made`,
            parts: [urlPart(url, name, mediaType)],
            metadata: { bytes, sha256 },
          },
          { append: false, last: true },
        )
      }
    }
    if (!this.#calls.has(id)) return
    const message = this.#message(`${id}:result`, [dataPart({ tool, call: id, ...told(outcome) })])
    yield* this.#progress(at, { event: 'tool-result', tool, call: id }, message)
  }

  *#request(part: OpenRequest, at: number): Generator<TaskUpdate, void> {
    yield* this.#flush()
    if (this.#open.has(part.request)) return
    this.#open.set(part.request, part)
    yield this.#waiting(at)
  }

  /** The request that the task waits for: all open requests in one message, or nothing. */
  #waiting(at: number): TaskUpdate {
    const open = this.requests
    if (open.length === 0) return this.#status('working', at)
    const ids = open.map(({ request }) => request).join('+')
    const message = this.#message(`${ids}${REQUEST}`, [
      ...open.map((one) => textPart(sentence(one))),
      ...open.map((one) => dataPart(requestData(one))),
    ])
    return this.#status('input-required', at, undefined, message)
  }

  *#end(end: TurnEnd, at: number): Generator<TaskUpdate, void> {
    this.#open.clear()
    yield* this.#deferred()
    const facts = factsOf(end)
    const state = shownAtEnd(end)
    const isQuestion = state === 'input-required'
    // A question to the user is the message of the status, not a result.
    if (isQuestion && this.#held?.append === false) this.#held = undefined
    else if (end.text !== '' && this.#answer !== end.text) {
      this.#held = { text: end.text, append: false }
      this.#answer = end.text
    }
    yield* this.#flush({ checked: end.checked, confidence: end.confidence, cost: end.cost })
    if (end.output !== undefined) {
      const id = this.#of.turn === 1 ? 'output' : `output-${this.#of.turn}`
      yield this.#artifact(
        { id, name: 'output', parts: [dataPart(end.output)], metadata: facts },
        { append: false, last: true },
      )
    }
    const told = isQuestion ? end.text : (end.detail ?? (state === 'completed' ? '' : end.reason))
    const message = told === '' ? undefined : this.#message('end', [textPart(told)])
    yield this.#status(state, at, facts, message)
  }

  #artifact(
    artifact: Parameters<typeof artifactOf>[0],
    { append, last }: { readonly append: boolean; readonly last: boolean },
  ): TaskUpdate {
    const { task, context } = this.#of
    const value = {
      taskId: task,
      contextId: context,
      artifact: artifactOf(artifact),
      append,
      lastChunk: last,
      metadata: undefined,
    }
    return { $case: 'artifactUpdate', value }
  }

  /** Updates of a working task. While it waits for a reply, updates are held until the reply. */
  *#progress(at: number, metadata: JsonObject, message?: Message): Generator<TaskUpdate, void> {
    const update = this.#status('working', at, metadata, message)
    if (this.#open.size > 0) this.#later.push(update)
    else yield update
  }

  *#deferred(): Generator<TaskUpdate, void> {
    yield* this.#later.splice(0)
  }

  #status(state: ShownState, at: number, metadata?: JsonObject, message?: Message): TaskUpdate {
    const { task, context } = this.#of
    const status = { state: STATES[state], message, timestamp: new Date(at).toISOString() }
    return {
      $case: 'statusUpdate',
      value: { taskId: task, contextId: context, status, metadata },
    }
  }

  #message(id: string, parts: readonly Part[]): Message {
    const { task, context, run } = this.#of
    // The ids of requests begin with that of their run.
    const full = id.startsWith(`${run}:`) ? id : `${run}:${id}`
    return agentMessage({ id: full, task, context, parts })
  }
}

/** Suffix of the id of a message that asks the user. */
const REQUEST = ':request'

export const asksUser = (message: Message | undefined): boolean =>
  message?.messageId.endsWith(REQUEST) === true

type ShownState = 'working' | 'input-required' | 'completed' | 'failed' | 'canceled'

const STATES: Readonly<Record<ShownState, TaskState>> = {
  working: TaskState.TASK_STATE_WORKING,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
}

/** A turn without an answer failed, and so did one whose answer was found to be wrong. */
function shownAtEnd({ status, text, output, checked, needsInput }: TurnEnd): ShownState {
  if (status === 'canceled') return 'canceled'
  if (status === 'failed' || checked === 'refuted') return 'failed'
  if (needsInput) return 'input-required'
  return text === '' && output === undefined ? 'failed' : 'completed'
}

export const stateAtEnd = (end: TurnEnd): TaskState => STATES[shownAtEnd(end)]

/** Metadata of an answer. */
const factsOf = (end: TurnEnd): JsonObject => ({
  checked: end.checked,
  confidence: end.confidence,
  cost: end.cost,
  escalated: end.escalated,
  reason: end.reason,
  usage: { ...end.usage },
  rungs: end.rungs.map((rung) => ({ ...rung })),
})

function told(outcome: ToolOutcome): JsonObject {
  switch (outcome.type) {
    case 'ok':
      return { result: outcome.value }
    case 'error':
      return { error: { code: outcome.code, message: outcome.message } }
    case 'denied':
      return { error: { code: 'DENIED', message: outcome.reason } }
    case 'refused':
      return { error: { code: 'REFUSED', message: outcome.reason ?? outcome.limit } }
    case 'unknown':
      return { error: { code: 'UNKNOWN', message: outcome.message } }
  }
}

function sentence(part: OpenRequest): string {
  if (part.type === 'question') return part.question
  const { tool, why, choices } = part.about
  return `The tool ${tool} needs approval (${why}). Reply with one of: ${choices.join(', ')}.`
}

function requestData(part: OpenRequest): JsonObject {
  if (part.type === 'question') {
    const { request, question, schema } = part
    return { type: 'question', request, question, schema }
  }
  const { tool, input, why, choices } = part.about
  return { type: 'approval', request: part.request, tool, input, why, choices: [...choices] }
}
