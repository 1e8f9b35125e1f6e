import { Command, Option } from 'commander'
import type { RunStatus, RunSummary } from '@echelon/store'
import { EXIT, type ExitStatus } from '../../exit-status.ts'
import { type Io, printLine } from '../../io.ts'
import { atLeastOne } from '../../option-values.ts'
import { describeList } from '../../runs/show-list.ts'
import { STARTED_AS } from '../../started-as.ts'
import type { OpenedStore } from '../../store/keep-store.ts'
import { counted } from '../../terminal/counted.ts'
import type { Act, StoreOptions } from './run-command.ts'

const STATUSES = [
  'running',
  'waiting',
  'interrupted',
  'damaged',
  'finished',
  'canceled',
  'failed',
] as const

const NONE = `There are no runs yet: decide a task with ${STARTED_AS} decide, talk with ${STARTED_AS} chat, or name a file with --store.`

interface ListOptions extends StoreOptions {
  readonly status?: RunStatus
  readonly all?: true
  readonly limit: number
  readonly json?: true
}

/** `echelon runs list`. */
export const listRuns = (io: Io, act: Act): Command =>
  act<ListOptions>(
    new Command('list')
      .description('list unfinished runs, newest first')
      .addOption(new Option('--status <status>', 'only runs with this status').choices(STATUSES))
      .option('--all', 'include finished runs')
      .option('--limit <number>', 'maximum number of runs', atLeastOne, 100)
      .option('--json', 'print them as JSON'),
    async (store, _, { status, all, limit, json }, hideKeys) => {
      const wanted = status === undefined ? (all ? STATUSES : STATUSES.slice(0, 4)) : [status]
      const runs = hideKeys((await store?.runs.list({ status: wanted, limit })) ?? [])
      if (json) printLine(io, JSON.stringify(runs, null, 2))
      else if (runs.length > 0) printLine(io, describeList(io, runs))
      else printLine(io, await whyNone(store, status))
      return reportDamaged(io, runs)
    },
  )

/** Warns about damaged runs, which count as a failure although the list was shown. */
function reportDamaged(io: Io, runs: readonly RunSummary[]): ExitStatus {
  const count = runs.filter(({ status }) => status === 'damaged').length
  if (count === 0) return EXIT.success
  io.stderr.write(
    `echelon: ${counted(count, 'run')} damaged; ${STARTED_AS} state doctor shows what is wrong\n`,
  )
  return EXIT.unverified
}

async function whyNone(
  store: OpenedStore | undefined,
  status: RunStatus | undefined,
): Promise<string> {
  const [any] = (await store?.runs.list({ limit: 1 })) ?? []
  if (any === undefined) return NONE
  if (status !== undefined) return `No run is ${status}; ${STARTED_AS} runs list --all shows all.`
  return `All runs have ended; ${STARTED_AS} runs list --all shows them.`
}
