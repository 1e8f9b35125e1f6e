/**
 * The level of abstraction of an answer, lowest first: `L1` does one step, `L2` orders steps, `L3` weighs options
 * and trade-offs, `L4` asks about the purpose.
 */
export const ALTITUDES = ['L1', 'L2', 'L3', 'L4'] as const
export type Altitude = (typeof ALTITUDES)[number]

/** Instructions for the executor's answer, with the keys of `plans.json`. */
export interface Plan {
  readonly approach: string
  readonly altitude: Altitude
  readonly constraints: readonly string[]
  readonly focus: readonly string[]
}

/** A replaced plan, with the reason. */
export interface Revision {
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly plan: Plan
  readonly reason: string
}

/** The content of `plans.json`. */
export interface Plans {
  readonly current_plan: Plan
  readonly revision_history: readonly Revision[]
}
