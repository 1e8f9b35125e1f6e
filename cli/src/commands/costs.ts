import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { EchelonError } from 'echelon/runtime'
import {
  COST_GROUPS,
  type CostAlert,
  type CostGroup,
  costReport,
  daysIn,
  readUsage,
  type UsageRecord,
} from '@echelon/telemetry'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { RECORDS_FOLDER } from '../default-places.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { configuredRecords, describeAlert, filesOf, NO_RECORDS, reading } from '../records.ts'
import { describeCosts, describeUnreadable } from '../terminal/show-costs.ts'
import { atLeastOne, positive } from '../option-values.ts'
import { type Io, printLine } from '../io.ts'

interface CostsOptions extends GlobalOptions {
  readonly by: CostGroup
  readonly since?: string
  readonly last?: number
  readonly timezone?: string
  readonly costAlert?: number
  readonly records?: string
  readonly json?: true
}

/** `echelon costs`: shows tokens and cost of the recorded runs. */
export function costsCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('costs')
    .description('show tokens and cost of the recorded runs')
    .addOption(new Option('--by <group>', 'group by').choices(COST_GROUPS).default('model'))
    .option('--since <date>', 'first day to include, such as 2026-11-22', isoDate)
    .option(
      '--last <number>',
      'newest runs or days to list, with one line for the rest; default: 20 runs, or all with --json',
      atLeastOne,
    )
    .option('--timezone <zone>', 'time zone for days; default: the system’s')
    .option('--cost-alert <dollars>', 'exit with 1 if today’s runs took more', positive)
    .option('--records <folder>', `folder of the records; default: ${RECORDS_FOLDER}`)
    .option('--json', 'print the report as JSON')
    .action(async (_: unknown, command: Command) => {
      finish(await costs(io, command.optsWithGlobals<CostsOptions>()))
    })
}

async function costs(io: Io, options: CostsOptions): Promise<ExitStatus> {
  const config = await configFor(io, options)
  const configured = configuredRecords(config)
  const { usage: path } = filesOf(options, config)
  const { records, unreadable } = await reading(path, readUsage(path))
  const { by, since, json } = options
  const timeZone = options.timezone ?? configured.timeZone
  const last = lastOf(options)
  const report = costReport(records, {
    by,
    timeZone,
    ...(since === undefined ? {} : { since }),
    ...(last === undefined ? {} : { last }),
  })
  const alert = alertFor(records, timeZone, options.costAlert ?? configured.costAlert ?? Infinity)
  if (json) {
    const output = { ...report, unreadable, alert: alert === null ? null : wireOf(alert) }
    io.stdout.write(`${JSON.stringify(output, null, 2)}\n`)
  } else if (existsSync(path)) printLine(io, describeCosts(report))
  else printLine(io, NO_RECORDS)
  const notes = [
    ...describeUnreadable(path, unreadable),
    ...(alert === null ? [] : [describeAlert(alert)]),
  ]
  for (const sentence of notes) io.stderr.write(`echelon: ${sentence}\n`)
  return alert === null ? EXIT.success : EXIT.unverified
}

/** Maximum number of lines; undefined for all. */
function lastOf({ by, last, json }: CostsOptions): number | undefined {
  if (last !== undefined && by !== 'run' && by !== 'day')
    throw new EchelonError(
      'INVALID_INPUT',
      '--last counts runs or days; add --by run or --by day, or leave --last out',
    )
  return last ?? (by === 'run' && json === undefined ? MOST_SHOWN : undefined)
}

const MOST_SHOWN = 20

/** The alert for today's runs, if they cost more than the threshold. */
function alertFor(
  records: readonly UsageRecord[],
  timeZone: string,
  threshold: number,
): CostAlert | null {
  const day = daysIn(timeZone)(new Date().toISOString())
  const { rows } = costReport(records, { by: 'day', timeZone, since: day })
  const today = rows.find(({ key }) => key === day)
  if (today === undefined || today.known_cost <= threshold) return null
  return { day, knownCost: today.known_cost, unpricedCalls: today.unpriced_calls, threshold }
}

/** The alert with the field names of the record files. */
const wireOf = ({ day, knownCost, unpricedCalls, threshold }: CostAlert) => ({
  day,
  known_cost: knownCost,
  unpriced_calls: unpricedCalls,
  threshold,
})

function isoDate(text: string): string {
  const at = new Date(`${text}T00:00:00Z`)
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime())
  if (isDate && at.toISOString().startsWith(text)) return text
  throw new InvalidArgumentError('It must be a date such as 2026-11-22.')
}
