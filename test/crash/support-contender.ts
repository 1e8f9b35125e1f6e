import { setTimeout as wait } from 'node:timers/promises'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { Beside, Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import { openStore } from '@echelon/store'
import type { Said } from './contest.ts'
import { Outside } from './outside.ts'
import { supportRouter } from './support-scenario.ts'

/**
 * A process that gets a message of a session and resolves it when told to:
 * `support-contender.ts FOLDER ID=TEXT SESSION LEASEMS HOLD`. It pauses before its append number `HOLD`
 * until it is told to continue.
 */
const [folder = '', message = '', session = '', leaseMs = '', hold = ''] = process.argv.slice(2)
const [id = '', text = ''] = message.split('=')
const tell = (said: Said): void => void process.send?.(said)
const word = (): Promise<void> =>
  new Promise((resolve) => void process.once('message', () => resolve()))

const store = await openStore(`${folder}/contest.db`, { leaseMs: Number(leaseMs) })
let appends = 0

const journal: Journal = {
  async append(run: string, entries: readonly Entry[], beside?: Beside): Promise<void> {
    if (appends++ === Number(hold)) {
      const go = word()
      tell({ type: 'held' })
      await go
    }
    void store.runs.append(run, entries, beside)
  },
  read: (run) => store.runs.read(run),
  snapshot: (run) => store.runs.snapshot(run),
  follow: (run, hear) => store.runs.follow(run, hear),
  leave: (run, how) => store.runs.leave(run, how),
}

const router = supportRouter({ journal, store, outside: new Outside(folder, session) })
const go = word()
tell({ type: 'ready' })
await go
try {
  const response = await router.resolve({ id, text }, session)
  const history = (await router.history(session)).map((one) => `${one.role}: ${one.text}`)
  tell({ type: 'ended', reason: response.text, result: history })
} catch (error) {
  if (!(error instanceof EchelonError)) throw error
  tell({ type: 'refused', code: error.code, message: error.message })
}
// Work still in progress here would do its harm now.
await wait(50)
await store.close()
process.disconnect?.()
