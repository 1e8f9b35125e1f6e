import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { backUp, examineStore } from '@echelon/store'
import { isPostgresAddress } from '@echelon/store/internal/address'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { clean } from '../terminal/clean.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { STORE_FILE } from '../default-places.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { megabytes } from '../terminal/megabytes.ts'
import { showCopying } from '../store/show-copying.ts'
import { storeFileThere } from '../store/keep-store.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

interface BackupCommandOptions extends GlobalOptions {
  readonly store?: string
}

/** `echelon backup`: copies the store, even while other processes write to it. */
export function backupCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('backup')
    .description('copy the store of runs and conversations, even while it is being written')
    .argument('<file>', 'the new file; an existing file is never overwritten')
    .option('--store <file>', `store to copy; default: ${STORE_FILE}`)
    .addHelpText('after', HELP)
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<BackupCommandOptions>()
      const store = storeFileThere(options, await configFor(io, options))
      if (store === undefined) throw nothingKept()
      if (isPostgresAddress(store)) throw ofDatabase()
      finish(await copy(io, store, file))
    })
}

const HELP = `
The copy is a store too, readable only by you: ${STARTED_AS} state doctor FILE checks it, and --store FILE
uses it. To restore it, move it over the old store while no process uses that.

Exit status: 0 copied, 1 canceled, or copied a damaged store, 2 nothing was copied.`

const nothingKept = (): EchelonError =>
  new EchelonError('INVALID_INPUT', 'there is no store to copy yet; name one with --store')

const ofDatabase = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `a database is backed up with pg_dump; or copy it to a file: ${STARTED_AS} state copy FROM TO`,
  )

async function copy(io: Io, store: string, file: string): Promise<ExitStatus> {
  const interrupt = cancelOnInterrupt(io, (text) => io.stderr.write(`${text}\n`))
  const progress = showCopying(io)
  try {
    const { signal } = interrupt
    const { bytes, version, isNewer } = await backUp(store, file, {
      signal,
      onProgress: progress.follow,
    })
    progress.stop()
    printLine(io, clean(`Copied ${store} to ${file} (${megabytes(bytes)}).`))
    if (!isNewer) return await reportDamage(io, file)
    const than = `its version ${version} is newer than this Echelon reads`
    printLine(io, `The copy is complete, but ${than}; update Echelon to use it.`)
    return EXIT.success
  } catch (error) {
    progress.stop()
    if (!interrupt.signal.aborted) throw error
    io.stderr.write('echelon: the backup was canceled, and no copy was kept\n')
    return EXIT.unverified
  } finally {
    interrupt.release()
  }
}

const MOST_NAMED = 10

/** Warns about damage in the copy. A damaged store is still copied, since the rest may be needed. */
async function reportDamage(io: Io, file: string): Promise<ExitStatus> {
  const damage = await damageOf(file)
  if (damage.length === 0) return EXIT.success
  const more = damage.length > MOST_NAMED ? '; and more' : ''
  const named = `${damage.slice(0, MOST_NAMED).join('; ')}${more}`
  io.stderr.write(clean(`echelon: the copy is damaged, like the store: ${named}`) + '\n')
  return EXIT.unverified
}

async function damageOf(file: string): Promise<readonly string[]> {
  try {
    const copy = examineStore(file)
    try {
      const { damage, damagedRows } = await copy.facts()
      return [...damage, ...damagedRows]
    } finally {
      copy.close()
    }
  } catch (error) {
    if (!(error instanceof EchelonError) || error.code !== 'STORE_UNUSABLE') throw error
    return [error.message]
  }
}
