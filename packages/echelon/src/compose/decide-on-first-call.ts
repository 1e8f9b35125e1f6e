import type { CaseOptions } from '../agents/decide/case/case-options.ts'
import type { CaseResult } from '../agents/decide/case/case-result.ts'
import type { Decider } from '../agents/decide/decider.ts'
import type * as DeciderModule from './decider.ts'
import type { DeciderOptions } from './decider-options.ts'
import type * as DefaultDeciderModule from './default-decider.ts'

// The first call loads the decision agent, its tools and the configuration, so programs with only a
// chat agent do not load them.
const decider = (): Promise<typeof DeciderModule> => import('./decider.ts')
const defaultDecider = (): Promise<typeof DefaultDeciderModule> => import('./default-decider.ts')

/**
 * A decider with all defaults. Works offline without options: no key, no network.
 * @throws EchelonError INVALID_CONFIG; UNKNOWN_MODEL for an unknown provider; MISSING_PACKAGE for
 * the package of a provider or built-in tool
 */
export async function createDecider(options?: DeciderOptions): Promise<Decider> {
  return (await decider()).createDecider(options)
}

/**
 * Decides one task with all defaults: the offline models, the built-in tools, the documented
 * limits. For other models or limits use `createDecider`.
 * @throws EchelonError for invalid input or options; MODEL_FAILED when no model could be asked
 */
export async function runCase(input: string, options?: CaseOptions): Promise<CaseResult> {
  return (await defaultDecider()).runCase(input, options)
}

/** The same with fixed time, ids and jitter: the same seed gives the same log. */
export async function runCaseDeterministic(
  input: string,
  seed?: number,
  options?: Omit<CaseOptions, 'seed' | 'idempotencyKey'>,
): Promise<CaseResult> {
  return (await defaultDecider()).runCaseDeterministic(input, seed, options)
}
