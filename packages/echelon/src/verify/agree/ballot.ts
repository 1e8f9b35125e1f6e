import type { Attempt } from '../answer.ts'
import type { Judgment } from '../verifier.ts'
import type { Vote } from './heard.ts'
import { compareOpinion } from './opinion.ts'
import type { Plan } from './plan.ts'
import { isSameOutcome, nearness, type Outcome, outcomeOf } from './same-answer.ts'

/** A vote, compared with the answer. */
export interface Counted {
  readonly way: string
  readonly outcome: Outcome | undefined
  readonly agrees: boolean
}

/** Compares votes with what the answer comes to. */
export const counted = (
  votes: readonly Vote[],
  own: Outcome | undefined,
  { task }: Attempt,
): readonly Counted[] =>
  votes.map(({ way, answer }) => {
    const outcome = answer === undefined ? undefined : outcomeOf(answer, task)
    return { way, outcome, agrees: isSameOutcome(own, outcome) }
  })

/** The evidence of the votes. */
export function ballotFeatures(
  { ways, own: ownWay }: Plan,
  attempt: Attempt,
  votes: readonly Vote[],
  ballot: readonly Counted[],
): Judgment['features'] {
  const agreeing = ballot.filter(({ agrees }) => agrees)
  const rivals = ballot.filter(({ agrees }) => !agrees).flatMap(({ outcome }) => outcome ?? [])
  const given = votes.flatMap(({ answer }) => answer ?? [])
  const { task, answer } = attempt
  const near = given.map((other) => nearness(answer, other, task))
  const numbers = given.map((other) => compareOpinion(answer, other, task.wanted).sharedNumbers)
  const most = Math.max(1, ballot.length)
  return {
    'agree.for': 1 + agreeing.length,
    'agree.against': ballot.length - agreeing.length,
    'agree.same': agreeing.length / most,
    'agree.runnerUp': mostFrequent(rivals) / most,
    'agree.sharedNumbers': sum(numbers) / most,
    'agree.near': sum(near) / most,
    'agree.across': across(ballot.filter(({ way }) => way !== ownWay)),
    ...Object.fromEntries(ways.map(({ name }) => [`agree.${name}`, shareOf(ballot, name)])),
  }
}

/** 1 if one of the others agrees, -1 if none of them does, 0 without others. */
function across(others: readonly Counted[]): number {
  if (others.some(({ agrees }) => agrees)) return 1
  return others.length === 0 ? 0 : -1
}

function shareOf(ballot: readonly Counted[], name: string): number {
  const its = ballot.filter(({ way }) => way === name)
  return its.length === 0 ? 0.5 : its.filter(({ agrees }) => agrees).length / its.length
}

/** Count of the most frequent outcome. */
const mostFrequent = (outcomes: readonly Outcome[]): number =>
  Math.max(
    0,
    ...outcomes.map((one) => outcomes.filter((other) => isSameOutcome(one, other)).length),
  )

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
