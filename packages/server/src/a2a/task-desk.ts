import type { Message, TaskPushNotificationConfig } from '@a2a-js/sdk'
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors'
import { type Clock, EchelonError, type Ids, type Json } from 'echelon/runtime'
import type { RunFilter, RunSummary } from 'echelon/internal/store'
import { type Principal, sessionIn } from '../access/principal.ts'
import type { ServedAgent, TurnInput } from '../agents/served-agent.ts'
import type { RunHub } from '../runs/run-hub.ts'
import { checkedUrl } from '../http/guarded-fetch.ts'
import type { Reach } from './push-notices.ts'
import type { FetchFile } from './message-in.ts'
import { OpenTask } from './open-task.ts'
import {
  messageJson,
  type PushTarget,
  pushJson,
  pushOf,
  type TaskRecord,
  type TaskRecords,
  type TaskTurn,
} from './task-record.ts'

export interface TaskDeskOptions {
  readonly hub: RunHub
  readonly clock: Clock
  readonly ids: Ids
  readonly records: TaskRecords
  readonly agent: ServedAgent
  readonly principal: Principal
  readonly fileUrl: (run: string, name: string) => string
  readonly fetchFile: FetchFile
  readonly reach: Reach
  /** Follows a turn that has just begun to its end, to notify its subscribers. */
  readonly follow: (task: string, run: string) => void
}

/**
 * Opens, starts, continues and cancels the tasks of one agent for one user. A task of another user or of
 * another agent is not found.
 */
export class TaskDesk {
  readonly agent: ServedAgent
  readonly fetchFile: FetchFile
  readonly #options: TaskDeskOptions

  constructor(options: TaskDeskOptions) {
    this.#options = options
    this.agent = options.agent
    this.fetchFile = options.fetchFile
  }

  /** @throws TaskNotFoundError */
  async open(id: string): Promise<OpenTask> {
    const record = await this.#find(id)
    return this.#task(id, record).read()
  }

