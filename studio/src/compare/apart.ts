import type { StepView } from 'echelon/client'

/** A step of each run at the same place; `undefined` where a run has none. */
export interface StepPair {
  readonly seq: number
  readonly a: StepView | undefined
  readonly b: StepView | undefined
  readonly differs: boolean
}

/** The steps of two runs side by side. Sub-runs belong to a step of their run and are not compared. */
export function pairsOf(a: readonly StepView[], b: readonly StepView[]): readonly StepPair[] {
  const own = (steps: readonly StepView[]): ReadonlyMap<number, StepView> =>
    new Map(steps.filter(({ path }) => path === '').map((step) => [step.seq, step]))
  const [ofA, ofB] = [own(a), own(b)]
  return [...new Set([...ofA.keys(), ...ofB.keys()])]
    .toSorted((one, other) => one - other)
    .map((seq) => {
      const [one, other] = [ofA.get(seq), ofB.get(seq)]
      return { seq, a: one, b: other, differs: whatCounts(one) !== whatCounts(other) }
    })
}

/** A step's effect and observation as text, without the times and amounts that differ in any two runs. */
function whatCounts(step: StepView | undefined): string {
  if (step === undefined) return ''
  const { effect, actor, targets, seen } = step
  return JSON.stringify([effect, actor, targets, seen === null ? null : seenOf(seen)])
}

function seenOf(seen: NonNullable<StepView['seen']>): unknown {
  if (seen.type !== 'generated') return seen
  const { text, calls, finish, model } = seen
  return { text, calls: calls.map(({ tool, input }) => ({ tool, input })), finish, model }
}
