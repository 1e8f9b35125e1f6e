import type { Queries } from '../postgres/connection/database.ts'

/** Legs whose run has not begun: as ordered, admitted, or put back. See `leg.ts` of @echelon/fleet. */
const RUN_OF_LEG = `regexp_replace(workflow_uuid, '(:again:[0-9]+)?(:admission)?$', '')`

const UNBEGUN = `from orders where body_json is not null
  and not exists (select 1 from runs where id = orders.run)`

/** The schema of a fleet's queues, beside the schema of its store. */
const queuesOf = (schema: string): string => (schema === 'echelon' ? 'dbos' : `${schema}_dbos`)

/**
 * Counts the orders of a fleet that still wait for their run to begin. Only the queue tells: an order that was canceled
 * or has failed keeps its row, and a problem is also recorded before another try.
 */
export async function waitingOrders(queries: Queries, schema: string): Promise<number> {
  const queue = `"${queuesOf(schema)}".workflow_status`
  const there = await queries.get('select to_regclass($1) as queue', queue)
  // Without the queue, as after a dump of the store alone, nothing tells what became of them.
  const isWaiting =
    there?.['queue'] === null
      ? 'problem is null'
      : `run in (select ${RUN_OF_LEG} from ${queue} where status in ('ENQUEUED', 'DELAYED', 'PENDING'))`
  const row = await queries.get(`select count(*) as orders ${UNBEGUN} and ${isWaiting}`)
  return Number(row?.['orders'])
}
