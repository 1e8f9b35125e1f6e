import { EchelonError } from '../../../packages/echelon/src/core/value/error.ts'
import { Goals } from './goals.ts'
import { runSchedule } from './money/schedule.ts'
import { Tally } from './money/tally.ts'

/** Which schedules are run. */
export interface Schedules {
  readonly seed: number
  readonly count: number
}

const MOST_SHOWN = 5

/**
 * Runs random schedules of faults on the real runtime, and looks for a run that spends more than its limit. No
 * network and no time is used: models and tools are scripted, and the clock is set.
 *
 * The real bill is unknown if a provider reports a wrong usage. So each run is compared with a bill that is kept where
 * the models are called, apart from the run's own ledger:
 *
 * - Each request reserves at least its own worst case before it is sent: the tokens of its prompt and the most
 *   tokens that its answer may have, at the model's price.
 * - The bill is within the limits of money and tokens, at the end and whenever a request is sent. A request counts
 *   at its worst case while it is under way, and for good if it was cut, timed out, failed at the server, or came
 *   with a usage that cannot be true. A request that was answered counts as reported, at most at its worst case. A
 *   request that the provider refused, or that did not reach it, counts nothing.
 * - The ledger charges at least this bill, and stays within every limit.
 * - No more calls and tool calls are made than the limits allow, and the ledger has each of them.
 * - No model of unknown price is called under a limit of money.
 *
 * A model that reports less than it used, in numbers that could be true, is billed as it reports. The number of these
 * runs that truly used more than a limit is printed apart.
 * @throws EchelonError INVALID_INPUT for a setting that is not a whole number; Error if a run spent too much
 */
export async function moneyFigures(goals: Goals = new Goals()): Promise<string> {
  const schedules = {
    seed: settingOf('SEED', 1),
    count: settingOf('SCHEDULES', 100_000),
  }
  const began = performance.now()
  const tally = await runSchedules(schedules)
  const perSecond = schedules.count / ((performance.now() - began) / 1000)
  goals.add({
    data: `money, ${schedules.count} random schedules of faults, seed ${schedules.seed}`,
    ours: `${tally.found.length} over the limit`,
    goal: 'none',
    reached: tally.found.length === 0,
    anchors: '',
  })
  const text = [
    `seed ${schedules.seed}, ${schedules.count} schedules, ${perSecond.toFixed(0)} a second (SEED=… SCHEDULES=… for others)`,
    tally.printed(),
  ].join('\n')
  if (tally.found.length === 0) return text
  throw new Error([text, ...shown(tally, schedules.seed)].join('\n'))
}

/** Runs the schedules of a seed, one after the other. */
export async function runSchedules({ seed, count }: Schedules): Promise<Tally> {
  const tally = new Tally()
  for (let nth = 0; nth < count; nth++) tally.add(nth, await runSchedule(seed, nth))
  return tally
}

const shown = ({ found }: Tally, seed: number): readonly string[] =>
  found
    .slice(0, MOST_SHOWN)
    .map(
      ({ nth, ran }) =>
        `seed ${seed}, schedule ${nth} (${ran.shape}, limits ${JSON.stringify(ran.limits)}): ${ran.violations[0]}`,
    )

function settingOf(name: 'SEED' | 'SCHEDULES', otherwise: number): number {
  const given = process.env[name]
  const value = given === undefined ? otherwise : Number(given)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new EchelonError('INVALID_INPUT', `${name} is ${given}; give a whole number from 0 on`)
}
