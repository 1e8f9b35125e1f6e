import { EchelonError } from '../../core/error.ts'
import type { SessionChange } from '../../core/session-store.ts'
import type { Database } from './database.ts'

/**
 * Writes what a turn changed in a conversation, within the transaction that is under way: so the
 * append that ends a turn and what is kept of it are one.
 * @throws EchelonError JOURNAL_MISMATCH for a change that was made from other messages than there are,
 * keeps more than there are, or is to the conversation of another agent
 */
export function sessionWriter(db: Database): (change: SessionChange) => void {
  const owner = db.prepare('select agent from sessions where id = ?')
  const length = db.prepare('select count(*) as length from messages where session = ?')
  const cut = db.prepare('delete from messages where session = ? and n >= ?')
  const add = db.prepare('insert into messages (session, n, body_json) values (?, ?, ?)')
  const put = db.prepare(
    `insert into sessions (id, agent, states_json, continues_json, began_at, changed_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (id) do update set agent = excluded.agent, states_json = excluded.states_json,
       continues_json = excluded.continues_json, changed_at = excluded.changed_at`,
  )
  return ({ id, agent, from, keep, messages, states, continues, at }) => {
    const had = owner.get(id)?.['agent'] ?? agent
    if (had !== agent) throw ofAnother(id, String(had), agent)
    const there = Number(length.get(id)?.['length'])
    if (from !== there) throw elsewhere(id, from, there)
    if (!Number.isSafeInteger(keep) || keep < 0 || keep > there) throw notThere(id, keep, there)
    put.run(id, agent, JSON.stringify(states), JSON.stringify(continues), at, at)
    if (keep < there) cut.run(id, keep)
    for (const [index, message] of messages.entries()) {
      add.run(id, keep + index, JSON.stringify(message))
    }
  }
}

const elsewhere = (id: string, from: number, there: number): EchelonError =>
  new EchelonError(
    'JOURNAL_MISMATCH',
    `the conversation ${id} had ${from} messages when the turn began and has ${there} by now; somebody else went on with it, so load it again`,
    { details: { session: id, from, there } },
  )

const notThere = (id: string, keep: number, there: number): EchelonError =>
  new EchelonError(
    'JOURNAL_MISMATCH',
    `of the conversation ${id} ${keep} messages cannot be kept, since it has ${there}; load it again`,
    { details: { session: id, keep, there } },
  )

const ofAnother = (id: string, had: string, agent: string): EchelonError =>
  new EchelonError(
    'JOURNAL_MISMATCH',
    `the conversation ${id} is one of ${had}, and ${agent} cannot go on with it; begin another`,
    { details: { session: id, agent: had } },
  )
