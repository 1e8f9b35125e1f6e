import { all } from './all-any.ts'
import type { Attempt } from './answer.ts'
import { gate, type GateOptions, type Ruling } from './gate.ts'
import {
  type Judgment,
  type Observed,
  type Request,
  silent,
  type Verifier,
  type VerifierEffect,
} from './verifier.ts'

/** A gate with its verifier; of several verifiers all must be satisfied. */
export interface VerifiedGate extends GateOptions {
  readonly verify: Verifier | readonly Verifier[]
}

/** Performs an effect of a verifier, metered like any other. A failure is an observation. */
export type PerformEffect = (effect: VerifierEffect) => Promise<Observed>

/** Effects in a row that no verifier needs; one that asks for more counts as silent. */
const MOST_EFFECTS = 64

/**
 * Judges an answer by what was observed so far: decides, or says which effects the verifier needs next. Pure, for
 * definitions whose effects the runtime performs. A verifier that throws leaves the answer unchecked and promoted,
 * whatever `unchecked` says.
 */
export function ruleBy(
  attempt: Attempt,
  options: VerifiedGate,
  observed: readonly Observed[],
): Ruling | Request {
  const verifier = verifierOf(options.verify)
  const asked = verified(verifier, attempt, observed)
  if (asked instanceof Error) return broken(verifier, asked)
  if (asked.verdict !== 'ask') return gate(asked, options)
  const { length } = asked.effects
  return length === 0 || observed.length + length > MOST_EFFECTS
    ? gate(silent(`the verifier ${verifier.name} came to no end`), options)
    : asked
}

/**
 * Judges an answer, performs what the verifier asks for, and decides, as `ruleBy`.
 * @param perform absent: a verifier that asks for effects counts as silent
 */
export async function ruleOn(
  attempt: Attempt,
  options: VerifiedGate,
  perform?: PerformEffect,
): Promise<Ruling> {
  const observed: Observed[] = []
  for (;;) {
    const ruled = ruleBy(attempt, options, observed)
    if ('decision' in ruled) return ruled
    if (perform === undefined) return gate(silent('no further evidence was asked for'), options)
    observed.push(...(await Promise.all(ruled.effects.map(perform))))
  }
}

const verifierOf = (verify: VerifiedGate['verify']): Verifier =>
  'verify' in verify ? verify : all(verify)

function verified(
  verifier: Verifier,
  attempt: Attempt,
  observed: readonly Observed[],
): Judgment | Request | Error {
  try {
    return verifier.verify(attempt, observed)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const broken = ({ name }: Verifier, { message }: Error): Ruling => ({
  decision: 'promote',
  status: 'unchecked',
  confidence: null,
  evidence: `the verifier ${name} failed: ${message}`,
})
