import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { type AuditReport, readAudit, readUsage, verifyAudit } from '@echelon/telemetry'
import pc from 'picocolors'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { RECORDS_FOLDER } from '../default-places.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { atLeastOne } from '../option-values.ts'
import { filesOf, NO_RECORDS, reading } from '../records.ts'
import { describeAudit } from '../terminal/show-audit.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

interface Where extends GlobalOptions {
  readonly records?: string
}

interface VerifyOptions extends Where {
  readonly head?: string
  readonly json?: true
}

interface ShowOptions extends Where {
  readonly run?: string
  readonly last?: number
}

/** `echelon audit`: shows and verifies the audit log. */
export function auditCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const verify = new Command('verify')
    .description('check that no entry of the audit log was changed, removed, moved or inserted')
    .option('--records <folder>', FOLDER_HELP)
    .option('--head <hash>', 'a head noted earlier, which must be in the log', hash)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', LIMIT)
    .action(async (_: unknown, command: Command) => {
      finish(await verifyLog(io, command.optsWithGlobals<VerifyOptions>()))
    })
  const show = new Command('show')
    .description('list entries of the audit log')
    .option('--records <folder>', FOLDER_HELP)
    .option('--run <id>', 'only entries of runs whose id starts with this')
    .option('--last <number>', 'only the newest entries; default: 20, or all of a run', atLeastOne)
    .action(async (_: unknown, command: Command) => {
      await showLog(io, command.optsWithGlobals<ShowOptions>())
    })
  return new Command('audit')
    .description('show or verify the tamper-evident log of what the recorded runs did')
    .addCommand(verify)
    .addCommand(show)
}

const FOLDER_HELP = `folder of the records; default: ${RECORDS_FOLDER}`

const LIMIT = `
Each entry holds the hash of the entry before it. The chain has no secret: a log
with entries cut off the end still verifies, and anyone who can write the file
can rewrite all of it. So store the printed head elsewhere and pass it with
--head later: if the log no longer contains it, the log was cut or replaced.
Every run in usage.jsonl must also have entries in the log; otherwise the log
was deleted, emptied or cut.

Exit status: 0 intact, 1 broken, 2 bad usage.`

async function verifyLog(io: Io, { head, json, ...where }: VerifyOptions): Promise<ExitStatus> {
  const { audit: path, usage } = filesOf(where, await configFor(io, where))
  // Read before the log: a run has log entries before it has a usage record.
  const { records } = await reading(usage, readUsage(usage))
  const runs = records.flatMap(({ run_id, unaudited }) => (unaudited === true ? [] : [run_id]))
  const report = await reading(
    path,
    verifyAudit(path, { runs, ...(head === undefined ? {} : { head }) }),
  )
  if (json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else if (report.ok && !existsSync(path)) printLine(io, NO_RECORDS)
  else printLine(io, describeReport(report, head))
  return report.ok ? EXIT.success : EXIT.unverified
}

function describeReport(report: AuditReport, noted: string | undefined): string {
  const { entries, torn_lines, head, broken } = report
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`
  if (broken !== null) {
    const where = broken.line === null ? 'in the log' : 'before it'
    const rest = entries === 0 ? '' : `\n${pc.dim(`intact ${where}: ${count}`)}`
    return `${pc.red('broken')}: ${broken.reason}${rest}`
  }
  const torn =
    torn_lines === 0 ? '' : `, ${torn_lines} cut off when a process died, and recorded as such`
  const seen = noted === undefined ? '' : ' The noted head is among them.'
  return `${pc.green('intact')}: ${count}${torn}.${seen}\n${pc.dim('head')} ${head ?? 'none'}`
}

async function showLog(io: Io, { run, last, ...where }: ShowOptions): Promise<void> {
  const { audit: path, usage } = filesOf(where, await configFor(io, where))
  const most = last ?? (run === undefined ? MOST_SHOWN : undefined)
  const choice = {
    ...(run === undefined ? {} : { run }),
    ...(most === undefined ? {} : { last: most }),
  }
  const { entries, earlier, unreadable } = await reading(path, readAudit(path, choice))
  if (entries.length === 0) printLine(io, describeNone({ path, usage, run }))
  else {
    if (earlier > 0) printLine(io, describeEarlier(earlier, run))
    printLine(io, describeAudit(entries, io.stdout.columns))
  }
  if (unreadable > 0) {
    const lines =
      unreadable === 1 ? '1 line is not an entry' : `${unreadable} lines are not entries`
    io.stderr.write(`echelon: ${lines}; ${STARTED_AS} audit verify shows what is wrong\n`)
  }
}

function describeNone({
  path,
  usage,
  run,
}: Record<'path' | 'usage', string> & { readonly run: string | undefined }): string {
  if (!existsSync(path) && !existsSync(usage)) return NO_RECORDS
  return run === undefined
    ? `${path} holds no entries; ${STARTED_AS} audit verify says whether it should.`
    : `The audit log has no run ${run}; leave --run out to see the newest.`
}

function describeEarlier(earlier: number, run: string | undefined): string {
  const count = earlier === 1 ? '1 earlier entry' : `${earlier} earlier entries`
  const more = run === undefined ? '--last N or --run ID' : 'a larger --last'
  return pc.dim(`… ${count}; ${more} shows ${earlier === 1 ? 'it' : 'them'}`)
}

const MOST_SHOWN = 20

function hash(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a hash of 64 hexadecimal digits, as verify prints it.')
}
