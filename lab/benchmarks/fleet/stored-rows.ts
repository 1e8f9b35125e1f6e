import { Client } from 'pg'

/** Fills the tables with ended runs up to a number, as they would be after years, and counts them for the planner. */
export async function fillTo(database: string, count: number): Promise<void> {
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query('set search_path = echelon')
  try {
    const { rows } = await client.query<{ runs: number }>(
      `select count(*)::int as runs from runs where id like 'filled-%'`,
    )
    const from = (rows[0]?.runs ?? 0) + 1
    for (const fill of FILLS) await client.query(fill, [from, count])
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** One run of one journal row, and the workflow of its leg. */
const FILLS = [
  `insert into runs (id, agent, version, status, reason, input_json, made_json, session, began_at, changed_at)
   select 'filled-' || n, 'stepping', 1, 'finished', 'done', '"10"', 'null', 'bench/stepping/' || n % 10000, n, n
   from generate_series($1::int, $2::int) n`,
  `insert into journal (run, n, fence, size, entries_json)
   select 'filled-' || n, 1, 1, 1, '[]' from generate_series($1::int, $2::int) n`,
  `insert into dbos.workflow_status (workflow_uuid, status, name, queue_name, queue_partition_key, created_at, updated_at,
     completed_at, executor_id, application_version, application_name, recovery_attempts, priority)
   select 'filled-' || n, 'SUCCESS', 'leg', 'legs', 'filled-' || n, n, n, n, 'bench-1', 'legs-2', 'echelon', 1, 0
   from generate_series($1::int, $2::int) n`,
] as const
