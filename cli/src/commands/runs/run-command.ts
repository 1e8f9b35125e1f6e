import { hasEnded } from 'echelon/internal/store'
import type { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import type { RunSummary } from '@echelon/store'
import { configFor, type GlobalOptions } from '../../configuration.ts'
import { keyRedactorOf, type Redactor } from '../../conversation/redactor.ts'
import { STORE_FILE } from '../../default-places.ts'
import type { ExitStatus } from '../../exit-status.ts'
import type { Io } from '../../io.ts'
import { findRun } from '../../runs/find-run.ts'
import { standingOf } from '../../runs/words.ts'
import { STARTED_AS } from '../../started-as.ts'
import { type OpenedStore, storeThere } from '../../store/keep-store.ts'
import { clean } from '../../terminal/clean.ts'

export interface StoreOptions extends GlobalOptions {
  readonly store?: string
}

type Work<Options> = (
  store: OpenedStore | undefined,
  args: readonly string[],
  options: Options,
  hideKeys: Redactor,
) => Promise<ExitStatus>

/** Turns a command into one that works on the store. */
export type Act = <Options extends StoreOptions>(command: Command, work: Work<Options>) => Command

/** Opens the store for a subcommand, and closes it afterwards. */
export const actor =
  (io: Io, finish: (status: ExitStatus) => void): Act =>
  <Options extends StoreOptions>(command: Command, work: Work<Options>) =>
    command
      .option('--store <file>', `file where runs are stored; default: ${STORE_FILE}`)
      .action(async (...given: readonly unknown[]) => {
        const options = command.optsWithGlobals<Options>()
        // Commander passes the words of a reply as a list.
        const args = given.flat().filter((one) => typeof one === 'string')
        const config = await configFor(io, options)
        const store = await storeThere(options, config)
        try {
          finish(await work(store, args, options, keyRedactorOf(config)))
        } finally {
          await store?.close()
        }
      })

/**
 * The run that a person named.
 * @throws EchelonError UNKNOWN_RUN, STORE_DAMAGED
 */
export async function runIn(
  store: OpenedStore | undefined,
  said: string | undefined = '',
): Promise<{ readonly store: OpenedStore; readonly run: RunSummary }> {
  if (store === undefined) {
    throw new EchelonError(
      'UNKNOWN_RUN',
      `there is no run ${clean(said)}; nothing is stored here yet`,
    )
  }
  const run = await findRun(store.runs, said)
  if (run.status !== 'damaged') return { store, run }
  throw new EchelonError(
    'STORE_DAMAGED',
    `the run ${clean(run.id)} is damaged (${clean(run.reason ?? '')}), so it cannot be used; other runs are not affected. Restore a backup to recover it`,
  )
}

/** @throws EchelonError INVALID_INPUT for a run that has ended */
export function assertOpen(run: RunSummary): void {
  if (!hasEnded(run)) return
  throw usage(
    `the run ${short(run)} has ended (${standingOf(run).text}); ${STARTED_AS} runs show ${short(run)} shows it`,
  )
}

export const short = ({ id }: RunSummary): string => clean(id.slice(0, 8))
export const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)

/** Adds the options that a resumed run needs again, since they are not stored with it. */
export const withRepeatedOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'model server that the run was started with, if it had --base-url')
    .option(
      '--stock-url <url>',
      'price server that the run was started with, if it had --stock-url',
    )
    .option('--json', 'print the result as JSON')

/** Whether a live process holds the run, perhaps while it waits for an answer. */
export const isBusy = (error: unknown): boolean =>
  error instanceof EchelonError && error.code === 'RUN_BUSY'
