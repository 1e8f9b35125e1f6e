import type { LegEnd, Performer, RunOrder } from '../../core/engine/engine.ts'
import { hasEnded } from '../../core/store/has-ended.ts'
import type { RunStore } from '../../core/store/run-store.ts'
import { isJsonObject } from '../../core/value/json.ts'
import { asked, ended, OVER, started, SUSPENDED, takeUp } from '../run-store/premises.ts'

/** The behavior of a scripted run, given as the task of its order. */
export type ScriptedTask =
  /** It works for a while, then ends. */
  | { readonly do: 'work'; readonly ms: number }
  /** It ends once its question is answered. */
  | { readonly do: 'ask' }
  /** It ends after it waited for a time. */
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'fail' }

/** Performs scripted runs on a store, and counts what it does. */
export class ScriptedPerformer implements Performer {
  readonly #store: RunStore
  /** Runs in the order in which they began. */
  readonly begun: string[] = []
  /** The most legs at the same time: of all, and by session and principal. */
  readonly most: Map<string, number> = new Map<string, number>()
  readonly #working = new Map<string, number>()

  constructor(store: RunStore) {
    this.#store = store
  }

  async begin(order: RunOrder): Promise<LegEnd> {
    const { run, session, principal } = order
    if ((await this.#store.find(run)) !== undefined) return this.resume(run)
    const task = taskIn(order)
    if (task.do === 'fail') return { type: 'failed', reason: 'it must not work' }
    this.begun.push(run)
    const groups = ['all', `session ${session}`, `principal ${principal}`]
    for (const group of groups) this.#count(group, 1)
    try {
      return await this.#perform(order, task)
    } finally {
      for (const group of groups) this.#count(group, -1)
    }
  }

  async resume(run: string): Promise<LegEnd> {
    const summary = await this.#store.find(run)
    if (summary === undefined) return { type: 'failed', reason: 'it never began' }
    const { status, wakeAt } = summary
    if (hasEnded(summary)) return { type: 'ended' }
    const isDue = status === 'interrupted' || (wakeAt !== null && wakeAt <= Date.now())
    if (!isDue) return { type: 'waiting', wakeAt }
    await takeUp(this.#store, run, Date.now())
    await this.#store.append(run, [
      ended(Date.now(), summary.isCancelAsked ? 'canceled' : 'finished'),
    ])
    this.#store.leave?.(run, OVER)
    return { type: 'ended' }
  }

  release(): void {
    // Its legs are short.
  }

  async #perform({ run, session }: RunOrder, task: ScriptedTask): Promise<LegEnd> {
    const now = Date.now()
    const begin = started(run, now, session === undefined ? {} : { turnOf: session })
    if (task.do === 'ask') {
      await this.#store.append(run, [begin, asked('q', now)])
      this.#store.leave?.(run, SUSPENDED)
      return { type: 'waiting', wakeAt: null }
    }
    await this.#store.append(run, [begin])
    if (task.do === 'sleep') {
      const wakeAt = now + task.ms
      this.#store.leave?.(run, { type: 'suspended', wakeAt })
      return { type: 'waiting', wakeAt }
    }
    if (task.do === 'work') await new Promise((resolve) => setTimeout(resolve, task.ms))
    await this.#store.append(run, [ended(Date.now())])
    this.#store.leave?.(run, OVER)
    return { type: 'ended' }
  }

  #count(group: string, change: number): void {
    const count = (this.#working.get(group) ?? 0) + change
    this.#working.set(group, count)
    this.most.set(group, Math.max(count, this.most.get(group) ?? 0))
  }
}

function taskIn({ task }: RunOrder): ScriptedTask {
  const { do: what, ms } = isJsonObject(task) ? task : {}
  const time = typeof ms === 'number' ? ms : 0
  if (what === 'ask' || what === 'fail') return { do: what }
  return what === 'sleep' ? { do: what, ms: time } : { do: 'work', ms: time }
}
