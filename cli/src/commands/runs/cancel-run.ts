import { hasEnded } from 'echelon/internal/store'
import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import type { RunSummary } from '@echelon/store'
import { setTimeout } from 'node:timers/promises'
import { EXIT } from '../../exit-status.ts'
import type { Io } from '../../io.ts'
import { endHere, type GoOnOptions, type OwnRun, ownRun } from '../../runs/go-on.ts'
import { standingOf } from '../../runs/words.ts'
import type { OpenedStore } from '../../store/keep-store.ts'
import { readOrigin } from '../../store/run-origin.ts'
import {
  type Act,
  assertOpen,
  isBusy,
  runIn,
  short,
  type StoreOptions,
  withRepeatedOptions,
} from './run-command.ts'

type CancelOptions = StoreOptions & GoOnOptions

/** Time for a live process to end the run itself, in milliseconds. */
const PATIENCE_MS = 5000

/** `echelon runs cancel`. */
export const cancelRun = (io: Io, act: Act): Command =>
  act<CancelOptions>(
    withRepeatedOptions(new Command('cancel'))
      .description('cancel a run, in the process that works on it if there is one')
      .argument('<run>'),
    async (there, [said], options) => {
      const { store, run } = await runIn(there, said)
      assertOpen(run)
      await store.runs.askToCancel(run.id)
      const isOwn = readOrigin(run.made) !== undefined
      if (isOwn && run.status !== 'running') await endIfIdle(io, ownRun(run), store, options)
      const ended = await untilEnded(store, run.id)
      io.stderr.write(
        ended
          ? `the run ${short(run)} ${standingOf(ended).text}\n`
          : `the run ${short(run)} was asked to cancel; the process that works on it, or the program that started it, ends it when it next looks\n`,
      )
      return ended === undefined ? EXIT.unverified : EXIT.success
    },
  )

/** Ends the run here unless a live process works on it; then that process ends it. */
async function endIfIdle(
  io: Io,
  own: OwnRun,
  store: OpenedStore,
  options: CancelOptions,
): Promise<void> {
  try {
    await endHere(io, own, store, options)
  } catch (error) {
    if (isBusy(error)) return
    if (!(error instanceof EchelonError)) throw error
    throw new EchelonError(
      error.code === 'STORE_DAMAGED' ? error.code : 'INVALID_INPUT',
      `the run ${short(own.run)} has a cancel on record, but could not be ended here: ${error.message}; fix that, then cancel it again`,
    )
  }
}

async function untilEnded({ runs }: OpenedStore, id: string): Promise<RunSummary | undefined> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const run = await runs.find(id)
    if (run !== undefined && hasEnded(run)) return run
    if (performance.now() > until) return undefined
    await setTimeout(100)
  }
}
