import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk'
import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import { a2aErrorOf } from './a2a-errors.ts'
import { checkOutputModes, messageIn, repliesIn, turnInput } from './message-in.ts'
import type { OpenTask } from './open-task.ts'
import { listTasks } from './task-list.ts'
import type { TaskDesk } from './task-desk.ts'
import type { ShownTask } from './task-view.ts'

export interface AgentTasksOptions {
  readonly desk: TaskDesk
  readonly card: AgentCard
  readonly extendedCard: AgentCard
  /** The version of the protocol that the client speaks. */
  readonly version: string
  /** Aborted when the client leaves. Its run goes on. */
  readonly signal: AbortSignal
  readonly onFault: (error: unknown) => void
}

const MOST_PUSH_TARGETS = 10

/** The tasks of one agent, as one user sees them, for any transport of A2A. Throws only errors of A2A. */
export class AgentTasks implements A2ARequestHandler {
  readonly #options: AgentTasksOptions
  readonly #desk: TaskDesk

  constructor(options: AgentTasksOptions) {
    this.#options = options
    this.#desk = options.desk
  }

  async getAgentCard(): Promise<AgentCard> {
    return this.#options.card
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return this.#options.extendedCard
  }

  sendMessage(params: SendMessageRequest): Promise<Task> {
    return this.#guard(async () => {
      const task = await this.#send(params)
      if (params.configuration?.returnImmediately !== true) {
        for await (const _ of task.updates(this.#options.signal));
      }
      return task.task(shownOf(params.configuration))
    })
  }

  async *sendMessageStream(params: SendMessageRequest): AsyncGenerator<StreamResponse, void> {
    yield* this.#guarded(async function* (this: AgentTasks) {
      const task = await this.#send(params)
      yield* this.#stream(task, shownOf(params.configuration))
    })
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#guard(async () => {
      const task = await this.#desk.open(named(id))
      return task.task(shownOf({ historyLength }))
    })
  }

  listTasks(params: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#guard(() => listTasks(this.#desk, params))
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#guard(async () => {
      const task = await this.#desk.open(named(id))
      if (!task.isOver) await this.#desk.cancel(task, this.#options.signal)
      if (!task.isCanceled) {
        throw new TaskNotCancelableError(`the task ${task.id} is over`)
      }
      return task.task()
    })
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void> {
    yield* this.#guarded(async function* (this: AgentTasks) {
      const task = await this.#desk.open(named(id))
      if (task.isOver) throw new UnsupportedOperationError(`the task ${task.id} is over`)
      await this.#desk.ensureLive(task)
      yield* this.#stream(task)
    })
  }

  createTaskPushNotificationConfig(
    params: TaskPushNotificationConfig,
  ): Promise<TaskPushNotificationConfig> {
    return this.#guard(async () => {
      const task = await this.#desk.open(named(params.taskId))
      return this.#addTarget(task.id, params)
    })
  }

  getTaskPushNotificationConfig({
    taskId,
    id,
  }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    return this.#guard(async () => {
      const all = await this.#targets(taskId)
      // A client of 0.3 may ask for the only one without its id.
      const found = id === '' ? all[0] : all.find((one) => one.id === id)
      if (found === undefined) throw new TaskNotFoundError(`there is no push configuration ${id}`)
      return found
    })
  }

  listTaskPushNotificationConfigs({
    taskId,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#guard(async () => ({ configs: await this.#targets(taskId), nextPageToken: '' }))
  }

  deleteTaskPushNotificationConfig({
    taskId,
    id,
  }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    return this.#guard(async () => {
      const task = await this.#desk.open(named(taskId))
      await this.#desk.removeTarget(task.id, id)
    })
  }

  /** The message begins a task, or a turn of one, or replies to what a task waits for. */
  async #send(params: SendMessageRequest): Promise<OpenTask> {
    const message = messageIn(params)
    checkOutputModes(params)
    const target = params.configuration?.taskPushNotificationConfig
    if (target !== undefined) this.#desk.checkTarget(target)
    const task =
      message.taskId === '' ? await this.#start(params, message) : await this.#goOn(params, message)
    if (target !== undefined) await this.#addTarget(task.id, target)
    this.#desk.follow(task)
    return task
  }

  async #start(params: SendMessageRequest, message: Message): Promise<OpenTask> {
    const { agent, fetchFile } = this.#desk
    const input = await turnInput({ message, metadata: params.metadata }, agent, fetchFile)
    return this.#desk.start(input, message)
  }

  async #goOn(params: SendMessageRequest, message: Message): Promise<OpenTask> {
    const task = await this.#desk.open(message.taskId)
    const { context } = task.record
    if (message.contextId !== '' && message.contextId !== context) {
      throw new RequestMalformedError(`the task ${task.id} belongs to another context`)
    }
    if (task.isOver) {
      throw new UnsupportedOperationError(
        `the task ${task.id} is over; send the message without a taskId, and with its contextId to go on`,
      )
    }
    if (task.requests.length > 0) {
      for (const reply of repliesIn(message, task.requests))
        await this.#desk.answer(task, reply, message)
      return task
    }
    if (task.state !== TaskState.TASK_STATE_INPUT_REQUIRED) {
      throw new UnsupportedOperationError(
        `the task ${task.id} is at work; wait for it, or cancel it`,
      )
    }
    const { agent, fetchFile } = this.#desk
    const input = await turnInput({ message, metadata: params.metadata }, agent, fetchFile)
    return this.#desk.nextTurn(task, input, message)
  }

  async *#stream(task: OpenTask, shown?: ShownTask): AsyncGenerator<StreamResponse, void> {
    yield task.snapshot(shown)
    for await (const payload of task.updates(this.#options.signal)) yield { payload }
  }

  async #targets(taskId: string): Promise<TaskPushNotificationConfig[]> {
    const { record } = await this.#desk.open(named(taskId))
    return this.#desk.targetsOf(record).map(({ config }) => config)
  }

  async #addTarget(
    taskId: string,
    target: TaskPushNotificationConfig,
  ): Promise<TaskPushNotificationConfig> {
    const { version } = this.#options
    return this.#desk.addTarget(taskId, { config: target, version }, MOST_PUSH_TARGETS)
  }

  async #guard<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      throw a2aErrorOf(error, this.#options.onFault)
    }
  }

  async *#guarded(
    work: (this: AgentTasks) => AsyncGenerator<StreamResponse, void>,
  ): AsyncGenerator<StreamResponse, void> {
    try {
      yield* work.call(this)
    } catch (error) {
      throw a2aErrorOf(error, this.#options.onFault)
    }
  }
}

function named(id: string): string {
  if (id.trim() === '') throw new RequestMalformedError('name a task by its id')
  return id
}

function shownOf(given: { readonly historyLength?: number | undefined } | undefined): ShownTask {
  const historyLength = given?.historyLength
  if (historyLength === undefined) return {}
  if (!Number.isInteger(historyLength) || historyLength < 0) {
    throw new RequestMalformedError('historyLength is a whole number, 0 or more')
  }
  return { historyLength }
}
