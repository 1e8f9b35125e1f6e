import { type Estimate, share } from './intervals.ts'

/** Tries of one case, and successes among them. */
export interface Tries {
  readonly right: number
  readonly of: number
}

/**
 * The chance that `k` tries of one case all succeed (pass^k; Yao et al. 2024, τ-bench), estimated without bias from
 * more tries: C(right, k) / C(of, k).
 * @returns undefined for fewer tries than `k`
 */
export function passPower({ right, of }: Tries, k: number): number | undefined {
  if (of < k) return undefined
  let chance = 1
  for (let at = 0; at < k; at++) chance *= Math.max(0, right - at) / (of - at)
  return chance
}

/**
 * The mean of pass^k over the cases that were tried at least `k` times. Wilson's interval of a share holds for it,
 * since no mean of values from 0 to 1 varies more than a share does.
 */
export function meanPassPower(cases: readonly Tries[], k: number): Estimate {
  const chances = cases.flatMap((each) => passPower(each, k) ?? [])
  const sum = chances.reduce((total, chance) => total + chance, 0)
  return share(chances.length === 0 ? 0 : sum / chances.length, chances.length)
}
