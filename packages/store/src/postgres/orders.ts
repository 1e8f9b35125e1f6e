import type { KeptOrder, OrderStore } from 'echelon/internal/store'
import type { Clock, RunOrder } from 'echelon/runtime'
import type { Postgres, Prepared } from './connection/database.ts'
import { keptJson } from './kept-json.ts'

const PUT: Prepared = {
  name: 'put order',
  text: `insert into orders (run, session, at, body_json) values ($1, $2, $3, $4)
    on conflict (run) do nothing`,
}

const FIND: Prepared = {
  name: 'find order',
  text: `select body_json, problem, exists (select 1 from runs where id = $1) as begun
    from orders where run = $1`,
}

/** Removals of so long are one statement. */
const REMOVE_MS = 200

/** The orders of a fleet's workers. Only a store that several machines share has them. */
export class PostgresOrders implements OrderStore {
  readonly #db: Postgres
  readonly #clock: Clock
  #begun: string[] = []
  #removing: ReturnType<typeof setTimeout> | undefined

  constructor(db: Postgres, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async put(order: RunOrder, at: number): Promise<void> {
    await this.#db.run(PUT, order.run, order.session ?? null, at, JSON.stringify(order))
  }

  async find(run: string): Promise<KeptOrder | undefined> {
    const row = await this.#db.get(FIND, run)
    if (row === undefined) return undefined
    const { body_json: body, problem, begun } = row
    const order: RunOrder | undefined =
      body === null ? undefined : keptJson(this.#db.place, `the order of the run ${run}`, body)
    return {
      order,
      isBegun: begun === true,
      problem: typeof problem === 'string' ? problem : undefined,
    }
  }

  async ofSession(session: string): Promise<readonly string[]> {
    const rows = await this.#db.all(
      `select run from orders where session = $1 and body_json is not null
         and not exists (select 1 from runs where id = orders.run) order by at, run`,
      session,
    )
    return rows.map(({ run }) => String(run))
  }

  async fail(run: string, problem: string): Promise<void> {
    await this.#db.run(
      `insert into orders (run, session, at, problem)
       values ($1, (select session from runs where id = $1), $2, $3)
       on conflict (run) do update set problem = excluded.problem`,
      run,
      this.#clock.now(),
      problem,
    )
  }

  remove(run: string): void {
    this.#begun.push(run)
    this.#removing ??= setTimeout(() => void this.flush().catch(() => undefined), REMOVE_MS)
  }

  /** Deletes the orders of runs that have begun. Orders that cannot be deleted now are deleted by pruning. */
  async flush(): Promise<void> {
    clearTimeout(this.#removing)
    this.#removing = undefined
    const runs = this.#begun
    this.#begun = []
    if (runs.length > 0) await this.#db.run('delete from orders where run = any($1::text[])', runs)
  }

  async prune(before: number): Promise<void> {
    await this.#db.run(
      `delete from orders where at < $1
         or body_json is not null and exists (select 1 from runs where id = orders.run)`,
      before,
    )
  }
}
