import type { Engine } from 'echelon/runtime'
import type { Spending } from '../access/spending.ts'
import type { ServerStore } from '../runs/run-hub.ts'
import { readTurn } from './turn-order.ts'

interface CancelParts {
  readonly engine: Engine
  readonly store: Pick<ServerStore, 'runs' | 'orders'>
  readonly spending: Spending
}

/**
 * Cancels a run on an engine. Nobody ends one that never begins, so its money is returned here.
 * @returns false if it had ended already
 */
export async function cancelOrdered(
  runId: string,
  { engine, store, spending }: CancelParts,
): Promise<boolean> {
  const before = await engine.status(runId)
  const isCanceled = await engine.cancel(runId)
  const isInQueue = before?.type === 'queued' || before?.type === 'scheduled'
  if (!isCanceled || !isInQueue || before.order === undefined) return isCanceled
  if ((await store.runs.find(runId)) !== undefined) return true
  const { context, held } = readTurn(before.order.task)
  await (await spending.taken(context.caller, runId, held.at)).settle(0)
  return true
}

/** Cancels the turns of a stored conversation that no worker has begun. @returns how many there were */
export async function cancelTurns(session: string, parts: CancelParts): Promise<number> {
  const runs = (await parts.store.orders?.ofSession(session)) ?? []
  for (const run of runs) await cancelOrdered(run, parts)
  return runs.length
}
