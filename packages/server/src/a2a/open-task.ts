import { type Message, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk'
import type { RunEvent } from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import type { TurnEnd } from '../agents/served-agent.ts'
import { UNMEASURED } from '../agents/unmeasured.ts'
import { problemOf } from '../http/problem.ts'
import type { RunHub } from '../runs/run-hub.ts'
import { type LoggedEvent, START } from '../runs/run-log.ts'
import { TurnParts } from '../runs/turn-parts.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { messageOf, type TaskRecord, type TaskTurn, turnEndOf } from './task-record.ts'
import { endsStream, isTerminal, type ShownTask, TaskView } from './task-view.ts'
import { type OpenRequest, type TaskUpdate, TurnToTask } from './turn-to-task.ts'

export interface OpenTaskParts {
  readonly hub: RunHub
  readonly principal: Principal
  readonly id: string
  readonly record: TaskRecord
  readonly now: () => number
  readonly fileUrl: (run: string, name: string) => string
}

interface Turn {
  readonly turn: TaskTurn
  readonly mapping: TurnToTask
  readonly parts: TurnParts
}

const NEVER = new AbortController().signal

/**
 * A task, read from the events of its runs up to some place, and from there on followed. The first
 * view and the later updates fit together: nothing is lost or sent twice.
 */
export class OpenTask {
  readonly id: string
  readonly record: TaskRecord
  readonly #parts: OpenTaskParts
  readonly #view: TaskView
  #turn: Turn
  #place: Pick<LoggedEvent, 'n' | 'sub'> = START
  #end: TurnEnd | undefined
  #wasCanceled = false
  #changedAt: number

  constructor(parts: OpenTaskParts) {
    const { id, record, now } = parts
    this.id = id
    this.record = record
    this.#parts = parts
    const [first] = record.turns
    this.#changedAt = first?.at ?? now()
    this.#view = new TaskView(id, record.context, this.#changedAt)
    this.#turn = this.#begin(0)
  }

  get state(): TaskState {
    return this.#view.state
  }

  get isOver(): boolean {
    return isTerminal(this.#view.state)
  }

  get isCanceled(): boolean {
    return this.#view.state === TaskState.TASK_STATE_CANCELED
  }

  /** The run of the last turn. */
  get run(): string {
    return this.#turn.turn.run
  }

  /** How the last turn ended; `undefined` while it works. */
  get end(): TurnEnd | undefined {
    return this.#end
  }

  get requests(): readonly OpenRequest[] {
    return this.#turn.mapping.requests
  }

  get view(): TaskView {
    return this.#view
  }

  task(shown?: ShownTask): Task {
    return this.#view.task(shown)
  }

  /** The task as the first event of a stream. */
  snapshot(shown?: ShownTask): StreamResponse {
    return { payload: { $case: 'task', value: this.task(shown) } }
  }

  /** Reads everything up to now. */
  async read(): Promise<this> {
    for (const [index] of this.record.turns.entries()) {
      if (index > 0) this.#turn = this.#begin(index)
      await this.#readTurn()
    }
    const { canceledAt } = this.record
    if (canceledAt !== null) this.cancel(canceledAt)
    return this
  }

  /** Reads all turns but the last, which has only just begun. */
  async readBefore(): Promise<this> {
    for (const [index] of this.record.turns.slice(0, -1).entries()) {
      if (index > 0) this.#turn = this.#begin(index)
      await this.#readTurn()
    }
    const { length } = this.record.turns
    if (length > 1) {
      this.#turn = this.#begin(length - 1)
      this.#view.become(TaskState.TASK_STATE_WORKING, this.#turn.turn.at)
    }
    return this
  }

  /** Takes in that a request was answered, before the run tells it. */
  answered(request: string, message: Message): void {
    this.#view.say(message)
    for (const _ of this.#applyPart({ type: 'answered', request, reply: null }, this.#parts.now()));
  }

  /** Takes in that the task was canceled between two turns. */
  cancel(at: number): void {
    this.#view.become(TaskState.TASK_STATE_CANCELED, at)
  }

  /**
   * Events from here on, until the task is over or it is the user's turn; with `through`, also beyond
   * that, as long as the run works in this process.
   */
  async *updates(
    signal: AbortSignal,
    { through = false }: { readonly through?: boolean } = {},
  ): AsyncGenerator<TaskUpdate, void> {
    if (this.isOver || this.#end !== undefined) return
    const { hub, principal } = this.#parts
    for await (const logged of hub.follow(this.run, principal, { after: this.#place, signal })) {
      for (const update of this.#apply(logged)) {
        yield update
        if (!through && isStop(update)) return
      }
    }
    if (!signal.aborted) yield* this.#finish()
  }

  #begin(index: number): Turn {
    const turn = this.record.turns[index]
    if (turn === undefined) throw new RangeError(`the task ${this.id} has no turn ${index}`)
    this.#place = START
    this.#end = undefined
    if (turn.message !== null) this.#view.say(messageOf(turn.message))
    const { fileUrl } = this.#parts
    const of = {
      task: this.id,
      context: this.record.context,
      run: turn.run,
      turn: index + 1,
      fileUrl,
    }
    return { turn, mapping: new TurnToTask(of), parts: new TurnParts() }
  }

  async #readTurn(): Promise<void> {
    const { hub, principal } = this.#parts
    const live = hub.live(this.run, principal)
    const until = live === undefined || live.log.isOver ? undefined : live.log.last
    if (until === undefined || until.n > 0 || until.sub > 0) {
      for await (const logged of hub.follow(this.run, principal, { signal: NEVER })) {
        for (const _ of this.#apply(logged));
        if (until !== undefined && !isBefore(logged, until)) return
      }
    }
    if (until === undefined) for await (const _ of this.#finish());
  }

  *#apply(logged: LoggedEvent): Generator<TaskUpdate, void> {
    const { event, at, n, sub } = logged
    this.#place = { n, sub }
    this.#changedAt = at
    if (isCanceled(event)) this.#wasCanceled = true
    this.#showReplies(at)
    for (const part of this.#turn.parts.of(event)) yield* this.#applyPart(part, at)
  }

  /** Replies are not in the events of the run, but in the record. */
  #showReplies(until: number): void {
    for (const { at, asked, message } of this.#turn.turn.replies) {
      if (at > until) continue
      if (asked !== null) this.#view.say(messageOf(asked))
      this.#view.say(messageOf(message))
    }
  }

  /** The end, if the run is over; otherwise what it waits for. */
  async *#finish(): AsyncGenerator<TaskUpdate, void> {
    this.#showReplies(Infinity)
    const told = await this.#told()
    if (told === undefined) return yield* this.#waits()
    // A canceled turn of some agents ends with words for the user.
    const end: TurnEnd = this.#wasCanceled ? { ...told, status: 'canceled' } : told
    this.#end = end
    for (const part of this.#turn.parts.end(end)) yield* this.#applyPart(part, this.#changedAt)
  }

  /** How the run ended. It is from the record if its agent can't tell it again. */
  async #told(): Promise<TurnEnd | undefined> {
    const { hub, principal } = this.#parts
    const { turn } = this.#turn
    if (turn.end !== null) return turnEndOf(turn.end)
    try {
      return await hub.endOf(turn.run, principal)
    } catch (error) {
      return failedEnd(problemOf(error).message)
    }
  }

  /** The newest events of a run that works nowhere may not be stored, but its open requests are. */
  async *#waits(): AsyncGenerator<TaskUpdate, void> {
    const { hub, principal } = this.#parts
    if (hub.live(this.run, principal)?.log.isOver === false) return
    const { requests } = await hub.find(this.run, principal)
    for (const { id: request, about } of requests) {
      const event: RunEvent = { type: 'request-open', path: '', seq: 0, request, about }
      for (const part of this.#turn.parts.of(event)) yield* this.#applyPart(part, this.#changedAt)
    }
  }

  *#applyPart(part: TurnPart, at: number): Generator<TaskUpdate, void> {
    const { mapping } = this.#turn
    for (const update of mapping.of(part, at)) {
      this.#view.apply(update)
      yield update
    }
  }
}

const isBefore = (a: Pick<LoggedEvent, 'n' | 'sub'>, b: Pick<LoggedEvent, 'n' | 'sub'>): boolean =>
  a.n < b.n || (a.n === b.n && a.sub < b.sub)

const isCanceled = (event: RunEvent): boolean =>
  event.type === 'run-end' && event.status === 'canceled'

const isStop = (update: TaskUpdate): boolean => {
  const state = update.$case === 'statusUpdate' ? update.value.status?.state : undefined
  return state !== undefined && endsStream(state)
}

const failedEnd = (detail: string): TurnEnd => ({
  status: 'failed',
  text: '',
  reason: 'fault',
  detail,
  ...UNMEASURED,
})
