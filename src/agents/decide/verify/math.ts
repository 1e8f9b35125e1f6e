import type { ToolCall, ToolOutcome } from '../../../core/tool.ts'
import type { Claim } from '../question.ts'
import { lastAnswer, lastError, lastResult, resultOf, textOf } from './answer.ts'
import { canonicalDecimal } from './decimal.ts'
import { differentPart } from './different-part.ts'
import { DIGITS, inRoundedForm, isRounded } from './long-number.ts'
import { type Case, proved, refuted, unproved, unreadable, type Verdict } from './verdict.ts'

type MathClaim = Extract<Claim, { kind: 'math' }>

/** Readings of one question that are worth computing. */
const MOST_READINGS = 3

/** The question's own expressions, computed apart from the plan. */
export function mathChecks({ ran }: Case, claim: MathClaim): readonly ToolCall[] {
  if (lastResult(ran, 'calculator') === undefined) return []
  return claim.expressions
    .slice(0, MOST_READINGS)
    .map((expr, index) => ({ id: `check.${index + 1}`, tool: 'calculator', input: { expr } }))
}

/**
 * Proved when a reading of the question gives exactly the number that the plan gave; of numbers that are
 * given to so many digits only, when these are the same. A rounded number does not prove an exact one.
 */
export function judgeMath(
  { task, ran }: Case,
  claim: MathClaim,
  checked: readonly ToolOutcome[],
): Verdict {
  const answer = textOf(lastResult(ran, 'calculator')?.result)
  if (answer === null) {
    return unproved(lastAnswer(ran), lastError(ran) ?? 'the calculator gave no number')
  }
  const values = checked.flatMap((outcome) => textOf(resultOf(outcome)) ?? [])
  if (values.length === 0) {
    return unreadable(answer, 'the question could not be computed by itself', checked)
  }
  const number = canonicalDecimal(answer)
  const agrees = number !== undefined && values.some((value) => canonicalDecimal(value) === number)
  if (agrees) {
    return proved(answer, 'the quantities and operations of the question give the same number')
  }
  if (isRounded(answer) && values.includes(answer)) {
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

/** Of an exact number and a rounded one: whether one is the other, rounded. */
const areNear = (one: string, other: string): boolean =>
  isRounded(one) !== isRounded(other) && inRoundedForm(one) === inRoundedForm(other)
