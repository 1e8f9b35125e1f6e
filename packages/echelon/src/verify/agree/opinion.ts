import type { Answer, Wanted } from '../answer.ts'
import { type FinalAnswer, finalAnswerOf, sameAnswer } from '../format/final-answer.ts'
import { plainText, withoutAnnotations } from '../text/plain-text.ts'
import { keyOf } from '../text/rational.ts'
import { tokensOf } from '../text/token.ts'
import type { Judgment } from '../verifier.ts'

/** The comparison of an answer with another answer, of the same model or another one. */
export interface Compared {
  /** Whether both give the same final answer. */
  readonly isSame: boolean
  /** Share of the numbers of both texts that are in both, 0 to 1 (Jaccard); 0 if neither has a number. */
  readonly sharedNumbers: number
}

/** Compares an answer with one opinion. */
export function compareOpinion(answer: Answer, opinion: Answer, wanted: Wanted): Compared {
  const [own, other] = [finalAnswerOf(answer, wanted), finalAnswerOf(opinion, wanted)]
  const [numbers, others] = [numbersOf(answer), numbersOf(opinion)]
  const all = numbers.union(others).size
  return {
    isSame: own !== undefined && other !== undefined && sameAnswer(own, other),
    sharedNumbers: all === 0 ? 0 : numbers.intersection(others).size / all,
  }
}

/** The names of what `opinionFeatures` returns. */
export const OPINION_FEATURES: readonly string[] = [
  'agree.same',
  'agree.runnerUp',
  'agree.sharedNumbers',
]

/**
 * The evidence of several opinions, for a calibrated score. `agree.same`: share of the opinions with the same final
 * answer. `agree.runnerUp`: the largest share that agrees on another one. `agree.sharedNumbers`: the mean over the
 * opinions of the share of numbers that both texts have. All are 0 without opinions.
 */
export function opinionFeatures(
  answer: Answer,
  opinions: readonly Answer[],
  wanted: Wanted,
): Judgment['features'] {
  const own = finalAnswerOf(answer, wanted)
  const compared = opinions.map((opinion) => compareOpinion(answer, opinion, wanted))
  const rivals = opinions
    .flatMap((opinion) => finalAnswerOf(opinion, wanted) ?? [])
    .filter((rival) => own === undefined || !sameAnswer(own, rival))
  const most = Math.max(1, opinions.length)
  const mean = (of: (compared: Compared) => number): number =>
    compared.reduce((sum, each) => sum + of(each), 0) / most
  return {
    'agree.same': mean(({ isSame }) => Number(isSame)),
    'agree.runnerUp': Math.max(0, ...votesFor(rivals).map(({ votes }) => votes)) / most,
    'agree.sharedNumbers': mean(({ sharedNumbers }) => sharedNumbers),
  }
}

/** Final answers with how often each is given, in the order of their first appearance. */
export function votesFor(
  answers: readonly FinalAnswer[],
): readonly { readonly answer: FinalAnswer; readonly votes: number }[] {
  const groups: { readonly answer: FinalAnswer; votes: number }[] = []
  for (const answer of answers) {
    const group = groups.find((each) => sameAnswer(each.answer, answer))
    if (group === undefined) groups.push({ answer, votes: 1 })
    else group.votes++
  }
  return groups
}

function numbersOf(answer: Answer): ReadonlySet<string> {
  const text = answer.type === 'text' ? answer.text : JSON.stringify(answer)
  const { text: plain } = withoutAnnotations(plainText(text))
  return new Set(
    tokensOf(plain).flatMap((token) => (token.type === 'number' ? [keyOf(token.value)] : [])),
  )
}
