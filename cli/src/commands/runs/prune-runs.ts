import { Command } from 'commander'
import pc from 'picocolors'
import { EXIT } from '../../exit-status.ts'
import { type Io, printLine } from '../../io.ts'
import { atLeastOne } from '../../option-values.ts'
import { lengthOfTime } from '../../runs/lengths.ts'
import { counted } from '../../terminal/counted.ts'
import { type Act, type StoreOptions, usage } from './run-command.ts'

interface PruneOptions extends StoreOptions {
  readonly olderThan?: number
  readonly keep?: number
  readonly conversations?: true
  readonly condense?: true
  readonly dryRun?: true
}

/** `echelon runs prune`. */
export const pruneRuns = (io: Io, act: Act): Command =>
  act<PruneOptions>(
    new Command('prune')
      .description(
        'delete finished runs with all their data; keeps conversations and runs that can be resumed',
      )
      .option(
        '--older-than <time>',
        'runs that ended longer ago than this, such as 30d or 12h',
        lengthOfTime,
      )
      .option('--keep <number>', 'keep this many of the newest finished runs', atLeastOne)
      .option(
        '--conversations',
        'with --older-than: also delete conversations unused for that long',
      )
      .option('--condense', 'drop steps that unfinished runs do not need to resume')
      .option('--dry-run', 'only show what would be deleted'),
    async (store, _, { olderThan, keep, condense = false, dryRun = false, ...more }) => {
      if (olderThan === undefined && keep === undefined && !condense) {
        throw usage('choose what to delete: --older-than 30d, --keep 100, or --condense')
      }
      if (more.conversations === true && olderThan === undefined) {
        throw usage('--conversations needs an age; add --older-than, such as 30d')
      }
      const pruned = await store?.runs.prune({
        ...(olderThan !== undefined && { endedBeforeMs: olderThan }),
        ...(keep !== undefined && { keep }),
        conversations: more.conversations === true,
        condense,
        dryRun,
      })
      const { runs = 0, sessions = 0, results = 0, cached = 0, condensed = 0 } = pruned ?? {}
      const counts = [
        counted(runs, 'run'),
        counted(sessions, 'conversation'),
        counted(results, 'result'),
        counted(cached, 'cached answer'),
      ]
      printLine(io, `${dryRun ? pc.dim('would delete') : 'deleted'} ${counts.join(', ')}`)
      if (condense) {
        const what = `the first steps of ${counted(condensed, 'resumable run')}`
        printLine(io, `${dryRun ? pc.dim('would drop') : 'dropped'} ${what}`)
      }
      return EXIT.success
    },
  )
