import type { ToolCall, ToolOutcome } from '../../../../core/tool/tool.ts'
import { each, having, isNumber, isText, orAbsent } from '../../stored-shape.ts'
import type { Claim } from '../../verification/claim.ts'
import { canonicalDecimal } from '../../verification/decimal.ts'
import { lastAnswer, lastError, lastResult, resultOf, textOf } from '../../verification/evidence.ts'
import type { Confirmable, SecondReading } from '../../verification/second-reader.ts'
import { proved, refuted, unproved, unreadable, type Verdict } from '../../verification/verdict.ts'
import type { Case, QuestionReading } from '../../verification/verifier.ts'
import { readPlain, TOO_LONG } from '../english/plain-question.ts'
import type { Term } from '../english/term.ts'
import { type Token, tokenise } from '../english/token.ts'
import { differentPart } from './different-part.ts'
import { unclearDigits } from './digits.ts'
import { DIGITS, inRoundedForm, isRounded } from './long-number.ts'
import { readArithmetic } from './read-arithmetic.ts'
import { readPrime } from './read-prime.ts'
import { readStory } from './story/story.ts'

/** A calculation or a word problem. */
export interface MathClaim extends Claim {
  readonly kind: 'math'
  /**
   * In calculator syntax: numbers, `+ - * / ^`, parentheses, `sqrt` and `cbrt`; or `isPrime` of a number. Each
   * would be a right answer; normally there is one.
   */
  readonly expressions: readonly string[]
  /** The quantities of the question, in digits and in question order; all of them were used. */
  readonly quantities: readonly string[]
  /**
   * The floating-point value of the expression, for comparing readings; never shown to a model. Absent for
   * `isPrime`, and in journals of versions with one reader.
   */
  readonly value?: number
  /** The reading in one clause. */
  readonly why: string
}

/**
 * Recomputes a calculation, written out or told as a story. Constants need no spelling in the question: 100 of
 * percent; 2, 3, 4, … of half, third, quarter, twice; 12 of a dozen; the count of an average; 60, 60, 24, 7 and 12
 * of minute, hour, day, week and year.
 */
export const arithmetic: Confirmable<MathClaim> = {
  name: 'math',
  tools: ['calculator'],
  read: ({ input }) => readPlain(input, readMath),
  confirm: (claim, second) => (isSame(claim, second) ? claim : undefined),
  checks,
  judge,
  isClaim: having({
    expressions: each(isText),
    quantities: each(isText),
    value: orAbsent(isNumber),
    why: isText,
  }),
  hasNoAnswer: (question) => ZERO.test(question),
}

