import { ENDED_SQL } from '../../run-status.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from 'echelon/runtime'
import { EchelonError } from 'echelon/internal/value'
import { unusable } from './unusable.ts'
import { wholeAt } from '../checksum/damaged-rows.ts'
import { openReadOnly } from './read-only.ts'
import type { StoreFacts } from './facts.ts'

/** A stored state as it was read, which may be any JSON. Tools try it against newer code. */
export type StoredCheckpoint =
  | {
      readonly kind: 'run'
      readonly id: string
      readonly agent: string
      readonly entries: readonly unknown[]
      /** The newest snapshot, if there is one: newer code starts from it. */
      readonly snapshot?: unknown
    }
  | {
      readonly kind: 'session'
      readonly id: string
      readonly agent: string
      readonly states: unknown
    }
  | {
      readonly kind: 'unreadable'
      readonly of: 'run' | 'session'
      readonly id: string
      readonly agent: string
      /** The error, without any stored content. */
      readonly reason: string
    }

/** A store's file, opened for inspection. */
export interface ExaminedStore {
  /** @throws EchelonError STORE_UNUSABLE if the file is too damaged to be read */
  facts(): Promise<StoreFacts>
  /**
   * All runs that have not ended, then all conversations. One is held in memory at a time.
   * @throws EchelonError STORE_UNUSABLE if the file is too damaged to be read
   */
  checkpoints(): Iterable<StoredCheckpoint>
  close(): void
}

/** Limit on the bytes read of one run's entries. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Opens a store's file for inspection, without changing a byte: nothing is created or upgraded, and
 * its users are not disturbed.
 * @throws EchelonError STORE_UNUSABLE for a file that does not exist, is corrupt, of a newer
 * version or of another program
 */
export function examineStore(
  path: string,
  clock: Pick<Clock, 'now'> = { now: Date.now },
): ExaminedStore {
  const opened = openReadOnly(path)
  const guarded = <Result>(read: () => Result): Result => {
    try {
      return read()
    } catch (error) {
      throw unusable(path, error)
    }
  }
  return {
    async facts() {
      try {
        const { storeFacts } = await import('./store-facts.ts')
        return await storeFacts(path, opened, clock.now())
      } catch (error) {
        throw error instanceof EchelonError ? error : unusable(path, error)
      }
    },
    *checkpoints() {
      if (opened.version === 0) return
      const rest = checkpointsOf(opened.db, opened.version)
      for (;;) {
        const next = guarded(() => rest.next())
        if (next.done === true) return
        yield next.value
      }
    },
    close: () => opened.db.close(),
  }
}

function* checkpointsOf(db: DatabaseSync, version: number): Generator<StoredCheckpoint, void> {
  const whole = (table: 'runs' | 'journal' | 'snapshots' | 'sessions'): string =>
    `${wholeAt(version, table)} as whole`
  const unfinished = db.prepare(
    `select id, agent, ${whole('runs')} from runs
     where status not in ${ENDED_SQL} order by began_at, id`,
  )
  const size = db.prepare('select sum(length(entries_json)) as bytes from journal where run = ?')
  const rows = db.prepare(
    `select n, entries_json as entries, ${whole('journal')} from journal where run = ? order by n`,
  )
  const newest = db.prepare(
    `select body_json as snapshot, ${whole('snapshots')} from snapshots where run = ?`,
  )
  const asks = db.prepare(
    `select min(${wholeAt(version, 'requests')}) as whole from requests where run = ?`,
  )
  for (const row of unfinished.iterate()) {
    const [id, agent] = [String(row['id']), String(row['agent'])]
    if (row['whole'] === 0) {
      yield { kind: 'unreadable', of: 'run', id, agent: 'unknown', reason: 'its row is damaged' }
    } else if (asks.get(id)?.['whole'] === 0) {
      yield { kind: 'unreadable', of: 'run', id, agent, reason: 'what it asks is damaged' }
    } else if (Number(size.get(id)?.['bytes']) <= MOST_BYTES) {
      const [kept, read] = [newest.get(id), run(id, agent, rows.iterate(id))]
      const snapshot = kept?.['whole'] === 1 ? parse(kept['snapshot']) : undefined
      if (kept?.['whole'] === 0) {
        yield { kind: 'unreadable', of: 'run', id, agent, reason: 'its snapshot is damaged' }
      } else yield snapshot === undefined || read.kind !== 'run' ? read : { ...read, snapshot }
    } else {
      const reason = `its entries are more than ${MOST_BYTES} bytes`
      yield { kind: 'unreadable', of: 'run', id, agent, reason }
    }
  }
  // A session that was only marked, before its first turn, has no states yet.
  const sessions = db.prepare(
    `select id, agent, states_json as states, ${whole('sessions')} from sessions
     where states_json <> '' order by id`,
  )
  for (const { id, agent, states, whole: isWhole } of sessions.iterate()) {
    if (isWhole === 1) yield session(String(id), String(agent), parse(states))
    else {
      yield {
        kind: 'unreadable',
        of: 'session',
        id: String(id),
        agent: 'unknown',
        reason: 'its row is damaged',
      }
    }
  }
}

function run(
  id: string,
  agent: string,
  rows: Iterable<Readonly<Record<string, unknown>>>,
): StoredCheckpoint {
  const entries: unknown[] = []
  let n = 0
  let before: number | undefined
  for (const row of rows) {
    n++
    const at = Number(row['n'])
    if (before !== undefined && at !== before + 1) {
      return { kind: 'unreadable', of: 'run', id, agent, reason: 'rows of its journal are gone' }
    }
    before = at
    const parsed = parse(row['entries'])
    if (row['whole'] === 0) {
      return {
        kind: 'unreadable',
        of: 'run',
        id,
        agent,
        reason: `row ${n} of its journal is damaged`,
      }
    }
    if (!Array.isArray(parsed)) {
      const reason = `append ${n} of its journal is not a list of entries`
      return { kind: 'unreadable', of: 'run', id, agent, reason }
    }
    entries.push(...parsed)
  }
  return { kind: 'run', id, agent, entries }
}

function session(id: string, agent: string, states: unknown): StoredCheckpoint {
  if (states !== undefined) return { kind: 'session', id, agent, states }
  return { kind: 'unreadable', of: 'session', id, agent, reason: 'its states are not JSON' }
}

/** Returns undefined for invalid JSON. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
