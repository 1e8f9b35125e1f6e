import type {
  SessionChange,
  SessionStore,
  SessionSummary,
  StoredSession,
} from 'echelon/internal/store'
import type { Clock, Json, Message, StateContainer } from 'echelon/runtime'
import { turnUnderWay } from '../../refusals.ts'
import type { Postgres, Row } from '../connection/database.ts'
import { damagedRow, keptJson } from '../kept-json.ts'
import { type Leases, markLease, sessionLease } from '../runs/leases.ts'
import { SessionEraser } from './session-eraser.ts'
import { writeSession } from './session-rows.ts'

export interface PostgresSessionsOptions {
  readonly clock: Clock
  /** Called before a deletion. Writes pending events, so that none are written afterwards. */
  readonly flush: () => Promise<void>
}

/** Conversations of all processes that share the database. */
export class PostgresSessions implements SessionStore {
  readonly #db: Postgres
  readonly #leases: Leases
  readonly #options: PostgresSessionsOptions
  readonly #eraser: SessionEraser

  constructor(db: Postgres, leases: Leases, options: PostgresSessionsOptions) {
    this.#db = db
    this.#leases = leases
    this.#options = options
    this.#eraser = new SessionEraser(db, leases)
  }

  async load(id: string): Promise<StoredSession | undefined> {
    // One statement, so that no write comes between a conversation and its messages.
    const row = await this.#db.get(
      `select sessions.*, stored.bodies, stored.length, stored.last
       from sessions, lateral (
         select array_agg(body_json order by n) as bodies, count(*) as length, max(n) as last
         from messages where session = sessions.id) as stored
       where id = $1 and agent is not null`,
      id,
    )
    if (row === undefined) return undefined
    const what = `the conversation ${id}`
    const json = (text: unknown): ReturnType<typeof JSON.parse> =>
      keptJson(this.#db.place, what, text)
    if (Number(row['length']) !== Number(row['last'] ?? -1) + 1)
      throw damagedRow(this.#db.place, what)
    const states: StateContainer = json(row['states_json'])
    const continues: Json = json(row['continues_json'])
    const bodies: readonly unknown[] = Array.isArray(row['bodies']) ? row['bodies'] : []
    const messages: readonly Message[] = bodies.map(json)
    return { ...summary(row), messages, states, continues }
  }

  async save(change: SessionChange): Promise<void> {
    const copy = structuredClone(change)
    await this.#db.transaction(async (queries) => {
      const turn = await this.#leases.lock(queries, sessionLease(copy.id))
      if (turn !== undefined) throw turnUnderWay(copy.id, turn.run ?? 'of another')
      await writeSession(queries, copy)
    })
  }

  async list(): Promise<readonly SessionSummary[]> {
    const rows = await this.#db.all(
      `select id, agent, disposable, began_at, changed_at,
         (select count(*) from messages where session = sessions.id) as length
       from sessions where agent is not null order by changed_at desc, began_at desc`,
    )
    return rows.map((row) => ({ ...summary(row), length: Number(row['length']) }))
  }

  async markDisposable(id: string): Promise<void> {
    const now = this.#options.clock.now()
    const mark = await this.#db.transaction(async (queries) => {
      await queries.run(
        `insert into sessions (id, states_json, continues_json, disposable, began_at, changed_at)
         values ($1, '', '', 1, $2, $2) on conflict (id) do update set disposable = 1`,
        id,
        now,
      )
      return this.#leases.take(queries, markLease(id), null)
    })
    // Another process may be about to erase it already.
    if ('fence' in mark) this.#leases.keep(mark)
  }

  async end(id: string): Promise<void> {
    const marked = await this.#db.get('select 1 from sessions where id = $1 and disposable = 1', id)
    if (marked !== undefined) await this.remove(id)
  }

  async remove(id: string): Promise<void> {
    await this.#options.flush()
    await this.#eraser.erase(id)
  }

  /**
   * Erases disposable conversations that dead processes left. Called when a store is opened.
   * @returns how many
   */
  async endAbandoned(): Promise<number> {
    return this.#eraser.eraseAbandoned()
  }
}

const summary = (row: Row): Omit<SessionSummary, 'length'> => ({
  id: String(row['id']),
  agent: String(row['agent']),
  isDisposable: row['disposable'] === 1,
  beganAt: Number(row['began_at']),
  changedAt: Number(row['changed_at']),
})
