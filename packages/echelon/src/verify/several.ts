import type { Attempt } from './answer.ts'
import type { Judgment, Observed, Request, Verifier } from './verifier.ts'

/** The judgments of several verifiers, in their order, or the effects that one of them asks for next. */
export type Judged = { readonly judgments: readonly Judgment[] } | Request

/**
 * Asks verifiers one after another, each with the observations of its own effects.
 * @param observed of all of them, in the order in which they were asked for
 * @param isSettled whether the judgments so far settle the matter, so that the rest need not be asked
 */
export function judgeBySeveral(
  verifiers: readonly Verifier[],
  attempt: Attempt,
  observed: readonly Observed[],
  isSettled: (judgments: readonly Judgment[]) => boolean = () => false,
): Judged {
  const judgments: Judgment[] = []
  let from = 0
  for (const verifier of verifiers) {
    const turn = turnOf(verifier, attempt, observed.slice(from))
    if ('effects' in turn) return turn
    from += turn.used
    judgments.push(turn.judgment)
    if (isSettled(judgments)) break
  }
  return { judgments }
}

type Turn = { readonly judgment: Judgment; readonly used: number } | Request

/**
 * Replays a verifier's requests against the observations. A verifier is pure, so it asks again for what it
 * asked for before; the number of effects of each request says which observations are its own.
 */
function turnOf(verifier: Verifier, attempt: Attempt, observed: readonly Observed[]): Turn {
  let used = 0
  for (;;) {
    const answer = verifier.verify(attempt, observed.slice(0, used))
    if (answer.verdict !== 'ask') return { judgment: answer, used }
    // A request without effects could never be answered.
    if (answer.effects.length === 0) return { judgment: noRequest(verifier), used }
    if (used + answer.effects.length > observed.length) return answer
    used += answer.effects.length
  }
}

const noRequest = ({ name }: Verifier): Judgment => ({
  verdict: 'silent',
  score: 0.5,
  features: {},
  reason: `the verifier ${name} asked for nothing`,
})
