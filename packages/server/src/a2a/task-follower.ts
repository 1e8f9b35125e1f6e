import { setTimeout as wait } from 'node:timers/promises'
import type { Principal } from '../access/principal.ts'
import { faultLine } from '../http/log-line.ts'
import { HttpProblem } from '../http/problem.ts'
import type { RunHub } from '../runs/run-hub.ts'
import { OpenTask } from './open-task.ts'
import { PushChoice, PushNotices, type Reach } from './push-notices.ts'
import { keptEnd, pushOf, type TaskRecords } from './task-record.ts'

export interface TaskFollowerOptions {
  readonly hub: RunHub
  readonly records: TaskRecords
  readonly now: () => number
  readonly reach: Reach
  readonly log: (line: string) => void
  /** The address of a file below an address of the server. */
  readonly fileUrl: (base: string, agent: string, run: string, name: string) => string
}

interface FollowedTurn {
  readonly task: string
  readonly run: string
  readonly base: string
}

/** The server itself, which follows the tasks of everybody. */
const SERVER: Principal = { name: 'server', isOperator: true }
const NEVER = new AbortController().signal

/** Follows each task in this process to its end: sends its notifications, and notes how it ended. */
export class TaskFollower {
  readonly #options: TaskFollowerOptions
  readonly #push: PushNotices
  /** Runs that are followed. */
  readonly #followed = new Set<string>()

  constructor(options: TaskFollowerOptions) {
    this.#options = options
    const { reach, log } = options
    this.#push = new PushNotices({
      reach,
      log,
      wait: (ms) => wait(ms, undefined, { ref: false }),
    })
    options.hub.onResumed(({ id }) => void this.#followResumed(id))
  }

  /**
   * Follows a turn that has just begun.
   * @param base the address under which its user reached the server, for links: no other request may choose it
   */
  followNew(task: string, run: string, base: string): void {
    this.#start({ task, run, base }, (opened) => opened.readBefore())
  }

  async #followResumed(run: string): Promise<void> {
    const record = await this.#options.records.read(run).catch(() => undefined)
    if (record === undefined) return
    const task = 'of' in record ? record.of : run
    // There is no request whose address could be used, so links have none.
    this.#start({ task, run, base: '' }, (opened) => opened.read())
  }

  #start(turn: FollowedTurn, begin: (task: OpenTask) => Promise<OpenTask>): void {
    const { task, run } = turn
    if (this.#followed.has(run)) return
    this.#followed.add(run)
    this.#follow(turn, begin)
      .catch((error: unknown) =>
        this.#options.log(`a2a: the task ${task} is not followed: ${faultLine(error)}`),
      )
      .finally(() => this.#followed.delete(run))
  }

  async #follow(turn: FollowedTurn, begin: (task: OpenTask) => Promise<OpenTask>): Promise<void> {
    const opened = await this.#open(turn)
    if (opened === undefined) return
    const task = await begin(opened)
    try {
      await this.#notify(task)
    } catch (error) {
      if (!(error instanceof HttpProblem && error.code === 'too_slow')) throw error
      return this.#follow(turn, (again) => again.read())
    }
    const { end, run } = task
    if (end === undefined) return
    await this.#options.records.changeTurn(turn.task, run, (kept) => ({
      ...kept,
      end: keptEnd(end),
    }))
  }

  async #notify(task: OpenTask): Promise<void> {
    const choice = new PushChoice()
    for await (const update of task.updates(NEVER, { through: true })) {
      const notice = choice.of(update, task.view)
      if (notice === undefined) continue
      const record = await this.#options.records.read(task.id)
      if (record === undefined || 'of' in record || record.push.length === 0) continue
      await this.#push.deliver(notice, task.task(), record.push.map(pushOf))
    }
  }

  async #open({ task: id, base }: FollowedTurn): Promise<OpenTask | undefined> {
    const { hub, records, now, fileUrl } = this.#options
    const record = await records.read(id)
    if (record === undefined || 'of' in record) return undefined
    return new OpenTask({
      hub,
      principal: SERVER,
      id,
      record,
      now,
      fileUrl: (run, name) => fileUrl(base, record.agent, run, name),
    })
  }
}
