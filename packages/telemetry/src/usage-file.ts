import { fstatSync, fsyncSync, writeSync } from 'node:fs'
import { isThere } from 'echelon/internal/platform'
import { linesFromEnd, linesOf, readAt } from './lines.ts'
import { withPrivateFile } from './private-file.ts'
import { type UsageRecord, usageIn } from './usage-record.ts'

/** Cost of some runs: the known amount, and the number of calls with unknown cost. */
export interface KnownCost {
  /** US dollars. */
  readonly known: number
  readonly unpricedCalls: number
}

/** Port: the destination of usage records. A file is built in; a store can be another. */
export interface UsageBook {
  /** @throws Error if it was not stored */
  add(record: UsageRecord): void
  /**
   * The cost of the runs that ended on a day.
   * @param dayOf the day of a record's `ts`
   * @throws Error if it cannot be read
   */
  costOn(day: string, dayOf: (ts: string) => string): KnownCost
}

/**
 * Usage records in a private file (0600), one JSON object per line, each flushed to disk (fsync) before
 * `add` returns. Several processes may add to one file: each record is a single write, and after a line
 * cut short by a killed process the next record starts a new line. A line that another process is still
 * writing looks the same, so the file may hold empty lines.
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

/** The known costs of a day, so that only new lines are read. */
interface CostsOfDay {
  readonly day: string
  /** Bytes of the file already read. */
  readonly read: number
  readonly costs: ReadonlyMap<string, KnownCost>
}

/** Reads from the end down to the first record of an earlier day. */
function readOn(
  file: number,
  { day, read, costs }: CostsOfDay,
  dayOf: (ts: string) => string,
): CostsOfDay {
  const { size } = fstatSync(file)
  const found = new Map<string, KnownCost>()
  let end = size
  for (const { bytes, complete, start } of linesFromEnd(file, size, Math.min(read, size))) {
    // A line that another process is writing is read next time.
    if (!complete) end = start
    const usage = complete ? usageIn(bytes.toString()) : 'not complete'
    if (typeof usage === 'string') continue
    const ended = dayOf(usage.ts)
    if (ended < day) break
    // The last record of a run counts; reading backwards, it comes first.
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

/** The content of a usage file. */
export interface UsageRead {
  /** Oldest first, one per run: its last. */
  readonly records: readonly UsageRecord[]
  /** Lines without a record, by number from 1, without empty lines. */
  readonly unreadable: readonly { readonly line: number; readonly reason: string }[]
}

/**
 * Reads a usage file. Torn or foreign lines are reported and skipped; a missing file is empty.
 * @throws Error when the file cannot be read
 */
export async function readUsage(path: string): Promise<UsageRead> {
  const records = new Map<string, UsageRecord>()
  const unreadable: { readonly line: number; readonly reason: string }[] = []
  if (isThere(path)) {
    for await (const { bytes, number } of linesOf(path)) {
      if (bytes.length === 0) continue
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
