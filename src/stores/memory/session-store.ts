import type {
  SessionChange,
  SessionStore,
  SessionSummary,
  StoredSession,
} from '../../core/session-store.ts'
import { changeRefusal, turnUnderWay } from '../refusals.ts'
import { asStored } from './as-stored.ts'
import type { MemoryDisk } from './disk.ts'
import { liveRun } from './leases.ts'

/** Conversations in memory. Their turns are written by `MemoryRunStore`, over the same disk. */
export class MemorySessionStore implements SessionStore {
  readonly #disk: MemoryDisk

  constructor(disk: MemoryDisk) {
    this.#disk = disk
  }

  async load(id: string): Promise<StoredSession | undefined> {
    const session = this.#disk.sessions.get(id)
    if (session === undefined) return undefined
    return { ...asStored(session), isDisposable: this.#disk.disposable.has(id) }
  }

  async save(change: SessionChange): Promise<void> {
    this.#checkFree(change.id)
    const there = this.#disk.sessions.get(change.id)
    const standing = there && { agent: there.agent, length: there.messages.length }
    const refusal = changeRefusal(change, standing)
    if (refusal !== undefined) throw refusal
    this.#disk.write(change)
  }

  async list(): Promise<readonly SessionSummary[]> {
    return [...this.#disk.sessions.values()]
      .map(({ id, agent, messages, beganAt, changedAt }) => {
        const isDisposable = this.#disk.disposable.has(id)
        return { id, agent, isDisposable, beganAt, changedAt, length: messages.length }
      })
      .toReversed()
      .sort((a, b) => b.changedAt - a.changedAt || b.beganAt - a.beganAt)
  }

  async markDisposable(id: string): Promise<void> {
    this.#disk.disposable.add(id)
  }

  async end(id: string): Promise<void> {
    if (this.#disk.disposable.has(id)) await this.remove(id)
  }

  async remove(id: string): Promise<void> {
    this.#checkFree(id)
    const fork = this.#disk.runsWith(id).find((run) => run.isLive(this.#disk.leases))
    if (fork !== undefined) throw turnUnderWay(id, fork.id)
    this.#disk.dropSession(id)
  }

  #checkFree(id: string): void {
    const turn = liveRun(this.#disk.leases, `session:${id}`)
    if (turn !== undefined) throw turnUnderWay(id, turn)
  }
}
