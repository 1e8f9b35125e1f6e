import type { SessionChange } from 'echelon/internal/store'
import { changeRefusal } from '../../refusals.ts'
import type { Database } from '../file/database.ts'
import { checkedIn } from '../checksum/summed-tables.ts'

/** The number of stored messages of a conversation. */
export function sessionLength(db: Database): (session: string) => number {
  const length = db.prepare('select count(*) as length from messages where session = ?')
  return (session) => Number(length.get(session)?.['length'])
}

/**
 * Writes a turn's changes to a conversation within the current transaction, so that they are atomic
 * with the append that ends the turn.
 * @throws EchelonError JOURNAL_MISMATCH for a change that is based on another number of messages,
 * keeps more than there are, or is for the conversation of another agent
 */
export function sessionWriter(db: Database): (change: SessionChange) => void {
  const owner = db.prepare(`select agent, ${checkedIn('sessions')} from sessions where id = ?`)
  const length = sessionLength(db)
  const cut = db.prepare('delete from messages where session = ? and n >= ?')
  const add = db.prepare('insert into messages (session, n, body_json) values (?, ?, ?)')
  const put = db.prepare(
    `insert into sessions (id, agent, states_json, continues_json, began_at, changed_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (id) do update set agent = excluded.agent, states_json = excluded.states_json,
       continues_json = excluded.continues_json, changed_at = excluded.changed_at,
       began_at = iif(agent is null, excluded.began_at, began_at)`,
  )
  return (change) => {
    const { id, agent, keep, messages, states, continues, at } = change
    const had = owner.get(id)?.['agent'] ?? agent
    const there = length(id)
    const refusal = changeRefusal(change, { agent: String(had), length: there })
    if (refusal !== undefined) throw refusal
    put.run(id, agent, JSON.stringify(states), JSON.stringify(continues), at, at)
    if (keep < there) cut.run(id, keep)
    for (const [index, message] of messages.entries()) {
      add.run(id, keep + index, JSON.stringify(message))
    }
  }
}
