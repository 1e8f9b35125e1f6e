import { EchelonError } from 'echelon/runtime'
import type { RunStore, RunSummary } from '@echelon/store'
import { clean } from '../terminal/clean.ts'
import { STARTED_AS } from '../started-as.ts'

/** Most runs to search for a prefix. */
const MOST_SEARCHED = 100_000

/** Names the newest run that has not ended, or else the newest of all. */
const LAST = 'last'

const OPEN = ['running', 'waiting', 'interrupted'] as const

/**
 * Finds a run by id, prefix of an id, or `last`.
 * @throws EchelonError UNKNOWN_RUN; INVALID_INPUT if several match
 */
export async function findRun(runs: RunStore, said: string): Promise<RunSummary> {
  const whole = said === LAST ? await lastOf(runs) : await runs.find(said)
  if (whole !== undefined) return whole
  const all = said === '' ? [] : await runs.list({ limit: MOST_SEARCHED })
  const found = all.filter(({ id }) => id.startsWith(said))
  const [only, other] = found
  if (only === undefined) {
    throw new EchelonError(
      'UNKNOWN_RUN',
      `there is no run ${clean(said)}; ${STARTED_AS} runs list --all shows all runs`,
    )
  }
  if (other === undefined) return only
  const some = found.slice(0, 3).map(({ id }) => shortId(id, found))
  throw new EchelonError(
    'INVALID_INPUT',
    `${found.length} runs begin with ${clean(said)} (${some.join(', ')}${found.length > 3 ? ', …' : ''}); write more of the id`,
  )
}

async function lastOf(runs: RunStore): Promise<RunSummary | undefined> {
  const [open] = await runs.list({ status: OPEN, limit: 1 })
  return open ?? (await runs.list({ limit: 1 }))[0]
}

const SHORT = 8

/** Shortest prefix of an id that is unique among all. */
export function shortId(id: string, all: readonly { readonly id: string }[]): string {
  for (let length = SHORT; length < id.length; length += 4) {
    const begins = id.slice(0, length)
    if (!all.some((other) => other.id !== id && other.id.startsWith(begins))) return clean(begins)
  }
  return clean(id)
}
