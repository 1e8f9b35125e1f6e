import type { Batch } from './batch.ts'
import type { OpenStep } from '../journal/open-step.ts'

/**
 * Takes one call from the effect's allowance and from the ledger, or returns the limit that is used
 * up. It is synchronous, so that parallel calls can't both take the last one.
 */
export function take(batch: Batch, call: number): string | undefined {
  const limit = usedUp(batch, call)
  if (limit === undefined) book(batch, call)
  return limit
}

/** Returns the limit that does not allow another call; `undefined` if all do. */
export function usedUp({ branch, seq, meter, left }: Batch, call: number): string | undefined {
  const { tree } = branch
  if (left < 1) return meter
  if (tree.msLeft <= 0) return 'seconds'
  if (branch.leftOpen(seq)?.counted.has(call) === true) return undefined
  return tree.ledger.impossible(ONE_CALL[meter])
}

const ONE_CALL = { tools: { tools: 1 }, checks: { checks: 1 } } as const

export function book(batch: Batch, call: number): void {
  batch.left--
  // Already in the counters that an earlier process recorded.
  if (batch.branch.leftOpen(batch.seq)?.counted.delete(call) === true) return
  batch.branch.tree.ledger.count(batch.meter, 1)
}

/**
 * Counts the calls of a batch that an earlier process made or started, before any other call:
 * repeated reads must not take the allowance that an act has used.
 */
export function bookBegun({ branch, seq, meter, firstCall }: Batch, calls: number): void {
  const open = branch.leftOpen(seq)
  if (open === undefined) return
  for (let call = firstCall; call < firstCall + calls; call++) {
    if (open.counted.has(call) || !wasBegun(open, call)) continue
    branch.tree.ledger.count(meter, 1)
    open.counted.add(call)
  }
}

function wasBegun({ settled, intended }: OpenStep, call: number): boolean {
  const outcome = settled.get(call)
  if (outcome === undefined) return intended.has(call)
  return outcome.type !== 'refused' && outcome.type !== 'denied'
}
