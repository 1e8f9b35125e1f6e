import type { FinalNumber } from '../format/final-number.ts'
import { plainText, withoutAnnotations } from '../text/plain-text.ts'
import { isSame, keyOf } from '../text/rational.ts'
import { type NumberToken, type Token, tokensOf } from '../text/token.ts'
import { type Calculation, calculationsIn } from './calculations.ts'
import { type Given, givenIn } from './question-numbers.ts'

/** The calculations in an answer, compared with their recomputed values. */
export interface Evidence {
  /** In the order of the text; those that only a calculator's annotation writes out come last. */
  readonly calculations: readonly Calculation[]
  /** Calculations that state the final answer as their result. */
  readonly own: readonly Calculation[]
  /** All numbers of the answer. */
  readonly numbers: readonly NumberToken[]
  /** The numbers that the question states, in digits or words. */
  readonly given: readonly Given[]
  /** Those of the question's numbers that the answer does not use. */
  readonly ignored: readonly Given[]
}

/** Reads the calculations of an answer, and which of the question's numbers it uses. */
export function evidenceOf(
  question: string,
  answer: string,
  final: FinalNumber | undefined,
): Evidence {
  const { text, annotations } = withoutAnnotations(plainText(answer))
  const tokens = tokensOf(text)
  const calculations = allCalculations(tokens, annotations)
  const given = givenIn(tokensOf(plainText(question)))
  const numbers = tokens.flatMap((token) => (token.type === 'number' ? [token] : []))
  const used = new Set(numbers.map(({ value }) => keyOf(value)))
  return {
    calculations,
    own: calculations.filter(({ stated }) => final !== undefined && isSame(stated, final.value)),
    numbers,
    given,
    ignored: given.filter(({ forms }) => !forms.some((form) => used.has(keyOf(form)))),
  }
}

/** An annotation counts only if the text around it does not state the same result. */
function allCalculations(
  tokens: readonly Token[],
  annotations: readonly string[],
): readonly Calculation[] {
  const written = calculationsIn(tokens)
  const results = new Set(written.map(({ stated }) => keyOf(stated)))
  const more = annotations
    .flatMap((annotation) => calculationsIn(tokensOf(annotation)))
    .filter(({ stated }) => !results.has(keyOf(stated)))
  return [...written, ...more]
}
