import { EchelonError } from 'echelon/runtime'
import type { QueueRows } from './queue-rows.ts'

export interface GuardedBegin<End> {
  readonly run: string
  /** How often its leg was claimed by a worker. */
  readonly claims: number
  readonly giveUpAfter: number
  readonly rows: Pick<QueueRows, 'countDeath' | 'forgetDeaths'>
  readonly begin: () => Promise<End>
}

/**
 * Begins a run that may have ended its workers before its journal began, so that nothing else counts it.
 * @throws EchelonError RUN_GIVEN_UP if it did so too often
 */
export async function guardedBegin<End>({
  run,
  claims,
  giveUpAfter,
  rows,
  begin,
}: GuardedBegin<End>): Promise<End> {
  if (claims <= 1) return begin()
  const deaths = await rows.countDeath(run)
  // What follows runs only if this process lives.
  try {
    if (deaths >= giveUpAfter) throw givenUp(deaths)
    return await begin()
  } finally {
    await rows.forgetDeaths(run)
  }
}

const givenUp = (deaths: number): EchelonError =>
  new EchelonError(
    'RUN_GIVEN_UP',
    `the run was given up before its first step: its worker died ${deaths === 1 ? 'once' : `${deaths} times in a row`} as it began; mend what ends the worker, such as the agent's start, and order the work again`,
  )
