import type { Attempt } from '../answer.ts'
import { type Judgment, refuted, scored, silent, type Verifier } from '../verifier.ts'
import { ballotFeatures, type Counted, counted } from './ballot.ts'
import { heard, type Vote } from './heard.ts'
import { type AgreeOptions, NAMES, type Plan, planOf } from './plan.ts'
import { type Outcome, outcomeOf } from './same-answer.ts'

/**
 * A vote of cheap answers: asks one model, or several, for other answers to the task, one at a time, and counts those
 * that equal the answer (self-consistency, Wang et al. 2022; across words and programs, Yue et al. 2023). Numbers,
 * dates, choices, JSON and tool calls are compared by value, and words without case and punctuation.
 *
 * Scored (votes for + 1) / (votes + 2), and at most ½ unless `need` was reached. An opinion without an answer of the
 * wanted kind counts as a vote against. Refuted if the answer itself has none; silent if no model or program gave an opinion.
 *
 * Features: `agree.for` and `agree.against`, the votes for the answer, its own included, and against it; of the
 * opinions, `agree.same`, the share that agrees, `agree.runnerUp`, the largest share for another answer,
 * `agree.sharedNumbers`, the mean share of numbers that both texts have, and `agree.near`, the mean nearness, 0 to 1;
 * `agree.across`, 1 if another way gave the answer, -1 if other ways gave only other answers; and for each way
 * `agree.<way>`, the share of its opinions that agrees, ½ without an opinion.
 * @throws EchelonError INVALID_DEFINITION for options that cannot work
 */
export function agree(options: AgreeOptions): Verifier {
  const plan = planOf(options)
  return {
    name: 'agree',
    features: [...NAMES, ...plan.ways.map(({ name }) => `agree.${name}`)],
    verify(attempt, observed) {
      const { task, answer } = attempt
      const own = outcomeOf(answer, task)
      if (own === undefined) return refuted(`there is no ${task.wanted.kind} in the answer`)
      const { votes, asks } = heard(plan, task, observed, (soFar) =>
        isSettled(plan, counted(soFar, own, attempt)),
      )
      return asks === undefined
        ? judged(plan, attempt, own, votes)
        : { verdict: 'ask', effects: asks }
    },
  }
}

/** True once the remaining opinions cannot change the result. */
function isSettled(plan: Plan, ballot: readonly Counted[]): boolean {
  const left = plan.atMost - ballot.length
  const agreeing = ballot.filter(({ agrees }) => agrees)
  return 1 + agreeing.length + left < plan.need || isReached(plan, agreeing)
}

const isReached = ({ need, across, own }: Plan, agreeing: readonly Counted[]): boolean =>
  1 + agreeing.length >= need && (!across || agreeing.some(({ way }) => way !== own))

function judged(plan: Plan, attempt: Attempt, own: Outcome, votes: readonly Vote[]): Judgment {
  const ballot = counted(votes, own, attempt)
  const features = ballotFeatures(plan, attempt, votes, ballot)
  if (ballot.length === 0) return silent('no other answer could be had', features)
  const agreeing = ballot.filter(({ agrees }) => agrees)
  const share = (agreeing.length + 2) / (ballot.length + 3)
  const score = isReached(plan, agreeing) ? share : Math.min(share, 0.5)
  const told = `${agreeing.length} of ${ballot.length} other cheap answers agree`
  const across = features['agree.across'] === 1 ? ', one of them found in another way' : ''
  return scored(score, `${told}${across}`, features)
}
