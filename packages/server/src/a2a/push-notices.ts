import type { StreamResponse, Task } from '@a2a-js/sdk'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server'
import { HttpProblem } from '../http/problem.ts'
import { guardedFetch, type GuardedFetchOptions } from '../http/guarded-fetch.ts'
import { LEGACY_VERSION } from './agent-card.ts'
import type { PushTarget } from './task-record.ts'
import type { TaskView } from './task-view.ts'
import { asksUser, type TaskUpdate } from './turn-to-task.ts'

const WITHIN_MS = 5000
const MOST_BYTES = 64 * 1024
/** Waits before another try, in milliseconds. */
const TRIES_AFTER = [0, 500, 2000] as const

export type Reach = Pick<GuardedFetchOptions, 'mayReach'>

export interface PushOptions {
  /** Which addresses may be notified. */
  readonly reach: Reach
  readonly wait: (ms: number) => Promise<void>
  readonly log: (line: string) => void
}

/**
 * Chooses what is worth a notification: each new state, each request, and each complete artifact as a whole.
 * Pieces of answers are for those who follow the stream.
 */
export class PushChoice {
  #state: unknown

  of(update: TaskUpdate, view: TaskView): StreamResponse | undefined {
    if (update.$case === 'artifactUpdate') {
      const { value } = update
      const whole = view.artifact(value.artifact?.artifactId ?? '')
      if (!value.lastChunk || whole === undefined) return undefined
      return {
        payload: { $case: 'artifactUpdate', value: { ...value, artifact: whole, append: false } },
      }
    }
    const { status } = update.value
    const key = `${status?.state} ${asksUser(status?.message) ? status?.message?.messageId : ''}`
    if (key === this.#state) return undefined
    this.#state = key
    return { payload: update }
  }
}

/** Delivers notifications to the addresses that clients gave. */
export class PushNotices {
  readonly #options: PushOptions

  constructor(options: PushOptions) {
    this.#options = options
  }

  /** Tells all targets, each up to three times. Never throws. */
  async deliver(notice: StreamResponse, task: Task, targets: readonly PushTarget[]): Promise<void> {
    await Promise.all(targets.map((target) => this.#deliver(notice, task, target)))
  }

  async #deliver(
    notice: StreamResponse,
    task: Task,
    { config, version }: PushTarget,
  ): Promise<void> {
    const { reach, wait, log } = this.#options
    const isLegacy = version === LEGACY_VERSION
    const serializer = isLegacy
      ? new V03PushNotificationSerializer()
      : new V1PushNotificationSerializer()
    const { body, contentType } = serializer.serialize(notice, task)
    const headers = { 'content-type': contentType, ...credentials(config) }
    let problem = ''
    for (const ms of TRIES_AFTER) {
      await wait(ms)
      try {
        const { status } = await guardedFetch(config.url, {
          method: 'POST',
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          body,
          timeoutMs: WITHIN_MS,
          maxBytes: MOST_BYTES,
          ...reach,
        })
        if (status >= 200 && status < 300) return
        problem = `it answered ${status}`
        // Another try helps only if the receiver is at fault.
        if (status < 500 && status !== 429) break
      } catch (error) {
        problem = error instanceof Error ? error.message : 'it could not be reached'
        if (error instanceof HttpProblem && error.status < 500) break
      }
    }
    log(`a2a: the task ${task.id} could not be told to ${hostIn(config.url)}: ${problem}`)
  }
}

const hostIn = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'its receiver')

function credentials({ authentication, token }: PushTarget['config']): Record<string, string> {
  if (
    authentication !== undefined &&
    authentication.scheme !== '' &&
    authentication.credentials !== ''
  ) {
    return { authorization: `${authentication.scheme} ${authentication.credentials}` }
  }
  return token === '' ? {} : { 'x-a2a-notification-token': token }
}
