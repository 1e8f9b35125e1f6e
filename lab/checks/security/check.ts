/** What was found: where (a file with its line, a package, a case), and what is wrong there. */
export interface Finding {
  readonly subject: string
  readonly problem: string
}

/** What was seen and let through, and why. */
export interface Exception {
  readonly subject: string
  readonly reason: string
}

/**
 * What a check came to. `unavailable` says that nothing could be learned, with the reason: that is
 * no pass. A pass may have findings that are too small to fail it.
 */
export interface Outcome {
  readonly status: 'pass' | 'fail' | 'unavailable'
  /** How many things were looked at, by kind. */
  readonly scanned: Readonly<Record<string, number>>
  readonly reason?: string
  readonly findings: readonly Finding[]
  readonly exceptions?: readonly Exception[]
}

/** One part of the scan: its name, how it looks, and the looking itself. */
export interface Check {
  readonly name: string
  readonly how: string
  readonly look: () => Promise<Outcome>
}

/** A pass if there is nothing to find fault with. */
export const judged = (
  scanned: Outcome['scanned'],
  findings: readonly Finding[],
  exceptions: readonly Exception[] = [],
): Outcome => ({
  status: findings.length === 0 ? 'pass' : 'fail',
  scanned,
  findings,
  exceptions,
})

/** Nothing could be learned. */
export const unavailable = (reason: string): Outcome => ({
  status: 'unavailable',
  scanned: {},
  reason,
  findings: [],
})
