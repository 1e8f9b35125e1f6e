import { fstatSync, fsyncSync, writeSync } from 'node:fs'
import { isThere } from 'echelon/internal/host'
import { linesFromEnd, linesOf, readAt } from './lines.ts'
import { withPrivateFile } from './private-file.ts'
import { type UsageRecord, usageIn } from './usage-record.ts'

/** Money of some runs: what is known of it, and how many calls have an unknown cost. */
export interface KnownCost {
  /** US dollars. */
  readonly known: number
  readonly unpricedCalls: number
}

/** Port: where usage records go. The file is one; a store can be another. */
export interface UsageBook {
  /** @throws Error when it is not kept */
  add(record: UsageRecord): void
  /**
   * What the runs took that ended on a day.
   * @param dayOf the day of a record's `ts`
   * @throws Error when it cannot be read
   */
  costOn(day: string, dayOf: (ts: string) => string): KnownCost
}

/**
 * Usage records in a private file (0600), one JSON object a line, each on the disk (fsync) before
 * `add` returns. Several processes may add to one file: a record is one write, and after a line that
 * a process was killed in the next record begins a line of its own.
 */
export function usageFile(path: string): UsageBook {
  let known: CostsOfDay = { day: '', read: 0, costs: new Map() }
  return {
    add(record) {
      withPrivateFile(path, (file) => {
        const { size } = fstatSync(file)
        const torn = size > 0 && readAt(file, size - 1, 1).toString() !== '\n'
        const bytes = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(record)}\n`)
        for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
        fsyncSync(file)
      })
    },
    costOn(day, dayOf) {
      const before = known.day === day ? known : { day, read: 0, costs: new Map() }
      known = withPrivateFile(path, (file) => readOn(file, before, dayOf))
      return sum(known.costs.values())
    },
  }
}

/** What is known of a day, so that only what is new is read. */
interface CostsOfDay {
  readonly day: string
  /** How far the file was read, in bytes. */
  readonly read: number
  readonly costs: ReadonlyMap<string, KnownCost>
}

/** Reads from the end, and not beyond the first record of an earlier day. */
function readOn(
  file: number,
  { day, read, costs }: CostsOfDay,
  dayOf: (ts: string) => string,
): CostsOfDay {
  const { size } = fstatSync(file)
  const found = new Map<string, KnownCost>()
  let end = size
  for (const { bytes, complete, start } of linesFromEnd(file, size, Math.min(read, size))) {
    // One that another process is just writing is read the next time.
    if (!complete) end = start
    const usage = complete ? usageIn(bytes.toString()) : 'not complete'
    if (typeof usage === 'string') continue
    const ended = dayOf(usage.ts)
    if (ended < day) break
    // The last record of a run counts, and it comes first here.
    if (ended === day && !found.has(usage.run_id)) found.set(usage.run_id, costOf(usage))
  }
  return { day, read: end, costs: new Map([...costs, ...found]) }
}

const costOf = ({ rungs }: UsageRecord): KnownCost =>
  sum(rungs.map((rung) => ({ known: rung.known_cost, unpricedCalls: rung.unpriced_calls })))

function sum(costs: Iterable<KnownCost>): KnownCost {
  let known = 0
  let unpricedCalls = 0
  for (const cost of costs) {
    known += cost.known
    unpricedCalls += cost.unpricedCalls
  }
  return { known, unpricedCalls }
}

/** What a usage file holds. */
export interface UsageRead {
  /** Oldest first, one of each run: its last. */
  readonly records: readonly UsageRecord[]
  /** Lines that hold no record, by number from 1. */
  readonly unreadable: readonly { readonly line: number; readonly reason: string }[]
}

/**
 * Reads a usage file. A line that is torn or from somewhere else is named and left out; a file that
 * is not there holds nothing.
 * @throws Error when the file cannot be read
 */
export async function readUsage(path: string): Promise<UsageRead> {
  const records = new Map<string, UsageRecord>()
  const unreadable: { readonly line: number; readonly reason: string }[] = []
  if (isThere(path)) {
    for await (const { bytes, number } of linesOf(path)) {
      const usage = usageIn(bytes.toString())
      if (typeof usage === 'string') unreadable.push({ line: number, reason: usage })
      else {
        records.delete(usage.run_id)
        records.set(usage.run_id, usage)
      }
    }
  }
  return { records: [...records.values()], unreadable }
}
