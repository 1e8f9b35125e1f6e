import type { Ended } from 'echelon/internal/journal'
import type { Started } from 'echelon/runtime'
import { isOver, type RunChange } from '../../run-change.ts'
import type { Database } from '../file/database.ts'
import type { Prepared } from '../file/prepared.ts'
import { checkedIn } from '../checksum/summed-tables.ts'

/** The row of each run, updated in the transaction of the append that changed it. */
export class RunRows {
  readonly #begin: Prepared
  readonly #reopen: Prepared
  readonly #end: Prepared
  readonly #wake: Prepared
  readonly #leave: Prepared
  readonly #ask: Prepared
  readonly #answer: Prepared
  readonly #requests: Prepared
  readonly #drop: Prepared
  readonly #dropAll: Prepared
  readonly #cancel: Prepared

  constructor(db: Database) {
    this.#begin = db.prepare(
      `insert into runs (id, agent, version, status, reason, input_json, made_json, session,
         forked_from, began_at, changed_at) values (?, ?, ?, 'open', null, ?, ?, ?, ?, ?, ?)`,
    )
    this.#reopen = db.prepare(
      `update runs set status = 'open', wake_at = null, changed_at = ?
       where id = ? and status in ('open', 'suspended', 'left')`,
    )
    this.#end = db.prepare(
      `update runs set status = ?, reason = ?, changed_at = ?, wake_at = null, cancel_asked = 0
       where id = ?`,
    )
    this.#wake = db.prepare(
      `update runs set wake_at = ?, status = 'suspended' where id = ? and status in ('suspended', 'left')`,
    )
    this.#leave = db.prepare(
      "update runs set status = ?, wake_at = ?, changed_at = ? where id = ? and status = 'open'",
    )
    this.#ask = db.prepare(
      `insert into requests (run, id, place, about_json, at, until) values (?, ?, ?, ?, ?, ?)
       on conflict (run, id) do nothing`,
    )
    this.#answer = db.prepare('update requests set answered = 1 where run = ? and id = ?')
    this.#requests = db.prepare(
      `select id, place, ${checkedIn('requests')} from requests where run = ?`,
    )
    this.#drop = db.prepare('delete from requests where run = ? and id = ?')
    this.#dropAll = db.prepare('delete from requests where run = ?')
    this.#cancel = db.prepare('update runs set cancel_asked = 1 where id = ?')
  }

  /** Applies an append to the row of a run. @returns whether the run now has requests */
  apply(run: string, change: RunChange, now: number): boolean {
    const { started, isTakenUp, over, asked, answered, isCancelAsked, ended } = change
    if (started !== undefined) this.#insert(run, started)
    else if (isTakenUp) this.#reopen.run(now, run)
    const left = this.#dropOver(run, over)
    for (const { entry, place } of asked) {
      const { request, about, at, until = null } = entry
      this.#ask.run(run, request, place, JSON.stringify(about), at, until)
    }
    for (const request of answered) this.#answer.run(run, request)
    if (isCancelAsked) this.#cancel.run(run)
    if (ended !== undefined) this.#close(run, ended, now)
    return ended === undefined && left + asked.length > 0
  }

  /** Marks a waiting run as due: an entry from outside has arrived. */
  wake(run: string, now: number): void {
    this.#wake.run(now, run)
  }

  leave(run: string, status: 'left' | 'suspended', wakeAt: number | null, now: number): void {
    this.#leave.run(status, wakeAt, now, run)
  }

  #insert(run: string, started: Started): void {
    const { agent, version, input, made = null, session, forkedFrom, at } = started
    const [inputJson, madeJson] = [JSON.stringify(input), JSON.stringify(made)]
    const of = [run, agent, version, inputJson, madeJson] as const
    const beganAt = forkedFrom?.forkedAt ?? at
    this.#begin.run(...of, session?.id ?? null, forkedFrom?.run ?? null, beganAt, beganAt)
  }

  #close(run: string, { status, reason }: Ended, now: number): void {
    this.#end.run(status, reason, now, run)
    this.#dropAll.run(run)
  }

  /** @returns how many are left */
  #dropOver(run: string, over: readonly string[]): number {
    let left = 0
    for (const { id, place } of this.#requests.all(run)) {
      if (isOver(String(place), over)) this.#drop.run(run, String(id))
      else left++
    }
    return left
  }
}
