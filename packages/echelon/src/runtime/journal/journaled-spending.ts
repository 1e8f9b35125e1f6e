import { addAmounts, type Amounts } from '../../core/agent/budget.ts'
import type { Entry, Started } from '../../core/journal/journal.ts'

/** Returns the last recorded counters plus the charges for open attempts. */
export function spentSoFar(entries: readonly Entry[], charged: Amounts): Amounts {
  const spent: Record<string, number> = {}
  for (const entry of entries) {
    if (entry.type === 'dropped') Object.assign(spent, entry.snapshot.spent)
    else if (entry.type === 'closed') Object.assign(spent, entry.spent)
    else if (entry.type === 'resumed') addAmounts(spent, entry.charged)
  }
  addAmounts(spent, charged)
  return spent
}

/** Returns the part of a fork's spending that its original run had made. */
export function inheritedBy({ forkedFrom }: Started, entries: readonly Entry[]): Amounts {
  if (forkedFrom === undefined) return {}
  const last = entries.findIndex((entry) =>
    entry.type === 'dropped'
      ? entry.snapshot.seq === forkedFrom.at
      : entry.type === 'closed' && entry.path === '' && entry.seq === forkedFrom.at - 1,
  )
  return spentSoFar(entries.slice(0, last + 1), {})
}

/** Returns the reserved amounts of attempts without an outcome, not charged by an earlier resume. */
export function openHolds(entries: readonly Entry[]): Amounts {
  const open = new Map<string, Record<string, number>>()
  for (const entry of entries) {
    if (entry.type === 'opened') {
      const step = `${entry.path}${entry.seq}`
      const holds = open.get(step) ?? {}
      addAmounts(holds, entry.hold)
      open.set(step, holds)
    } else if (entry.type === 'closed') open.delete(`${entry.path}${entry.seq}`)
    else if (entry.type === 'resumed' && entry.path === undefined) open.clear()
  }
  const sum: Record<string, number> = {}
  for (const holds of open.values()) addAmounts(sum, holds)
  return sum
}
