import type { SessionChange } from 'echelon/internal/store'
import { changeRefusal } from '../../refusals.ts'
import type { Queries } from '../connection/database.ts'

/** The number of stored messages of a conversation. */
export async function sessionLength(queries: Queries, session: string): Promise<number> {
  const row = await queries.get(
    'select count(*) as length from messages where session = $1',
    session,
  )
  return Number(row?.['length'])
}

/**
 * Writes a turn's changes to a conversation within the transaction of the append that ends the turn,
 * which holds the lease of the conversation.
 * @throws EchelonError JOURNAL_MISMATCH for a change that is based on another number of messages,
 * keeps more than there are, or is for the conversation of another agent
 */
export async function writeSession(queries: Queries, change: SessionChange): Promise<void> {
  const { id, agent, keep, messages, states, continues, at } = change
  const row = await queries.get('select agent from sessions where id = $1 for update', id)
  const there = await sessionLength(queries, id)
  const had = row?.['agent']
  const refusal = changeRefusal(change, {
    agent: typeof had === 'string' ? had : agent,
    length: there,
  })
  if (refusal !== undefined) throw refusal
  await queries.run(
    `insert into sessions (id, agent, states_json, continues_json, began_at, changed_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (id) do update set agent = excluded.agent, states_json = excluded.states_json,
       continues_json = excluded.continues_json, changed_at = excluded.changed_at,
       began_at = case when sessions.agent is null then excluded.began_at
         else sessions.began_at end`,
    id,
    agent,
    JSON.stringify(states),
    JSON.stringify(continues),
    at,
  )
  if (keep < there)
    await queries.run('delete from messages where session = $1 and n >= $2', id, keep)
  if (messages.length === 0) return
  await queries.run(
    `insert into messages (session, n, body_json)
     select $1, n, body from unnest($2::bigint[], $3::text[]) as given (n, body)`,
    id,
    messages.map((_, index) => keep + index),
    messages.map((message) => JSON.stringify(message)),
  )
}
