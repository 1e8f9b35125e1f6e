import type { ToolOutcome } from '../../../core/tool/tool.ts'

export const CHECKED = ['verified', 'refuted', 'not_checked'] as const
/**
 * Whether an answer was checked: it is proved, or a check found it wrong or incomplete, or nothing
 * could check it.
 */
export type Checked = (typeof CHECKED)[number]

/** What a verifier makes of a round. */
export interface Verdict {
  readonly passed: boolean
  /** 0 to 1; right-or-wrong tasks know only the two ends. */
  readonly metric: number
  readonly binary: boolean
  /** Of `answer`. */
  readonly checked: Checked
  /** The answer that the evidence gives, proved or not. */
  readonly answer: string | null
  /**
   * Why it did not pass, or how it was proved: one clause. The next plan is told it, so it never
   * holds the verifier's own value: a model that reads a value copies it, right or wrong.
   */
  readonly reason: string
  /** What a person is told instead, which may hold the value. */
  readonly forPerson?: string
  /** There is an answer, and nothing can check it. */
  readonly uncheckable?: true
  /** No other plan would help: `reason` says what a person has to do. */
  readonly blocked?: true
}

/** Right or wrong, and nothing shows which. */
export const unproved = (answer: string | null, reason: string): Verdict => ({
  passed: false,
  metric: 0,
  binary: true,
  checked: 'not_checked',
  answer,
  reason,
})

/** Checked, and found wrong. */
export const refuted = (
  answer: string,
  reason: string,
  /** What a person is told instead. */
  forPerson: string,
): Verdict => ({ ...unproved(answer, reason), checked: 'refuted', forPerson })

/**
 * An answer to a question that its own check cannot read: nothing can check it. A check that failed
 * for another reason, such as a time-out, may succeed with the next plan.
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
