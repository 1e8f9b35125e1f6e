import { escalationFigures } from './escalation.ts'
import { ask, gsm8kLadder } from './gsm8k-ladder.ts'
import type { Gsm8kRow } from './gsm8k-rows.ts'
import { printPercent, printShare } from './table.ts'

/** Share of the gap between the models that the cascade is to recover. */
const RECOVERED = 0.8

/**
 * The cost of the cascade that recovers four fifths of the gap, beside each model alone. Without the cost of
 * opinions; tokens are estimated from the texts.
 * @param scores of the small model's answers, of one cross-validation
 */
export async function moneyLines(
  rows: readonly Gsm8kRow[],
  scores: readonly number[],
): Promise<string> {
  const ladder = await gsm8kLadder(rows)
  const asked: Asked[] = []
  for (const [at, row] of rows.entries()) {
    const [small, big] = [
      await ask(ladder.small, row.question),
      await ask(ladder.big, row.question),
    ]
    asked.push({ row, score: scores[at] ?? 0, small: small.dollars, big: big.dollars })
  }
  const { cpt80 } = escalationFigures(
    asked.map(({ row, score }) => ({
      score,
      smallRight: row.small.right,
      bigRight: row.big.right,
    })),
  )
  const escalated = new Set(
    asked.toSorted((a, b) => a.score - b.score).slice(0, Math.round(cpt80 * asked.length)),
  )
  return [
    `money, tokens estimated, per 1,000 questions; the cascade recovers ${printPercent(RECOVERED)} of the gap:`,
    line('small alone', asked, new Set()),
    line(`cascade, ${printPercent(cpt80)} escalated`, asked, escalated),
    line('big alone', asked, new Set(asked), false),
  ].join('\n')
}

interface Asked {
  readonly row: Gsm8kRow
  readonly score: number
  /** Dollars of either answer. */
  readonly small: number
  readonly big: number
}

function line(
  name: string,
  asked: readonly Asked[],
  escalated: ReadonlySet<Asked>,
  paysSmall = true,
): string {
  const mean = (of: (each: Asked) => number): number =>
    asked.reduce((sum, each) => sum + of(each), 0) / asked.length
  const dollars = mean(
    (each) => (paysSmall ? each.small : 0) + (escalated.has(each) ? each.big : 0),
  )
  const accuracy = mean((each) =>
    Number(escalated.has(each) ? each.row.big.right : each.row.small.right),
  )
  const solved = (1_000 * dollars) / accuracy
  return `  ${name}: $${(1_000 * dollars).toFixed(2)}, accuracy ${printShare(accuracy)}, $${solved.toFixed(2)} per 1,000 solved`
}
