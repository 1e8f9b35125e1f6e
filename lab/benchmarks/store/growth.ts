import { join } from 'node:path'
import type { Entry, Journal } from '../../../packages/echelon/src/core/journal/journal.ts'
import { openStore } from '@echelon/store'
import { median } from '../agent/measure.ts'
import type { StoreMeasured } from './bars.ts'
import { bytesWritten } from './bytes-written.ts'
import { inFolder } from './folder.ts'
import { langgraphOn } from './langgraph.ts'
import { agentOn, STEPS } from './run-entries.ts'

/** Steps around the measured one. */
const SPAN = 20
/** Number of runs. The median counts, since some steps checkpoint the log into the file. */
const RUNS = 9

/** Bytes written and the time at the start of each step. */
interface Marks {
  readonly written: number[]
  readonly payload: number[]
  readonly at: number[]
}

const noMarks = (): Marks => ({ written: [], payload: [], at: [] })

/** Bytes and time of a step, late and early in a run; the same for LangGraph. */
export const growth = (): Promise<readonly StoreMeasured[]> =>
  inFolder(async (folder) => {
    const store = await openStore(join(folder, 'store.db'))
    const runs: Marks[] = []
    for (let run = 0; run < RUNS; run++) {
      const marks = noMarks()
      await agentOn(marked(store.runs, marks)).run('add them up').result
      runs.push(marks)
    }
    await store.close()
    const theirs = noMarks()
    const graph = langgraphOn(join(folder, 'langgraph.db'), STEPS, () => mark(theirs, 0))
    await graph.run('run')
    graph.close()
    return [...bytesFigures(runs, theirs), ...agentFigures(runs, theirs)]
  })

function mark(marks: Marks, payload: number): void {
  marks.written.push(bytesWritten() ?? NaN)
  marks.payload.push((marks.payload.at(-1) ?? 0) + payload)
  marks.at.push(performance.now())
}

/** A journal that reports at each append the bytes written before. */
const marked = (journal: Journal, marks: Marks): Journal => ({
  append(run: string, entries: readonly Entry[], beside) {
    mark(marks, JSON.stringify(entries).length)
    return journal.append(run, entries, beside)
  },
  read: (run) => journal.read(run),
  leave: (run, how) => journal.leave?.(run, how),
})

function bytesFigures(runs: readonly Marks[], theirs: Marks): readonly StoreMeasured[] {
  const times = (of: 'written' | 'payload'): number =>
    median(runs.map((marks) => around(marks[of], STEPS - 1) / around(marks[of], 10)))
  const late = median(runs.map(({ written }) => around(written, STEPS - 1)))
  const early = median(runs.map(({ written }) => around(written, 10)))
  const langgraph = around(theirs.written, STEPS - 1) / around(theirs.written, 10)
  const note = `${Math.round(late)} B against ${Math.round(early)}, file and log`
  return [
    // If the system does not count, only the size of the entries is reported.
    ...(Number.isNaN(late)
      ? []
      : [{ bar: 'growth', found: times('written'), langgraph, note } as const]),
    { bar: 'growth-payload', found: times('payload') },
  ]
}

function agentFigures(runs: readonly Marks[], theirs: Marks): readonly StoreMeasured[] {
  const each = (values: readonly number[]): number =>
    ((values.at(-1) ?? NaN) - (values[0] ?? NaN)) / (values.length - 1)
  // The first run is warm-up.
  const of = (values: (marks: Marks) => readonly number[]): number =>
    median(runs.slice(1).map((marks) => each(values(marks))))
  const note = 'their file is not flushed at each step, ours is'
  const took: StoreMeasured = {
    bar: 'agent',
    found: of(({ at }) => at) * 1000,
    langgraph: each(theirs.at) * 1000,
    note,
  }
  const bytes = of(({ written }) => written)
  if (Number.isNaN(bytes)) return [took]
  return [took, { bar: 'agent-bytes', found: bytes, langgraph: each(theirs.written) }]
}

/** Mean of the steps around one, both model steps and tool steps. */
function around(values: readonly number[], step: number): number {
  const to = Math.min(values.length - 1, step + SPAN / 2)
  const from = Math.max(1, to - SPAN)
  return ((values[to] ?? NaN) - (values[from] ?? NaN)) / (to - from)
}
