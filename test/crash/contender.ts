import { setTimeout as wait } from 'node:timers/promises'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { Beside, Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import { openStore } from '@echelon/store'
import type { Said } from './contest.ts'
import { journeyIn } from './journey-scenario.ts'
import { Outside } from './outside.ts'

/**
 * A process that works on a run when told to: `contender.ts FOLDER RUN SESSION LEASEMS HOLD`. It starts
 * the run as a turn of the session, or resumes it, and pauses before its append number `HOLD` until it is
 * told to continue.
 */
const [folder = '', run = '', session = '', leaseMs = '', hold = ''] = process.argv.slice(2)
const tell = (said: Said): void => void process.send?.(said)
const word = (): Promise<void> =>
  new Promise((resolve) => void process.once('message', () => resolve()))

const store = await openStore(`${folder}/contest.db`, { leaseMs: Number(leaseMs) })
let appends = 0

const journal: Journal = {
  async append(id: string, entries: readonly Entry[], beside?: Beside): Promise<void> {
    if (appends++ === Number(hold)) {
      const go = word()
      tell({ type: 'held' })
      await go
    }
    void store.runs.append(id, entries, beside)
  },
  read: (id) => store.runs.read(id),
  snapshot: (id) => store.runs.snapshot(id),
  follow: (id, hear) => store.runs.follow(id, hear),
  leave: (id, how) => store.runs.leave(id, how),
}

const go = word()
tell({ type: 'ready' })
await go
const outside = new Outside(folder, run)
const surroundings = { run, folder, limits: {}, outside, memories: store.memories }
try {
  const { reason, result } = await journeyIn(session)({ ...surroundings, journal })
  tell({ type: 'ended', reason, result })
} catch (error) {
  if (!(error instanceof EchelonError)) throw error
  tell({ type: 'refused', code: error.code, message: error.message })
}
// Work still in progress here would do its harm now.
await wait(50)
await store.close()
process.disconnect?.()
