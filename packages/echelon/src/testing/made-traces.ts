import { seededRandom } from '../core/value/random.ts'

/** A made-up model. */
export interface MadeModel {
  readonly model: string
  /** Share of the tasks that it gets wrong; half of these show in the steps that it writes out. */
  readonly wrong: number
  /** US dollars an answer; absent: not recorded. */
  readonly cost?: number
}

/** A cheap model that is often wrong, and a dear one that seldom is. */
export const MADE_MODELS: readonly MadeModel[] = [
  { model: 'made/small', wrong: 0.35, cost: 0.001 },
  { model: 'made/big', wrong: 0.04, cost: 0.02 },
]

export interface MadeTraces {
  readonly count: number
  readonly seed?: number
  readonly models?: readonly MadeModel[]
}

/** Rows of traces for tests: word problems with two steps, answered by made-up models. */
export function madeTraces({
  count,
  seed = 1,
  models = MADE_MODELS,
}: MadeTraces): readonly object[] {
  const random = seededRandom(seed)
  const pick = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  return Array.from({ length: count }, (_, at) => {
    const [boxes, pens, price] = [pick(3, 19), pick(4, 24), pick(2, 9)]
    return {
      id: `made-${at + 1}`,
      question: `Ann buys ${boxes} boxes with ${pens} pens each. A pen costs $${price}. What does she pay?`,
      wanted: 'number',
      gold: boxes * pens * price,
      answers: models.map(({ model, wrong, cost }) => ({
        model,
        text: answerOf([boxes, pens, price], random() < wrong, random() < 0.5),
        ...(cost === undefined ? {} : { cost }),
        latency_s: Number((0.2 + random()).toFixed(3)),
      })),
    }
  })
}

/** A wrong answer either computes wrong, which a verifier can see, or computes something else. */
function answerOf(
  [boxes, pens, price]: readonly [number, number, number],
  isWrong: boolean,
  isVisible: boolean,
): string {
  if (isWrong && !isVisible) {
    const sum = boxes + pens
    return `There are ${boxes} + ${pens} = ${sum} pens. They cost ${sum} × ${price} = ${sum * price}.\n#### ${sum * price}`
  }
  const all = boxes * pens
  const total = all * price + (isWrong ? 10 : 0)
  return `There are ${boxes} × ${pens} = ${all} pens. They cost ${all} × $${price} = $${total}.\n#### ${total}`
}

/** The rows as the text of a file. */
export const asLines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')
