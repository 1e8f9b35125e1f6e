import type { ToolOutcome } from '../../../core/tool/tool.ts'

export const CHECKED = ['verified', 'supported', 'unsupported', 'refuted', 'not_checked'] as const
/**
 * Whether an answer was checked. `verified`: it is proved. `supported`: its evidence reaches the threshold of the
 * gate, which is not proof. `unsupported`: the evidence is below it. `refuted`: a check found the answer wrong or
 * incomplete. `not_checked`: nothing could check it.
 */
export type Checked = (typeof CHECKED)[number]

/** A verifier's judgment of a round. */
export interface Verdict {
  readonly passed: boolean
  /** 0 to 1; right-or-wrong tasks use only 0 and 1. */
  readonly metric: number
  readonly binary: boolean
  /** Applies to `answer`. */
  readonly checked: Checked
  /** Probability, by the evidence, that the answer is right, 0 to 1, where a gate scored it. */
  readonly confidence?: number | null
  /** The answer in the evidence, proved or not. */
  readonly answer: string | null
  /**
   * Why it did not pass, or how it was proved: one clause. The next plan reads it, so it never holds the
   * verifier's own value: a model that reads a value copies it, right or wrong.
   */
  readonly reason: string
  /** Shown to people instead of `reason`; may hold the value. */
  readonly forPerson?: string
  /** There is an answer, but nothing can check it. */
  readonly uncheckable?: true
  /** No other plan would help: `reason` says what a person must do. */
  readonly blocked?: true
}

/** Right or wrong, but nothing shows which. */
export const unproved = (answer: string | null, reason: string): Verdict => ({
  passed: false,
  metric: 0,
  binary: true,
  checked: 'not_checked',
  answer,
  reason,
})

/** Checked and found wrong. */
export const refuted = (
  answer: string,
  reason: string,
  /** Shown to people instead of the reason. */
  forPerson: string,
): Verdict => ({ ...unproved(answer, reason), checked: 'refuted', forPerson })

/**
 * An answer whose own check cannot be read, so nothing can check it. A check that failed for another reason, such
 * as a timeout, may succeed with the next plan.
 */
export const unreadable = (
  answer: string,
  reason: string,
  checked: readonly ToolOutcome[],
): Verdict => ({
  ...unproved(answer, reason),
  ...(checked.every((one) => one.type === 'error' && one.code === 'INVALID_ARGS') &&
    checked.length > 0 && { uncheckable: true }),
})

export const proved = (answer: string, reason: string): Verdict => ({
  passed: true,
  metric: 1,
  binary: true,
  checked: 'verified',
  answer,
  reason,
})
