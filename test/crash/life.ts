import { appendFileSync, readFileSync } from 'node:fs'
import { Death, DyingJournal } from './death.ts'
import type { Life, Lived } from './lives.ts'
import { Outside } from './outside.ts'
import { SCENARIOS } from './scenarios.ts'
import { CUT_OFF } from './support-scenario.ts'
import { openStore } from '@echelon/store'

/**
 * A process that executes lives, one after the other, until one of them kills it: `life.ts FOLDER LANE
 * FROM`. The result of each is a line of a file.
 */
const [folder = '', lane = '', from = '0'] = process.argv.slice(2)
const lives: readonly Life[] = JSON.parse(readFileSync(`${folder}/${lane}.lives`, 'utf8'))
const tell = (lived: Lived): void =>
  appendFileSync(`${folder}/${lane}.lived`, `${JSON.stringify(lived)}\n`)

/** An ended run does nothing more. */
const NOTHING_MORE = new Death({ at: 'action', nth: 0 })

const store = await openStore(`${folder}/${lane}.db`)
for (const [place, life] of lives.entries()) {
  if (place < Number(from)) continue
  tell({ place, began: true })
  const { run, kill, limits = {}, faults = 0 } = life
  const death = new Death(kill)
  const scenario = SCENARIOS[life.scenario] ?? CUT_OFF[life.scenario]
  if (scenario === undefined) throw new Error(`there is no scenario ${life.scenario}`)
  const surroundings = { run, folder, memories: store.memories, limits, store }
  const end = await scenario({
    ...surroundings,
    journal: new DyingJournal(store.runs, death),
    outside: new Outside(folder, run, { death, faults }),
  })
  const { appends, actions } = death
  // An ended run returns its end again: its entries are folded, with the same decisions.
  const outside = new Outside(folder, run, { death: NOTHING_MORE, faults })
  const again = await scenario({ ...surroundings, journal: store.runs, outside })
  tell({ place, end, again, appends, actions })
}
await store.close()
