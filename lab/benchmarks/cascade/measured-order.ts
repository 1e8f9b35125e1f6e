import { standardErrors } from './bootstrap.ts'
import type { Escalable } from '../../../packages/echelon/src/core/statistics/escalation-order.ts'
import { type EscalationFigures, escalationFigures, meanFigures } from './escalation.ts'
import { type Line, printPercent, printShare } from './table.ts'

export const ORDER_COLUMNS: readonly string[] = ['APGR', 'CPT50', 'CPT80', 'accuracy at 15 %']

/** A line with the figures in it. */
export interface OrderLine extends Line {
  readonly figures: EscalationFigures
}

/** A case with the grades of both models' answers. */
export type Graded = Omit<Escalable, 'score'>

/**
 * The line of an order of escalation, with standard errors by bootstrap over the cases; scores are not fitted anew
 * for each draw.
 * @param runs the scores of the cases, one list for each run of a cross-validation; figures are means over runs
 */
export function orderLine(
  name: string,
  graded: readonly Graded[],
  runs: readonly (readonly number[])[],
  note?: string,
): OrderLine {
  const figuresOf = (drawn: readonly number[]): EscalationFigures =>
    meanFigures(
      runs.map((scores) =>
        escalationFigures(
          drawn.flatMap((at) => {
            const [grades, score] = [graded[at], scores[at]]
            return grades === undefined || score === undefined ? [] : [{ ...grades, score }]
          }),
        ),
      ),
    )
  const errors = standardErrors(graded.length, (drawn) => ({ ...figuresOf(drawn) }))
  const figures = figuresOf([...graded.keys()])
  return {
    name,
    figures,
    cells: cellsOf(figures, errors),
    ...(note === undefined ? {} : { note }),
  }
}

/** The line of figures that others published or measured. */
export const anchorLine = (
  name: string,
  figures: Partial<EscalationFigures>,
  note?: string,
): Line => ({ name, cells: cellsOf(figures, {}), ...(note === undefined ? {} : { note }) })

function cellsOf(
  { apgr, cpt50, cpt80, accuracyAt15 }: Partial<EscalationFigures>,
  errors: Readonly<Record<string, number>>,
): Readonly<Record<string, string>> {
  return {
    ...(apgr === undefined ? {} : { APGR: printShare(apgr, errors['apgr']) }),
    ...(cpt50 === undefined ? {} : { CPT50: printPercent(cpt50, errors['cpt50']) }),
    ...(cpt80 === undefined ? {} : { CPT80: printPercent(cpt80, errors['cpt80']) }),
    ...(accuracyAt15 === undefined
      ? {}
      : { 'accuracy at 15 %': printShare(accuracyAt15, errors['accuracyAt15']) }),
  }
}
