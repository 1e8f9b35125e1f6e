import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { tune, type TuneReport } from 'echelon/evals'
import type { TuneSets } from '@echelon/server'
import { readTasks } from '../tune/read-tasks.ts'

const SUFFIX = '.jsonl'

/** The recorded answers of a folder, `NAME.jsonl`, tuned on the first request and again after a change. */
export function tuneSetsIn(folder: string): TuneSets {
  const reports = new Map<string, { readonly at: number; readonly report: Promise<TuneReport> }>()
  return {
    async list() {
      const files = await readdir(folder).catch(() => [])
      return files
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => file.slice(0, -SUFFIX.length))
        .toSorted()
    },
    async report(name) {
      const file = join(folder, name + SUFFIX)
      const { mtimeMs: at } = await stat(file)
      const known = reports.get(name)
      if (known?.at === at) return known.report
      const report = reportOf(file)
      reports.set(name, { at, report })
      // A file that cannot be used may be mended within the same moment.
      report.catch(() => reports.delete(name))
      return report
    },
  }
}

/** Lets other requests in between two batches of tasks and two ladders. */
const breathe = async (): Promise<void> => {
  await setImmediate()
}

async function reportOf(file: string): Promise<TuneReport> {
  const { tasks, models } = await readTasks(file, {
    opinions: [],
    costs: new Map(),
    onRead: breathe,
  })
  const date = new Date().toISOString().slice(0, 10)
  return (await tune(tasks, { models, date, onLadder: breathe })).report
}
