import type { CaseOptions } from '../agents/decide/case/case-options.ts'
import type { CaseResult } from '../agents/decide/case/case-result.ts'
import type { Decider } from '../agents/decide/decider.ts'
import { createDecider } from './decider.ts'

/** Created at the first case and shared, so that idempotency keys hold across calls. */
let standard: Promise<Decider> | undefined

function standardDecider(): Promise<Decider> {
  const made = (standard ??= createDecider())
  made.catch(() => (standard = undefined))
  return made
}

/**
 * Decides one task with all defaults: the offline models, the built-in tools, the documented
 * limits. For other models or limits use `createDecider`.
 * @throws EchelonError for invalid input or options; MODEL_FAILED when no model could be asked
 */
export async function runCase(input: string, options?: CaseOptions): Promise<CaseResult> {
  return (await standardDecider()).runCase(input, options)
}

/** The same with fixed time, ids and jitter: the same seed gives the same log. */
export async function runCaseDeterministic(
  input: string,
  seed = 42,
  options?: Omit<CaseOptions, 'seed' | 'idempotencyKey'>,
): Promise<CaseResult> {
  return (await standardDecider()).runCaseDeterministic(input, seed, options)
}
