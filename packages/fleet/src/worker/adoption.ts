import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Beat } from '../beats.ts'
import type { LegRequest } from '../leg.ts'
import type { QueueRows } from './queue-rows.ts'

/** Time that a version must be without workers: longer than the gap between two pods of a deploy. */
const GRACE_MS = 5000
/** Legs that one look examines. */
const MOST_LOOKED_AT = 1000

export interface AdoptionOptions {
  readonly rows: Pick<QueueRows, 'adopt'>
  /** The version of this worker. */
  readonly version: string
  /** Whether a run in the store would load here. */
  readonly loads: (run: string) => Promise<boolean>
  readonly log: (line: string) => void
}

/**
 * Takes over the queued legs of releases without a worker, if their runs load in this release. The state doctor
 * checks each run. A run that does not load stays queued for a worker of its own release.
 */
export class Adoption {
  readonly #options: AdoptionOptions
  /** Since when each version has been without workers. */
  readonly #left = new Map<string, number>()
  /** By version: the queued legs that would not load here. */
  readonly #refused = new Map<string, ReadonlySet<string>>()

  constructor(options: AdoptionOptions) {
    this.#options = options
  }

  async look(beats: readonly Beat[]): Promise<void> {
    for (const [version, its] of Map.groupBy(beats, (beat) => beat.version)) {
      if (version === this.#options.version) continue
      if (its.some(({ isAlive }) => isAlive)) {
        this.#left.delete(version)
        this.#refused.delete(version)
        continue
      }
      const since = this.#left.get(version) ?? Date.now()
      this.#left.set(version, since)
      if (Date.now() - since >= GRACE_MS) await this.#adopt(version)
    }
  }

  /** The database was away: who was silent before says nothing now. */
  forget(): void {
    this.#left.clear()
  }

  async #adopt(from: string): Promise<void> {
    const legs = await DBOS.listWorkflows({
      status: ['ENQUEUED', 'DELAYED'],
      applicationVersion: from,
      loadOutput: false,
      limit: MOST_LOOKED_AT,
    })
    const { rows, version, loads, log } = this.#options
    const before = this.#refused.get(from)
    // Built anew at each look, so it holds no leg that has left its queue.
    const refused = new Set<string>()
    this.#refused.set(from, refused)
    for (const { workflowID, input } of legs) {
      if (before?.has(workflowID) === true) {
        refused.add(workflowID)
        continue
      }
      const run = runIn(input)
      if (run !== undefined && (await loads(run))) {
        await rows.adopt({ id: workflowID, run }, from, version)
      } else {
        refused.add(workflowID)
        log(`the run ${run ?? workflowID} waits for a worker of ${from}: it would not load here`)
      }
    }
  }
}

/** Legs are written by this package only. */
function runIn([leg]: readonly unknown[] = []): string | undefined {
  return isLeg(leg) ? leg.run : undefined
}

const isLeg = (leg: unknown): leg is LegRequest =>
  typeof leg === 'object' && leg !== null && 'run' in leg && typeof leg.run === 'string'
