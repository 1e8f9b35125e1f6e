import type { Answer, Attempt, VerifiedTask } from '../answer.ts'
import { finalAnswerOf } from '../format/final-answer.ts'
import type { FinalNumber } from '../format/final-number.ts'
import { MOST_CHARACTERS } from '../text/plain-text.ts'
import { type Judgment, refuted, scored, silent, type Verifier } from '../verifier.ts'
import { evidenceOf } from './evidence.ts'
import { isOwnWrong, STEP_FEATURES, stepFeatures } from './step-features.ts'

/**
 * A verifier that recomputes every calculation that an answer writes out. If a number is asked for, it refutes an answer
 * whose final calculation is wrong by every reading. Else it scores by rough constants, which a calibrated score
 * replaces. It is silent if nothing is calculated. Reads the last 20,000 characters of an answer and of a question.
 */
export const steps: Verifier = {
  name: 'steps',
  features: STEP_FEATURES,
  verify: judgmentOf,
}

function judgmentOf({ task, answer }: Attempt): Judgment {
  const text = textOf(answer).slice(-MOST_CHARACTERS)
  const question = task.question.slice(-MOST_CHARACTERS)
  const evidence = evidenceOf(question, text, finalOf(task, answer))
  const features = stepFeatures(question, text, evidence)
  const { calculations, own } = evidence
  if (calculations.length === 0) return silent('the answer writes out no calculation', features)
  if (isOwnWrong(evidence)) {
    return refuted('the calculation that gives the final answer is wrong', features)
  }
  const wrong = calculations.filter(({ found }) => found === 'wrong').length
  if (wrong > 0) {
    const said = `${wrong} of the ${calculations.length} calculations are wrong`
    return scored(0.2, said, features)
  }
  return own.length > 0
    ? scored(0.7, 'the calculations are right and lead to the final answer', features)
    : scored(0.5, 'the calculations are right, but none gives the final answer', features)
}

/** Only an answer that is to be a number can be the result of a calculation. */
function finalOf({ wanted }: VerifiedTask, answer: Answer): FinalNumber | undefined {
  const final = wanted.kind === 'number' ? finalAnswerOf(answer, wanted) : undefined
  return final?.kind === 'number' ? final : undefined
}

function textOf(answer: Answer): string {
  if (answer.type === 'text') return answer.text
  return answer.type === 'json' ? JSON.stringify(answer.value) : (answer.text ?? '')
}
