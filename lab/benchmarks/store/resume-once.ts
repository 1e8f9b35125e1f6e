/**
 * Resumes a run in each of several files, one after another, and prints the time of each: from the
 * request for its journal to the end of the first append, without the first use of an agent.
 */
import type { Journal } from '../../../packages/echelon/src/core/journal/journal.ts'
import { openStore } from '@echelon/store'
import { agentOn, STEPS } from './run-entries.ts'

const [id = '', ...paths] = process.argv.slice(2)
const times: number[] = []
for (const path of paths) {
  const store = await openStore(path)
  const { runs } = store
  let [from, until] = [0, 0]
  const journal: Journal = {
    append(run, entries, beside) {
      void runs.append(run, entries, beside)
      until ||= performance.now()
    },
    read(run) {
      from ||= performance.now()
      return runs.read(run)
    },
    snapshot: (run) => runs.snapshot(run),
    follow: (run, hear) => runs.follow(run, hear),
    leave: (run, how) => runs.leave(run, how),
  }
  // Only one answer is left.
  const agent = agentOn(journal, { steps: 0 })
  const { messages } = await (await agent.resume(id)).result
  times.push(until - from)
  if (messages.length < STEPS) throw new Error(`went on with ${messages.length} messages`)
  await store.close()
}
console.log(JSON.stringify(times))
