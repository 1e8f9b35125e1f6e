import { appendFileSync } from 'node:fs'
import { Death, DyingJournal } from './death.ts'
import { drawKill, type Drawn, drawRun } from './drawn.ts'
import { Outside } from './outside.ts'
import type { Ending } from './random-lives.ts'
import { recordOf, SCENARIOS } from './scenarios.ts'
import { openStore } from '@echelon/store'

/**
 * A process that resumes runs of others, then starts runs until there are enough:
 * `random-life.ts FOLDER LANE SEED RUNS NTH ATONCE`. It dies where the seed says, or, if `NTH` is empty,
 * when it is killed from outside.
 */
const [folder = '', lane = '', seed = '', runs = '', nth = '', atOnce = ''] = process.argv.slice(2)
const store = await openStore(`${folder}/${lane}.db`)
const death = new Death(nth === '' ? undefined : drawKill(Number(seed), Number(nth)))
const journal = new DyingJournal(store.runs, death)

/** Starts or resumes a run. */
async function live({ run, scenario, faults, limits }: Drawn): Promise<void> {
  const outside = new Outside(folder, run, { death, faults })
  const surroundings = { run, folder, memories: store.memories, store, limits, outside }
  const play = SCENARIOS[scenario]
  if (play === undefined) throw new Error(`there is no scenario ${scenario}`)
  await play({ ...surroundings, journal })
}

/** Reports an ended run once, as a process that only reads it sees it. */
async function tell({ run, scenario, faults, limits }: Drawn): Promise<void> {
  const outside = new Outside(folder, run, { faults })
  const end = await SCENARIOS[scenario]?.({
    run,
    folder,
    memories: store.memories,
    store,
    limits,
    outside,
    journal: store.runs,
  })
  if (end === undefined) return
  const ending: Ending = { run, end }
  appendFileSync(`${folder}/${lane}.ends`, `${JSON.stringify(ending)}\n`)
}

const drawn = Array.from({ length: Number(runs) }, (_, one) => drawRun(Number(seed), one))
process.send?.('ready')
const due = new Set((await store.runs.due(1000)).map(({ id }) => id))
const known = new Set((await store.runs.list({ limit: 10_000 })).map(({ id }) => id))
const todo = [
  ...drawn.filter(({ scenario, run }) => due.has(recordOf(scenario, run))),
  ...drawn.filter(({ scenario, run }) => !known.has(recordOf(scenario, run))),
]
const worker = async (): Promise<void> => {
  for (let one = todo.shift(); one !== undefined; one = todo.shift()) await live(one)
}
await Promise.all(Array.from({ length: Number(atOnce) }, worker))
for (const one of drawn) await tell(one)
await store.close()
process.disconnect?.()