/** A divisor of zero. */
const ZERO = /(?:\/|÷|divided by|over)\s*\(?\s*(?:0(?![.\d])|zero)/i

/** Words, numbers and marks. Longer questions are not read, since rejecting one takes long. */
const MOST_TOKENS = 300

function readMath(question: string): QuestionReading<MathClaim> {
  const unclear = unclearDigits(question)
  if (unclear !== undefined) return { type: 'unclear', why: unclear }
  const tokens = tokenise(question)
  if (tokens.length > MOST_TOKENS) return { type: 'other', why: TOO_LONG }
  if (!tokens.some(({ type }) => type === 'number')) {
    return { type: 'other', why: 'the question holds no quantity' }
  }
  const prime = readPrime(tokens)
  if (prime !== undefined) return primeClaim(prime)
  const written = readArithmetic(tokens)
  if (written !== undefined) return claimOf(written, tokens, 'arithmetic as written')
  const story = readStory(tokens)
  if ('why' in story) return { type: 'other', why: story.why }
  return claimOf(story.term, tokens, 'every quantity has its place in the story')
}

/** A claim whose expression is `isPrime(…)`, with the value `yes` or `no`. */
function primeClaim(number: string): QuestionReading<MathClaim> {
  const quantities = [number.replace('-', '')]
  const why = 'it asks whether a number is prime'
  return {
    type: 'claim',
    claim: { kind: 'math', expressions: [primeTest(number)], quantities, why },
  }
}

const primeTest = (number: string): string => `isPrime(${number})`

function claimOf(term: Term, tokens: readonly Token[], why: string): QuestionReading<MathClaim> {
  if (!Number.isFinite(term.value)) return { type: 'other', why: 'the value is not a number' }
  const quantities = tokens.flatMap((token) =>
    token.type === 'number' ? (token.unit === '%' ? `${token.term.text} %` : token.term.text) : [],
  )
  const expressions = [term.text]
  return { type: 'claim', claim: { kind: 'math', expressions, quantities, value: term.value, why } }
}

const CLOSE = 1e-9

function isSame({ value, expressions }: MathClaim, second: SecondReading): boolean {
  if (second.kind === 'prime') {
    const number = canonicalDecimal(second.number)
    return number !== undefined && expressions.includes(primeTest(number))
  }
  return (
    second.kind === 'math' &&
    value !== undefined &&
    Math.abs(value - second.value) <= CLOSE * Math.max(1, Math.abs(value))
  )
}

/** Readings of one question that are worth computing. */
const MOST_READINGS = 3

/** Computes the question's own expressions, apart from the plan. */
function checks({ ran, claim }: Case<MathClaim>): readonly ToolCall[] {
  if (lastResult(ran, 'calculator') === undefined) return []
  return claim.expressions
    .slice(0, MOST_READINGS)
    .map((expr, index) => ({ id: `check.${index + 1}`, tool: 'calculator', input: { expr } }))
}

/**
 * Proved if a reading of the question gives exactly the number that the plan gave. Numbers given to a limited
 * number of digits are compared to those digits. A rounded number does not prove an exact one.
 */
function judge({ task, claim, ran }: Case<MathClaim>, checked: readonly ToolOutcome[]): Verdict {
  const answer = textOf(lastResult(ran, 'calculator')?.result)
  if (answer === null) {
    return unproved(lastAnswer(ran), lastError(ran) ?? 'the calculator gave no number')
  }
  const values = checked.flatMap((outcome) => textOf(resultOf(outcome)) ?? [])
  if (values.length === 0) {
    return unreadable(answer, 'the question could not be computed by itself', checked)
  }
  if (YES_OR_NO.has(answer) && values.includes(answer)) {
    return proved(answer, 'the question, read apart from the plan, has the same answer')
  }
  const number = canonicalDecimal(answer)
  const agrees = number !== undefined && values.some((value) => canonicalDecimal(value) === number)
  if (agrees && !isCutOff(number)) {
    return proved(answer, 'the quantities and operations of the question give the same number')
  }
  if (agrees || (isRounded(answer) && values.includes(answer))) {
    return proved(answer, `the question gives the same number to ${DIGITS} digits`)
  }
  if (values.some((value) => areNear(answer, value))) {
    return unproved(
      answer,
      `the plan and the question agree to ${DIGITS} digits, and only one of them is exact`,
    )
  }
  const plan = ran.filter(({ call }) => call.tool === 'calculator').map(({ call }) => call.input)
  return refuted(
    answer,
    differentPart({ question: task.input, claim, plan, values }),
    `the question itself gives ${values.join(' or ')}, the plan gave ${answer}`,
  )
}

/** The values of `isPrime(…)`. */
const YES_OR_NO: ReadonlySet<string> = new Set(['yes', 'no'])

/** Whether a decimal has as many digits as the calculator computes, so that more may follow. */
const isCutOff = (number: string): boolean =>
  number.includes('.') && number.replace(/^-?[0.]*/, '').replace('.', '').length >= DIGITS

/** Whether one of an exact and a rounded number is the other, rounded. */
const areNear = (one: string, other: string): boolean =>
  isRounded(one) !== isRounded(other) && inRoundedForm(one) === inRoundedForm(other)
