import type { RunEventView, RunView } from 'echelon/client'
import { useCallback, useSyncExternalStore } from 'react'
import { echelon } from './client.ts'
import { noteRefusal } from './sign-in-state.ts'

/** The facts of a run, collected from its events. A new object whenever something comes. */
export interface FeedView {
  readonly events: readonly RunEventView[]
  /** The run at its end. */
  readonly end: RunView | undefined
  /** Why no more events come, although the run is not over. */
  readonly error: unknown
}

const NOTHING: FeedView = { events: [], end: undefined, error: undefined }

/** Events that arrive together are reported together. */
const TOLD_EVERY_MS = 50

/** Follows one run while it is on screen. The client connects again after a break, without loss or doubling. */
class RunFeed {
  readonly #run: string
  #view: FeedView = NOTHING
  #events: RunEventView[] = []
  #listeners = new Set<() => void>()
  #leaving: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(run: string) {
    this.#run = run
  }

  /** Whether it is on screen now. */
  isWatched(): boolean {
    return this.#listeners.size > 0
  }

  readonly view = (): FeedView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (this.#leaving === undefined && this.#view.end === undefined) void this.#follow()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#leave()
    }
  }

  async #follow(): Promise<void> {
    const leaving = new AbortController()
    this.#leaving = leaving
    const after = this.#events.at(-1)?.id
    try {
      const events = echelon().runs.events(this.#run, {
        signal: leaving.signal,
        ...(after !== undefined && { after }),
      })
      for (;;) {
        const next = await events.next()
        if (leaving.signal.aborted) return
        if (next.done === true) {
          this.#tell({ end: next.value, error: undefined })
          return
        }
        this.#events.push(next.value)
        this.#timer ??= setTimeout(() => this.#tell({}), TOLD_EVERY_MS)
      }
    } catch (error) {
      if (leaving.signal.aborted) return
      noteRefusal(error)
      this.#tell({ error })
    }
  }

  #leave(): void {
    this.#leaving?.abort()
    this.#leaving = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #tell(change: Partial<FeedView>): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#view = { ...this.#view, ...change, events: [...this.#events] }
    for (const listener of this.#listeners) listener()
  }
}

/** Runs that were looked at last; their events need not be sent again. Those that are looked at now stay. */
const KEPT = 20
const feeds = new Map<string, RunFeed>()

function feedOf(run: string): RunFeed {
  const feed = feeds.get(run) ?? new RunFeed(run)
  feeds.delete(run)
  feeds.set(run, feed)
  for (const [name, old] of feeds) {
    if (feeds.size <= KEPT) break
    if (old !== feed && !old.isWatched()) feeds.delete(name)
  }
  return feed
}

/** Forgets the events of all runs: the next user may not be allowed to see them. */
export const forgetFeeds = (): void => feeds.clear()

/** The events of a run, live. */
export function useRunFeed(run: string): FeedView {
  const subscribe = useCallback((listener: () => void) => feedOf(run).subscribe(listener), [run])
  return useSyncExternalStore(subscribe, () => feeds.get(run)?.view() ?? NOTHING)
}
