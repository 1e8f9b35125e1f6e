import { type RawBuilder, sql } from 'kysely'

// A module of its own, loaded with the query builder: most commands list no runs, and start without it.

/** Whose run it is. A damaged row may hold no JSON, and must not end the list. */
export const OWNER: RawBuilder<string | null> = sql`coalesce(
  iif(json_valid(made_json), made_json ->> '$.served.by', null),
  substr(session, 1, nullif(instr(session, '/'), 0) - 1))`

/** Whether a run comes after this one in a list, which has the newest first. */
export const isAfter = (run: string): RawBuilder<boolean> =>
  sql`(began_at, id) < (select began_at, id from runs where id = ${run})`
