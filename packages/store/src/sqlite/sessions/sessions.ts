import type { Json, Clock, StateContainer, Message } from 'echelon/runtime'
import type {
  SessionChange,
  SessionStore,
  SessionSummary,
  StoredSession,
} from 'echelon/internal/store'
import { turnUnderWay } from '../../refusals.ts'
import type { Database } from '../file/database.ts'
import { keptJson } from '../kept-json.ts'
import type { Prepared } from '../file/prepared.ts'
import type { Leases } from '../runs/leases.ts'
import { damaged } from '../checksum/row-sum.ts'
import { sessionLease } from '../runs/run-writer.ts'
import { SessionEraser } from './session-eraser.ts'
import { sessionWriter } from './session-rows.ts'
import { checkedIn, SUMMED, wholeIn } from '../checksum/summed-tables.ts'

export interface SqliteSessionsOptions {
  readonly clock: Clock
  /** Called before a deletion. Writes pending events, so that none are written afterwards. */
  readonly flush: () => Promise<void>
}

/** Conversations of all processes that share the file. */
export class SqliteSessions implements SessionStore {
  readonly #db: Database
  readonly #leases: Leases
  readonly #options: SqliteSessionsOptions
  readonly #eraser: SessionEraser
  readonly #write: (change: SessionChange) => void
  readonly #load: Prepared
  readonly #isWhole: Prepared
  readonly #isMarked: Prepared
  readonly #mark: Prepared

  constructor(db: Database, leases: Leases, options: SqliteSessionsOptions) {
    this.#db = db
    this.#leases = leases
    this.#options = options
    this.#eraser = new SessionEraser(db, leases)
    this.#write = sessionWriter(db)
    // One statement, so that no write comes between a conversation and its messages.
    this.#load = db.prepare(
      `select *, ${checkedIn('sessions')},
         (select group_concat(iif(${checkedIn('messages')} = 1, body_json, null), ',' order by n)
          from messages where session = id) as messages,
         (select count(*) from messages where session = id)
           = (select coalesce(max(n) + 1, 0) from messages where session = id) as has_all
       from sessions where id = ? and agent is not null`,
    )
    this.#isWhole = db.prepare(`select ${wholeIn('sessions')} as whole from sessions where id = ?`)
    this.#isMarked = db.prepare(
      `select 1 from sessions where id = ? and disposable = 1 and ${wholeIn('sessions')}`,
    )
    this.#mark = db.prepare(
      `insert into sessions
         (id, states_json, continues_json, disposable, began_at, changed_at)
       values (?, '', '', 1, ?, ?)
       on conflict (id) do update set disposable = 1`,
    )
  }

  async load(id: string): Promise<StoredSession | undefined> {
    const row = this.#load.get(id)
    if (row === undefined) return undefined
    const [{ path }, what] = [this.#db, SUMMED.sessions.name(id, '')]
    if (row['has_all'] !== 1) throw damaged(path, what)
    const states: StateContainer = keptJson(path, what, row['states_json'])
    const continues: Json = keptJson(path, what, row['continues_json'])
    const messages: readonly Message[] = keptJson(path, what, `[${String(row['messages'] ?? '')}]`)
    return { ...summary(row), messages, states, continues }
  }

  async save(change: SessionChange): Promise<void> {
    this.#db.transaction(() => {
      const turn = this.#leases.other(sessionLease(change.id))
      if (turn !== undefined) throw turnUnderWay(change.id, turn.run ?? 'of another')
      this.#write(change)
    })
  }

  async list(): Promise<readonly SessionSummary[]> {
    const builder = await this.#db.builder()
    const query = builder
      .selectFrom('sessions')
      .leftJoin('messages', 'messages.session', 'sessions.id')
      .where('agent', 'is not', null)
      .groupBy('sessions.id')
      .select(['sessions.id', 'agent', 'disposable', 'began_at', 'changed_at'])
      .select(({ fn }) => fn.count<number>('messages.n').as('length'))
      .orderBy('changed_at', 'desc')
      .orderBy('began_at', 'desc')
    return this.#db.allDamaged(query.compile()).map((row) => ({
      ...summary(row),
      length: row.length,
      ...(this.#isWhole.get(row.id)?.['whole'] !== 1 && { isDamaged: true }),
    }))
  }

  async markDisposable(id: string): Promise<void> {
    const now = this.#options.clock.now()
    this.#db.transaction(() => {
      this.#mark.run(id, now, now)
      this.#eraser.hold(id)
    })
  }

  async end(id: string): Promise<void> {
    if (this.#isMarked.get(id) !== undefined) await this.remove(id)
  }

  async remove(id: string): Promise<void> {
    await this.#options.flush()
    await this.#eraser.erase([id])
  }

  /**
   * Erases disposable conversations that dead processes left. Called when a file is opened.
   * @returns how many
   */
  async endAbandoned(): Promise<number> {
    return this.#eraser.eraseAbandoned()
  }
}

const summary = (row: Readonly<Record<string, unknown>>): Omit<SessionSummary, 'length'> => ({
  id: String(row['id']),
  agent: String(row['agent']),
  isDisposable: row['disposable'] === 1,
  beganAt: Number(row['began_at']),
  changedAt: Number(row['changed_at']),
})
