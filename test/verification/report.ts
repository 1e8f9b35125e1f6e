import { BEFORE, EACH_BEFORE } from './before.ts'
import type { Item } from './item.ts'
import type { Judgment } from './judge.ts'
import type { Tally } from './tally.ts'

const HEAD = ['kind', 'tried', 'right', 'not checked', 'WRONG', 'AMBIGUOUS', 'before'] as const

/** A table of kinds, the controls last, with totals. */
export function tableOf(tallies: readonly Tally[]): string {
  const hard = tallies.filter(({ control }) => !control)
  const controls = tallies.filter(({ control }) => control)
  const rows = [
    [...HEAD],
    ...hard.map(rowOf),
    ...controls.map((tally) => rowOf({ ...tally, kind: `control: ${tally.kind}` })),
    totalOf('all but controls', hard),
    totalOf('controls', controls),
    totalOf('total', tallies),
  ]
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

const rowOf = ({ kind, tried, counts }: Pick<Tally, 'kind' | 'tried' | 'counts'>): string[] => [
  kind,
  ...[tried, counts.right, counts.unchecked, counts.wrong, counts.ambiguous].map(String),
  BEFORE[kind.replace('control: ', '')] === undefined ? '' : beforeOf(kind, tried),
]

/** Number verified before two readers had to agree, out of the number tried now. */
const beforeOf = (kind: string, tried: number): string =>
  `~${Math.round(((BEFORE[kind.replace('control: ', '')] ?? 0) / EACH_BEFORE) * tried)}`

function totalOf(kind: string, tallies: readonly Tally[]): string[] {
  const sum = (of: (tally: Tally) => number): number =>
    tallies.reduce((total, tally) => total + of(tally), 0)
  return rowOf({
    kind,
    tried: sum(({ tried }) => tried),
    counts: {
      right: sum(({ counts }) => counts.right),
      unchecked: sum(({ counts }) => counts.unchecked),
      wrong: sum(({ counts }) => counts.wrong),
      ambiguous: sum(({ counts }) => counts.ambiguous),
    },
  })
}

/** The first failures of each kind, a line each. */
export function samplesOf(tallies: readonly Tally[], most: number): string {
  return tallies.flatMap(({ failures }) => failures.slice(0, most).map(lineOf)).join('\n')
}

export function lineOf({ kind, text, reading, accepted }: Item & Judgment): string {
  const right =
    reading.type === 'ambiguous'
      ? `ambiguous (${reading.why})`
      : String(reading.type === 'date' ? reading.iso : reading.value)
  return `[${kind}] ${text}\n    right: ${right}; could be verified: ${accepted.join(', ')}`
}
