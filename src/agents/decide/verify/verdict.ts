import type { Claim } from '../question.ts'
import type { Evidence, Task } from '../state.ts'

/** What the verifier makes of a round. */
export interface Verdict {
  readonly passed: boolean
  /** 0 to 1; right-or-wrong tasks know only the two ends. */
  readonly metric: number
  readonly binary: boolean
  /** The answer that the evidence gives, proved or not. */
  readonly answer: string | null
  /** Why it did not pass, or how it was proved: one clause. */
  readonly reason: string
  /** What a person is told instead, where a model should not read it. */
  readonly forPerson?: string
}

/** What a verdict is made of. Nothing in it comes from the plan's own words. */
export interface Case {
  readonly task: Task
  /** What the question asks, read apart from any plan. */
  readonly claim: Claim
  /** What the plan's actions gave in this round. */
  readonly ran: readonly Evidence[]
  readonly stockThreshold: number
}

/** Right or wrong, and not shown to be right. */
export const unproved = (answer: string | null, reason: string): Verdict => ({
  passed: false,
  metric: 0,
  binary: true,
  answer,
  reason,
})

export const proved = (answer: string, reason: string): Verdict => ({
  passed: true,
  metric: 1,
  binary: true,
  answer,
  reason,
})
