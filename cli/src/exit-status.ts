/** What the command returns to the shell. */
export const EXIT = {
  /** Done, and what was asked for is verified. */
  success: 0,
  /** Ran, and not all is well: the answer is not verified, the audit log broken, a day too dear. */
  unverified: 1,
  /** Bad usage or configuration: nothing was run. */
  usage: 2,
  /** The run waits on record for a person: `echelon runs` says for what. */
  waiting: 3,
} as const

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]
