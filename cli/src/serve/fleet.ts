import type { Config } from 'echelon/config'
import type { FleetLimits, FleetLog } from '@echelon/fleet'
import type { ServerOptions } from '@echelon/server'
import type { OpenedStore } from '../store/keep-store.ts'

interface FleetParts {
  readonly store: OpenedStore
  readonly settings: Config['server']
  readonly log: FleetLog
}

/** Options of a server whose runs are performed by workers. */
export interface ServerOnFleet {
  readonly options: Pick<ServerOptions, 'engine' | 'figures'>
  close(): Promise<void>
}

/** Connects a server to the workers on a database. */
export async function serverOnFleet(
  database: string,
  { store, settings, log }: FleetParts,
): Promise<ServerOnFleet> {
  const { connectFleet, fleetFigures } = await import('@echelon/fleet')
  const engine = await connectFleet({ database, store, limits: fleetLimits(settings), log })
  const figures = fleetFigures(database)
  return {
    options: { engine, figures: figures.list },
    async close() {
      await figures.close()
      await engine.close()
    },
  }
}

/** The limits of the configuration. Servers and workers must have the same. */
export function fleetLimits({
  runs_per_worker: atOncePerWorker,
  runs_of_all_workers: atOnce,
  starts_per_second: legs,
  tokens,
}: Config['server']): FleetLimits {
  const limited = tokens.flatMap(({ name, runs_at_once: own }) =>
    own === undefined ? [] : [[name, { atOnce: own }] as const],
  )
  return {
    atOncePerWorker,
    ...(atOnce > 0 && { atOnce }),
    ...(legs > 0 && { rate: { legs, seconds: 1 } }),
    principals: Object.fromEntries(limited),
  }
}
