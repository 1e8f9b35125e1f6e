import type { Batch } from './batch.ts'
import type { OpenStep } from '../record/open-step.ts'

/**
 * Takes one call from the effect's own allowance and from the ledger, or names what is used up.
 * At once, not after a wait: calls of the same time must not take the same last one.
 */
export function take(batch: Batch, call: number): string | undefined {
  const limit = usedUp(batch, call)
  if (limit === undefined) book(batch, call)
  return limit
}

/** What does not allow another call; nothing while there is enough of all. */
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
  // The counters on record hold it, of an earlier process.
  if (batch.branch.leftOpen(batch.seq)?.counted.delete(call) === true) return
  batch.branch.tree.ledger.count(batch.meter, 1)
}

/**
 * Counts what an earlier process called or began of a batch, before anything else is called: reads that
 * are made again must not take what an act has used.
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
