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
} as const

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]
