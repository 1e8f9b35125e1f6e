import { isDeepStrictEqual } from 'node:util'
import { type Halted, type HaltingSettings, haltedByRecord } from './attempts/halting.ts'
import { ATTEMPTS_FILE, type AttemptsRow, readAttempts } from './attempts/record.ts'
import { RecordedAttempts } from './attempts/replay.ts'
import { Goals } from './goals.ts'
import { type Line, printLines, printPercent } from './table.ts'

const COUNTS = [0, 1, 2, 3, 5] as const

/** Every setting that is replayed. */
const SETTINGS: readonly HaltingSettings[] = (['success', 'reflections'] as const).flatMap(
  (progress) =>
    (['fail', 'fail_or_budget'] as const).flatMap((escalateWhen) =>
      COUNTS.flatMap((maxSteps) =>
        COUNTS.map((patience) => ({ progress, escalateWhen, maxSteps, patience })),
      ),
    ),
)

interface Replayed {
  readonly settings: HaltingSettings
  readonly ends: readonly (Halted | undefined)[]
  /** The records whose end differs from the recomputation. */
  readonly disagreements: readonly string[]
}

/**
 * Replays the recorded attempts of the folder through the decision agent: a round is an attempt that succeeds as
 * recorded. Shows when the agent stops as `max_steps` and `patience` vary, and compares counters, stalled rounds
 * and finish reasons with a recomputation from the record.
 * @throws EchelonError INVALID_INPUT for a file of another form; Error if the agent and the record disagree
 */
export async function attemptsFigures(folder: string, goals: Goals = new Goals()): Promise<string> {
  const rows = await readAttempts(folder)
  if (rows === undefined) return `${ATTEMPTS_FILE}: absent: skipped`
  const replayed: Replayed[] = []
  for (const settings of SETTINGS) replayed.push(await replay(rows, settings))
  const disagreements = replayed.flatMap((one) => one.disagreements)
  const runs = replayed.reduce((sum, { ends }) => sum + ends.length, 0)
  goals.add({
    data: 'ALFWorld and WebShop attempts, (max_steps, patience)',
    ours: `${disagreements.length} of ${runs} runs differ from the record`,
    goal: 'none',
    reached: disagreements.length === 0,
    anchors: '',
  })
  const text = [
    `${rows.length} records, ${SETTINGS.length} settings`,
    ...(['success', 'reflections'] as const).flatMap((progress) => [
      '',
      TITLES[progress],
      printLines(COLUMNS, linesOf(replayed, progress)),
    ]),
    '',
    `counters, stalled rounds and finish reasons that differ from the record: ${disagreements.length} of ${runs} runs`,
  ].join('\n')
  if (disagreements.length === 0) return text
  throw new Error([text, ...disagreements.slice(0, 5)].join('\n'))
}

async function replay(rows: readonly AttemptsRow[], settings: HaltingSettings): Promise<Replayed> {
  const agent = new RecordedAttempts(settings)
  const ends: (Halted | undefined)[] = []
  const disagreements: string[] = []
  for (const row of rows) {
    const end = await agent.replay(row)
    const expected = haltedByRecord(row.attempts, settings)
    ends.push(end)
    if (isDeepStrictEqual(end, expected)) continue
    const [is, was] = [JSON.stringify(end), JSON.stringify(expected)]
    disagreements.push(
      `${row.id} (${row.strategy}) under ${JSON.stringify(settings)}: ${is}, not ${was}`,
    )
  }
  return { settings, ends, disagreements }
}

const TITLES = {
  success: 'only a success is progress; a reached max_steps ends the run (escalate_when: fail)',
  reflections: 'a new reflection is progress too (escalate_when: fail)',
}

const COLUMNS = [
  'solved',
  'by the big',
  'attempts',
  'success',
  'budget',
  'big_fail',
  'not recorded',
]

const linesOf = (
  replayed: readonly Replayed[],
  progress: HaltingSettings['progress'],
): readonly Line[] =>
  replayed
    .filter(({ settings }) => settings.progress === progress && settings.escalateWhen === 'fail')
    .map(({ settings: { maxSteps, patience }, ends }) => ({
      name: `max_steps ${maxSteps}, patience ${patience}`,
      cells: cellsOf(ends),
    }))

/** A run that asks for an attempt beyond its record is counted apart, as not solved. */
function cellsOf(all: readonly (Halted | undefined)[]): Line['cells'] {
  const ends = all.flatMap((end) => end ?? [])
  const count = (holds: (end: Halted) => boolean): number => ends.filter(holds).length
  const reason = (name: string): string => String(count((end) => end.finish_reason === name))
  const solved = count(({ verified }) => verified)
  const attempts = ends.reduce((sum, { act_steps }) => sum + act_steps, 0)
  return {
    solved: printPercent(solved / all.length),
    'by the big': String(count(({ verified, tier }) => verified && tier === 'big')),
    attempts: String(attempts),
    success: reason('success'),
    budget: reason('budget'),
    big_fail: reason('big_fail'),
    'not recorded': String(all.length - ends.length),
  }
}