  async start(input: TurnInput, message: Message): Promise<OpenTask> {
    const { hub, ids, records, agent, principal } = this.#options
    const context = message.contextId === '' ? ids.next() : message.contextId
    const live = await hub.start(agent, input, {
      principal,
      ...(agent.accepts.sessions && { session: context }),
    })
    const own = { ...message, taskId: live.id, contextId: context }
    const record: TaskRecord = {
      v: 1,
      agent: agent.name,
      context,
      turns: [this.#turn(live.id, own)],
      push: [],
      canceledAt: null,
    }
    await records.create(live.id, record)
    return this.#task(live.id, record).readBefore()
  }

  /** A turn of a task whose last turn ended with a question to the user. */
  async nextTurn(task: OpenTask, input: TurnInput, message: Message): Promise<OpenTask> {
    const { hub, records, agent, principal } = this.#options
    const { context } = task.record
    const live = await hub.start(agent, input, {
      principal,
      ...(agent.accepts.sessions && { session: context }),
    })
    const turn = this.#turn(live.id, { ...message, taskId: task.id, contextId: context })
    await records.addTurn(task.id, turn)
    const record = { ...task.record, turns: [...task.record.turns, turn] }
    return this.#task(task.id, record).readBefore()
  }

  /** @throws EchelonError INVALID_INPUT for a reply that does not fit; the task keeps waiting */
  async answer(
    task: OpenTask,
    given: { readonly request: string; readonly reply: Json },
    message: Message,
  ): Promise<void> {
    const { hub, principal, records, clock } = this.#options
    const { id, run, record } = task
    const asked = task.task().status?.message
    const at = clock.now()
    await hub.answer(run, given, principal)
    const own = { ...message, taskId: id, contextId: record.context }
    const reply = {
      at,
      asked: asked === undefined ? null : messageJson(asked),
      message: messageJson(own),
    }
    await records.changeTurn(id, run, (turn) => ({ ...turn, replies: [...turn.replies, reply] }))
    task.answered(given.request, own)
    await this.ensureLive(task)
  }

  /** Resumes the run of a task that waits or was left, so that it can be followed. */
  async ensureLive({ run }: OpenTask): Promise<void> {
    const { hub, principal } = this.#options
    const live = hub.live(run, principal)
    if (live !== undefined && !live.log.isOver) return
    if (this.agent.resume === undefined) return
    const summary = await this.#summary(run)
    if (summary === undefined || !RESUMABLE.has(summary.status)) return
    try {
      await hub.resume(summary)
    } catch (error) {
      // Another process works on it.
      if (!(error instanceof EchelonError && error.code === 'RUN_BUSY')) throw error
    }
  }

  async cancel(task: OpenTask, signal: AbortSignal): Promise<void> {
    const { hub, principal, records, clock } = this.#options
    if (task.end?.needsInput === true) {
      const at = clock.now()
      await records.change(task.id, (record) => ({ ...record, canceledAt: at }))
      task.cancel(at)
      return
    }
    await hub.cancel(task.run, principal)
    await this.ensureLive(task)
    for await (const _ of task.updates(signal, { through: true }));
  }

  follow({ id, run }: OpenTask): void {
    this.#options.follow(id, run)
  }

  targetsOf({ push }: TaskRecord): readonly PushTarget[] {
    return push.map(pushOf)
  }

  /** @throws HttpProblem for an address that must not be notified */
  checkTarget({ url }: TaskPushNotificationConfig): void {
    checkedUrl(url, this.#options.reach)
  }

  async addTarget(
    task: string,
    { config, version }: PushTarget,
    most: number,
  ): Promise<TaskPushNotificationConfig> {
    this.checkTarget(config)
    const { ids, records } = this.#options
    const id = config.id === '' ? ids.next() : config.id
    const own = { ...config, id, taskId: task }
    await records.change(task, (record) => {
      const others = record.push.filter((one) => pushOf(one).config.id !== id)
      if (others.length >= most) {
        throw new RequestMalformedError(`a task has at most ${most} push configurations`)
      }
      return { ...record, push: [...others, pushJson({ config: own, version })] }
    })
    return own
  }

  async removeTarget(task: string, id: string): Promise<void> {
    await this.#options.records.change(task, (record) => ({
      ...record,
      push: record.push.filter((one) => pushOf(one).config.id !== id),
    }))
  }

  /** The user's runs of this agent, newest first. */
  async runs(filter: RunFilter): Promise<readonly RunSummary[]> {
    const { hub, principal } = this.#options
    const all = await hub.list(principal, { ...filter, agent: this.agent.definition })
    return all.filter((run) => this.#isOurs(run))
  }

  /** The record of the task that begins with a run; `undefined` for a later run of a task. */
  async recordOf(run: RunSummary): Promise<TaskRecord | undefined> {
    const record = await this.#options.records.read(run.id)
    if (record === undefined) return unrecorded(run, this.agent.name)
    return 'of' in record ? undefined : record
  }

  async #find(id: string): Promise<TaskRecord> {
    const { hub, principal, records } = this.#options
    const missing = new TaskNotFoundError(`there is no task ${id}`)
    const live = hub.live(id, principal)
    const summary = await this.#summary(id)
    if (live === undefined && summary === undefined) throw missing
    if (live !== undefined && live.agent.name !== this.agent.name) throw missing
    if (live === undefined && summary !== undefined && !this.#isOurs(summary)) throw missing
    const record = await records.read(id)
    if (record !== undefined && 'of' in record) throw missing
    if (record !== undefined && record.agent !== this.agent.name) throw missing
    if (record !== undefined) return record
    if (summary === undefined) throw missing
    return unrecorded(summary, this.agent.name)
  }

  async #summary(id: string): Promise<RunSummary | undefined> {
    const { hub, principal } = this.#options
    try {
      return await hub.find(id, principal)
    } catch {
      return undefined
    }
  }

  #isOurs({ agent }: RunSummary): boolean {
    return agent === this.agent.definition
  }

  #task(id: string, record: TaskRecord): OpenTask {
    const { hub, principal, clock, fileUrl } = this.#options
    return new OpenTask({ hub, principal, id, record, now: () => clock.now(), fileUrl })
  }

  #turn(run: string, message: Message): TaskTurn {
    const at = this.#options.clock.now()
    return { run, at, message: messageJson(message), replies: [], end: null }
  }
}

const RESUMABLE: ReadonlySet<RunSummary['status']> = new Set(['waiting', 'interrupted', 'running'])

/** A run that was started by another protocol is a task too. */
function unrecorded({ id, session, beganAt }: RunSummary, agent: string): TaskRecord {
  const context = session === null ? id : (sessionIn(session)?.id ?? session)
  return {
    v: 1,
    agent,
    context,
    turns: [{ run: id, at: beganAt, message: null, replies: [], end: null }],
    push: [],
    canceledAt: null,
  }
}
