import { droppedIn } from './condensed.ts'
import { EchelonError } from '../value/error.ts'
import type { Entry, ForkedFrom, Started } from './journal.ts'

export interface ForkPoint {
  /** The run that is forked. */
  readonly run: string
  /** The first step that is run again, from 0 on. */
  readonly at: number
  /** The id of the fork. */
  readonly as: string
  /** Role to model, as `provider/model`, for roles that change from here on. */
  readonly models: Readonly<Record<string, string>>
  /** The fork's `made`; it is not a turn of a session. Default: none. */
  readonly from?: ForkedFrom
}

/**
 * Copies the journal of a run up to a step, as the start of another run that continues from there.
 * @throws EchelonError INVALID_INPUT for a step that was never reached, or an unknown role
 */
export function forkedEntries(
  entries: readonly Entry[],
  { run, at, as, models, from }: ForkPoint,
): readonly Entry[] {
  const kept = entries.slice(0, endOf(entries, at))
  checkRoles(kept, models)
  const named = (name: string): string =>
    name === run || name.startsWith(`${run}:`) ? `${as}${name.slice(run.length)}` : name
  return kept.flatMap((entry): readonly Entry[] => {
    switch (entry.type) {
      case 'started':
        return [
          forkStart(
            entry,
            { runId: named(entry.runId), models: playing(entry.models, models) },
            from,
          ),
        ]
      case 'dropped': {
        const { snapshot } = entry
        return [{ ...entry, snapshot: { ...snapshot, models: playing(snapshot.models, models) } }]
      }
      case 'bound':
        // An earlier switch of a role does not apply if the fork names another model for it.
        return models[entry.role] === undefined ? [entry] : []
      case 'intended':
        return [{ ...entry, key: named(entry.key) }]
      case 'requested':
      case 'replied':
        return [{ ...entry, request: named(entry.request) }]
      case 'cancel-asked':
        // It was requested of the original run.
        return []
      case 'resumed': {
        // These refer to the original run: a fork was never interrupted.
        const { after: _read, interrupted: _died, ...resumed } = entry
        return [resumed]
      }
      case 'closed':
      case 'ended':
      case 'opened':
      case 'settled':
        return [entry]
    }
  })
}

function forkStart(
  entry: Started,
  named: Pick<Started, 'runId' | 'models'>,
  from: ForkedFrom | undefined,
): Started {
  if (from === undefined || entry.path !== '') return { ...entry, ...named }
  const { session, ...rest } = entry
  const turnOf = session ?? entry.forkedFrom?.session
  return { ...rest, ...named, forkedFrom: { ...from, ...(turnOf && { session: turnOf }) } }
}

function playing(
  recorded: Readonly<Record<string, string>>,
  named: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const roles = Object.entries(recorded).map(([role, model]) => [role, named[role] ?? model])
  return Object.fromEntries(roles)
}

function checkRoles(kept: readonly Entry[], named: Readonly<Record<string, string>>): void {
  const roles = new Set(
    kept.flatMap((entry) => (entry.type === 'started' ? Object.keys(entry.models) : [])),
  )
  const unknown = Object.keys(named).find((role) => !roles.has(role))
  if (unknown === undefined) return
  throw new EchelonError(
    'INVALID_INPUT',
    `models names the role ${unknown}, which the run does not have; it has ${[...roles].join(', ')}`,
    { details: { roles: [...roles] } },
  )
}

/** The number of entries before the step. */
function endOf(entries: readonly Entry[], at: number): number {
  const last = at - 1
  const first = droppedIn(entries)?.snapshot.seq ?? 0
  const closed = (entry: Entry): boolean => {
    if (at !== first) return entry.type === 'closed' && entry.path === '' && entry.seq === last
    return first === 0 ? entry.type === 'started' && entry.path === '' : entry.type === 'dropped'
  }
  const place = entries.findIndex(closed)
  if (place >= 0) return place + 1
  const closedHere = entries.filter((entry) => entry.type === 'closed' && entry.path === '').length
  const steps = first + closedHere
  throw new EchelonError(
    'INVALID_INPUT',
    `the run has ${steps} steps on record, so it cannot be forked at ${at}; give an at from ${first} to ${steps}`,
    { details: { first, steps } },
  )
}
