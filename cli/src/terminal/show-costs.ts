import type { CostReport, CostSum, UsageRead } from '@echelon/telemetry'
import pc from 'picocolors'
import { clean } from './clean.ts'

/** Formats a cost report as a table. */
export function describeCosts(report: CostReport): string {
  const { by, rows, earlier, total } = report
  const listed = [...rows, ...(earlier === null ? [] : [earlier])]
  const isRepeated = listed.reduce((sum, { runs }) => sum + runs, 0) > total.runs
  const money = moneyFor([...listed, total])
  // Grouped by run, each line is one run.
  const runs = (cell: string): readonly string[] => (by === 'run' ? [] : [cell])
  const line = (key: string, sum: CostSum): readonly string[] => [
    key,
    ...runs(count(sum.runs)),
    count(sum.llm_calls),
    count(sum.prompt_tokens),
    count(sum.completion_tokens),
    money(sum),
  ]
  const header = [by, ...runs('runs'), 'calls', 'tokens in', 'tokens out', 'cost']
  const body = rows.map((row) => line(clean(row.key), row))
  const before = earlier === null ? [] : [line(`… and ${count(earlier.rows)} earlier`, earlier)]
  const table = align([header, ...before, ...body, line('total', total)])
  const [head = '', ...lines] = table
  const last = lines.pop() ?? ''
  const rule = pc.dim('─'.repeat(last.length))
  return [
    pc.dim(head),
    ...lines,
    rule,
    pc.bold(last),
    '',
    ...(isRepeated ? [REPEATED] : []),
    ...notesOn(report, money),
  ].join('\n')
}

const count = (amount: number): string => amount.toLocaleString('en-US')

/** Aligns the first column left and numbers right. */
function align(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  '),
  )
}

type Money = (sum: Pick<CostSum, 'cost' | 'known_cost' | 'unpriced_calls'>) => string

/** Formats all sums with the same number of digits, chosen by the largest. */
function moneyFor(sums: readonly CostSum[]): Money {
  const most = Math.max(...sums.map(({ known_cost }) => known_cost))
  const digits = most >= 100 || most === 0 ? 2 : most >= 1 ? 4 : 6
  const least = 10 ** -digits
  const exact = (amount: number): string =>
    amount > 0 && amount < least
      ? `<$${least.toFixed(digits)}`
      : `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
  return ({ cost, known_cost }) => {
    if (cost !== null) return exact(cost)
    return known_cost === 0 ? 'unknown' : `≥ ${exact(known_cost)}`
  }
}

function notesOn({ time_zone, since, total }: CostReport, money: Money): readonly string[] {
  const { evaluations, conversations, unpriced_calls, assumed_calls } = total
  const { escalated_runs, escalated_share, mean_cost_per_run } = total
  const runs = total.runs - evaluations.runs - conversations.runs
  const share = escalated_share === null ? '' : ` (${Math.round(escalated_share * 100)} %)`
  const mean =
    mean_cost_per_run === null
      ? []
      : [`${money({ cost: mean_cost_per_run, known_cost: 0, unpriced_calls: 0 })} a run on average`]
  const summary = [
    `${count(escalated_runs)} of ${count(runs)} decide runs escalated${share}`,
    ...mean,
  ].join(' · ')
  const calls = unpriced_calls === 1 ? '1 call' : `${count(unpriced_calls)} calls`
  return [
    ...(runs === 0 && total.runs > 0 ? [] : [summary]),
    ...describePart(conversations, money, ['turn', 'turns', 'of conversations']),
    ...describePart(evaluations, money, ['run', 'runs', 'of evaluations']),
    ...(unpriced_calls === 0
      ? []
      : [pc.yellow(`${calls} whose cost is unknown (no price, or no usage reported)`)]),
    ...(assumed_calls === 0
      ? []
      : [
          pc.yellow(
            `${assumed_calls === 1 ? '1 call' : `${count(assumed_calls)} calls`} without plausible usage: ${ASSUMED}`,
          ),
        ]),
    pc.dim(`days in ${time_zone}${since === null ? '' : `, from ${since} on`}`),
  ]
}

const REPEATED = pc.dim(
  'a run that asked several models is counted for each, and once in the total',
)

const ASSUMED =
  'charged at the worst case where a limit reserved one; where no limit was set, its cost is unknown'

function describePart(
  sum: CostSum,
  money: Money,
  [one, many, what]: readonly [one: string, many: string, what: string],
): readonly string[] {
  if (sum.runs === 0) return []
  const isUnknown = sum.cost === null && sum.known_cost === 0
  const runs = sum.runs === 1 ? `1 ${one}` : `${count(sum.runs)} ${many}`
  return [`including ${isUnknown ? 'an unknown cost' : money(sum)} in ${runs} ${what}`]
}

/** Sentence about unreadable lines of the file; empty if there are none. */
export function describeUnreadable(path: string, unreadable: UsageRead['unreadable']): string[] {
  if (unreadable.length === 0) return []
  const named = unreadable.slice(0, MOST_NAMED).map(({ line }) => line)
  const more = unreadable.length > MOST_NAMED ? ', …' : ''
  const [lines, count] =
    unreadable.length === 1 ? ['1 line', 'does'] : [`${unreadable.length} lines`, 'do']
  return [`${lines} of ${path} cannot be read and ${count} not count: ${named.join(', ')}${more}`]
}

const MOST_NAMED = 10
