import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { openStore } from '@echelon/store'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { Outside } from '../crash/outside.ts'
import type { End } from '../crash/scenario.ts'
import { recordOf, SCENARIOS } from '../crash/scenarios.ts'

const FOLDER = fileURLToPath(new URL('journals', import.meta.url))

/** All agents whose journals are kept. Plots are excluded, since their paths would name a machine's folder. */
const KEPT = Object.keys(SCENARIOS).filter((scenario) => scenario !== 'stock')

/** A stored journal, which all later versions must read. */
export interface GoldenJournal {
  readonly scenario: string
  readonly entries: readonly Entry[]
}

export const goldenJournals = (): readonly GoldenJournal[] =>
  readdirSync(FOLDER).map((file) => {
    const lines = readFileSync(join(FOLDER, file), 'utf8').split('\n').filter(Boolean)
    return {
      scenario: file.replace(/\..*$/, ''),
      entries: lines.map((line): Entry => JSON.parse(line)),
    }
  })

/** Resumes from entries, or starts without any, in a world whose clock does not advance by itself. */
export async function goOn(
  { scenario, entries }: GoldenJournal,
  folder: string,
): Promise<{ readonly end: End; readonly entries: readonly Entry[] }> {
  const run = 'golden'
  const record = recordOf(scenario, run)
  const journal = new MemoryJournal()
  if (entries.length > 0) journal.append(record, entries)
  const clock = new SetClock()
  const outside = new Outside(folder, run)
  const store = await openStore(':memory:')
  const { memories } = store
  const playing = SCENARIOS[scenario]?.({
    run,
    folder,
    limits: {},
    journal,
    memories,
    store,
    outside,
    clock,
  })
  if (playing === undefined) throw new Error(`there is no scenario ${scenario}`)
  // Only this one sleeps; the others' tools would depend on the clock.
  const end = await (scenario === 'journey' ? clock.runUntil(playing) : playing)
  return { end, entries: journal.read(record) }
}

/** Rewrites all of them, for a new entry format; the old ones are kept next to them. */
export async function makeJournals(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-golden-'))
  for (const scenario of KEPT) {
    const own = join(folder, scenario)
    mkdirSync(own)
    const { entries } = await goOn({ scenario, entries: [] }, own)
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
    writeFileSync(join(FOLDER, `${scenario}.jsonl`), lines.join(''))
  }
  rmSync(folder, { recursive: true })
}
