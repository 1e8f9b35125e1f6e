import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openStore } from '@echelon/store'
import { median } from '../agent/measure.ts'
import type { StoreMeasured } from './bars.ts'
import { inFolder } from './folder.ts'
import { appendsOf, STEPS } from './run-entries.ts'

const run = promisify(execFile)
const TIMES = 15

/** Milliseconds, measured within a new process. */
async function measuredBy(program: string, ...args: readonly string[]): Promise<readonly number[]> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const all = ['--conditions=echelon-source', path, ...args]
  const env = { ...process.env, NODE_ENV: 'production' }
  const times: readonly number[] = JSON.parse((await run(process.execPath, all, { env })).stdout)
  return times
}

/** Time of the first opening in a process, for an existing file and for a new one. */
export const open = (): Promise<readonly StoreMeasured[]> =>
  inFolder(async (folder) => {
    const path = join(folder, 'there.db')
    const times: { there: number[]; made: number[] } = { there: [], made: [] }
    await (await openStore(path)).close()
    for (let round = 0; round < TIMES; round++) {
      times.there.push(...(await measuredBy('open-once.ts', path)))
      times.made.push(...(await measuredBy('open-once.ts', join(folder, `${round}.db`))))
    }
    return [
      { bar: 'open', found: median(times.there) },
      { bar: 'open-new', found: median(times.made), note: 'with its tables' },
    ]
  })

/** Time to read, parse and fold a run, until its first new append. */
export const resume = (): Promise<readonly StoreMeasured[]> =>
  inFolder(async (folder) => {
    const path = join(folder, 'broken-off.db')
    const id = await brokenOff(path)
    const [cold, warm]: [number[], number[]] = [[], []]
    for (let round = 0; round < TIMES; round++) {
      const copies = Array.from({ length: 11 }, (_, index) => join(folder, `${round}-${index}.db`))
      for (const copy of copies) copyFileSync(path, copy)
      const [first = NaN, ...later] = await measuredBy('resume-once.ts', id, ...copies)
      cold.push(first)
      warm.push(median(later))
    }
    const note = 'read, parsed, folded, first append'
    return [
      { bar: 'resume', found: median(cold), note },
      { bar: 'resume-warm', found: median(warm) },
    ]
  })

/** A run whose process died after a number of steps. */
async function brokenOff(path: string): Promise<string> {
  const appends = await appendsOf(STEPS)
  const [first] = appends[0] ?? []
  if (first?.type !== 'started') throw new Error('a run begins with its beginning')
  const store = await openStore(path)
  for (const entries of appends.slice(0, -1)) await store.runs.append(first.runId, entries)
  store.runs.leave(first.runId, { type: 'over' })
  await store.close()
  return first.runId
}
