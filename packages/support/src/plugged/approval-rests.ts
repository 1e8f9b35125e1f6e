import { canonicalJson } from 'echelon/internal/value'
import { isToolCall, type PlanStep } from '../plan.ts'
import type { DataSource } from '../primitives/data-source.ts'

interface Looked {
  readonly dataSource: Pick<DataSource, 'getOrder'>
  readonly hash: (text: string) => string
}

/**
 * A digest of what an approval of a plan covers: each call with all of its parameters, and the order it names, in
 * its current state. An unreadable order counts as none, so the digest changes once it can be read.
 */
export async function restsOn(
  { dataSource, hash }: Looked,
  steps: readonly PlanStep[],
): Promise<string> {
  const calls = steps.filter(isToolCall)
  const orders = await Promise.all(
    calls.map(async ({ params }) => {
      const id = params['order_id']
      if (typeof id !== 'string') return null
      return dataSource.getOrder(id).catch(() => null)
    }),
  )
  return hash(
    canonicalJson(calls.map(({ toolName, params }, at) => [toolName, params, orders[at] ?? null])),
  )
}
