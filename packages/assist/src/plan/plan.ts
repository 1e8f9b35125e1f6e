/**
 * How high above the matter an answer stands, lowest first: `L1` does one step, `L2` orders steps, `L3`
 * weighs ways and trade-offs, `L4` asks what it is for.
 */
export const ALTITUDES = ['L1', 'L2', 'L3', 'L4'] as const
export type Altitude = (typeof ALTITUDES)[number]

/** How the executor is to answer, in the words of `plans.json`. */
export interface Plan {
  readonly approach: string
  readonly altitude: Altitude
  readonly constraints: readonly string[]
  readonly focus: readonly string[]
}

/** A plan that another took the place of, and why. */
export interface Revision {
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly plan: Plan
  readonly reason: string
}

/** What `plans.json` holds. */
export interface Plans {
  readonly current_plan: Plan
  readonly revision_history: readonly Revision[]
}
