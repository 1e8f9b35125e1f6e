import { hostname } from 'node:os'
import { EchelonError } from 'echelon/runtime'
import { Client } from 'pg'
import type { FleetDatabase } from '../database-address.ts'
import type { FleetLog } from '../logger.ts'

/** Workers of one host that find a name by themselves. */
const MOST_SLOTS = 64
/** Time that a worker waits for its own name: a reaper may just be looking at it. */
const NAME_WAIT_MS = 10_000
const RETRY_MS = 500

/** After a host lost its power, the database ends its session, and with it the lock, in about 20 seconds. */
export const SERVER_KEEPALIVES =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=20000'

const TRY_LOCK = `select pg_try_advisory_lock(hashtextextended($1, 0)) as held`
const UNLOCK = `select pg_advisory_unlock(hashtextextended($1, 0))`

/**
 * A worker's name, held as an advisory lock of a database session for as long as the worker lives. So no two
 * workers have one name, and each sees whether another one lives.
 */
export class ExecutorLock {
  readonly #database: FleetDatabase
  readonly #log: FleetLog
  #client: Client | undefined
  #name: string | undefined
  #lostAt: number | undefined
  #isClosed = false

  constructor(database: FleetDatabase, log: FleetLog) {
    this.#database = database
    this.#log = log
  }

  /**
   * Takes a name.
   * @param wanted default: the host's name with the first free number, which is the same after a restart
   * @throws EchelonError INVALID_CONFIG if another worker has it
   */
  async take(wanted: string | undefined): Promise<string> {
    const client = await this.#connected()
    const until = Date.now() + NAME_WAIT_MS
    for (;;) {
      const names = wanted === undefined ? slots() : [wanted]
      for (const name of names) {
        if (!(await this.#tryLock(client, name))) continue
        this.#name = name
        return name
      }
      if (Date.now() > until) throw taken(wanted)
      await pause(RETRY_MS)
    }
  }

  /** Since when this worker's own lock has been lost, as while the database restarts; `undefined` if it holds. */
  get lostAt(): number | undefined {
    return this.#lostAt
  }

  /**
   * Whether a worker lives. @param work done while the name is held, if its worker does not live
   */
  async ifGone(name: string, work: () => Promise<void>): Promise<boolean> {
    const client = await this.#connected()
    if (!(await this.#tryLock(client, name))) return false
    try {
      await work()
    } finally {
      await client.query(UNLOCK, [this.#keyOf(name)])
    }
    return true
  }

  /** Takes the name again after its session was lost. @returns whether it is held */
  async hold(): Promise<boolean> {
    if (this.#client !== undefined) return true
    const client = await this.#connected()
    const isHeld = this.#name === undefined || (await this.#tryLock(client, this.#name))
    if (isHeld) this.#lostAt = undefined
    else this.#lost(client)
    return isHeld
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  async #tryLock(client: Client, name: string): Promise<boolean> {
    const { rows } = await client.query<{ held: boolean }>(TRY_LOCK, [this.#keyOf(name)])
    return rows[0]?.held === true
  }

  /** A lock belongs to the whole database, which may hold several fleets. */
  #keyOf(name: string): string {
    return `${this.#database.queues}/worker/${name}`
  }

  async #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    const client = new Client({
      connectionString: this.#database.url,
      keepAlive: true,
      options: SERVER_KEEPALIVES,
    })
    // A restart of the database ends the session. Without a listener that ends the process.
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    await client.connect()
    this.#client = client
    return client
  }

  #lost(client: Client): void {
    if (this.#client !== client || this.#isClosed) return
    this.#client = undefined
    this.#lostAt ??= Date.now()
    this.#log('the database session of this worker ended; it connects again')
    client.end().catch(() => undefined)
  }
}

const slots = (): readonly string[] =>
  Array.from({ length: MOST_SLOTS }, (_, slot) => `${hostname()}-${slot + 1}`)

const taken = (name: string | undefined): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    name === undefined
      ? `${MOST_SLOTS} workers run on this host; give each further one a name of its own`
      : `another worker is called ${name}; give this one another name`,
  )

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
