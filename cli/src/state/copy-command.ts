import type { CopiedStore, CopyOptions } from '@echelon/store'
import { Command, Option } from 'commander'
import { isPostgresAddress, postgresAddress } from '@echelon/store/internal/address'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type Io, printLine } from '../io.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { STARTED_AS } from '../started-as.ts'
import { placeNamed } from '../store/database.ts'
import { showCopying } from '../store/show-copying.ts'
import { clean } from '../terminal/clean.ts'

/** `echelon state copy`: moves a store between a file and a database. */
export function copyCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('copy')
    .description(
      'copy a store, or knowledge, between files and PostgreSQL databases: whole, or not at all',
    )
    .argument(
      '<from>',
      'a store or knowledge file, an address (postgres://…), or the word database',
    )
    .argument('<to>', 'the same; a new file, or an empty database or schema')
    .addOption(
      new Option('--only <part>', 'of a database that holds both, copy one').choices([
        'store',
        'knowledge',
      ]),
    )
    .option('--without-orders', 'leave out ordered runs that have not begun')
    .addHelpText('after', HELP)
    .action(async (from: string, to: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & CopyChoice>()
      const config = await configFor(io, options)
      finish(await copy(io, placeNamed(from, config), placeNamed(to, config), options))
    })
}

type CopyChoice = Pick<CopyOptions, 'only' | 'withoutOrders'>

const HELP = `
The word database stands for the address in ECHELON_DATABASE or --database: other users of this machine
can see the arguments of a command. Stop all that use the two stores before. The copy is written in one
transaction, read back and compared before it counts; what is interrupted leaves nothing. A database holds
a store and knowledge side by side, and both are copied to another one; a file holds one of the two.
The queue of a fleet is not copied, so a copy is refused while ordered runs have not begun.

  ${STARTED_AS} state copy .echelon/echelon.db database
  ${STARTED_AS} state copy .echelon/knowledge.db database

Exit status: 0 copied, or the target held the same already, 1 canceled, 2 nothing was copied.`

const shown = (place: string): string =>
  clean(isPostgresAddress(place) ? postgresAddress(place).shown : place)

const described = ({ runs, sessions, sources }: CopiedStore['rows']): string =>
  [
    ...(runs === undefined ? [] : [`${runs} runs and ${sessions} conversations`]),
    ...(sources === undefined ? [] : [`${sources} documents`]),
  ].join(', ')

async function copy(
  io: Io,
  from: string,
  to: string,
  { only, withoutOrders }: CopyChoice,
): Promise<ExitStatus> {
  const { copyStore } = await import('@echelon/store')
  const interrupt = cancelOnInterrupt(io, (text) => io.stderr.write(`${text}\n`))
  const progress = showCopying(io)
  try {
    const { signal } = interrupt
    const { rows, wasThere, orders } = await copyStore(from, to, {
      signal,
      onProgress: progress.follow,
      ...(only !== undefined && { only }),
      ...(withoutOrders !== undefined && { withoutOrders }),
    })
    progress.stop()
    const what = described(rows)
    printLine(
      io,
      wasThere
        ? `${shown(to)} holds the same already: ${what}. Nothing was written.`
        : `Copied ${what} from ${shown(from)} to ${shown(to)}, and compared every row.`,
    )
    if (orders > 0) printLine(io, `Left out, since they have not begun: ${orders} ordered runs.`)
    return EXIT.success
  } catch (error) {
    progress.stop()
    if (!interrupt.signal.aborted) throw error
    io.stderr.write('echelon: the copy was canceled, and nothing of it was kept\n')
    return EXIT.unverified
  } finally {
    interrupt.release()
  }
}
