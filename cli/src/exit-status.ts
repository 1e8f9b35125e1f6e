import type { CaseResult } from 'echelon/decide'

/** Exit statuses. */
export const EXIT = {
  /** Done, and the result is verified. */
  success: 0,
  /** Ran, with a problem: an unverified answer, a broken audit log, a cost alert. */
  unverified: 1,
  /** Bad usage or configuration: nothing was run. */
  usage: 2,
  /** The stored run waits for a person; `echelon runs` shows for what. */
  waiting: 3,
  /** Done, and the answer is supported by its evidence, which is not proof. */
  supported: 4,
} as const

/** The status of a case that ended. */
export const statusOfCase = ({
  verified,
  checked,
}: Pick<CaseResult, 'verified' | 'checked'>): ExitStatus =>
  verified ? EXIT.success : checked === 'supported' ? EXIT.supported : EXIT.unverified

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]
