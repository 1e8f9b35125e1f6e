/** A finding: its place (a file with line, a package, a case) and the problem. */
export interface Finding {
  readonly subject: string
  readonly problem: string
}

/** An exception that applied, with its reason. */
export interface Exception {
  readonly subject: string
  readonly reason: string
}

/**
 * Result of a check. `unavailable` means that the check could not run, with the reason; it is not a pass.
 * A pass may have minor findings.
 */
export interface Outcome {
  readonly status: 'pass' | 'fail' | 'unavailable'
  /** Number of scanned items, by kind. */
  readonly scanned: Readonly<Record<string, number>>
  readonly reason?: string
  readonly findings: readonly Finding[]
  readonly exceptions?: readonly Exception[]
}

/** One part of the scan: its name, its method, and the check itself. */
export interface Check {
  readonly name: string
  readonly how: string
  readonly look: () => Promise<Outcome>
}

/** A pass if there are no findings. */
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

/** The check could not run. */
export const unavailable = (reason: string): Outcome => ({
  status: 'unavailable',
  scanned: {},
  reason,
  findings: [],
})
