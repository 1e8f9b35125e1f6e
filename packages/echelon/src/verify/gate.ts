import { EchelonError } from '../core/value/error.ts'
import type { Judgment } from './verifier.ts'

/** When an answer is accepted. */
export interface GateOptions {
  /** The score from which an answer is accepted, 0 to 1. Proved answers always are, refuted ones never. */
  readonly accept: number
  /** The conclusion for an answer on which the verifier is silent. Default `promote`. */
  readonly unchecked?: 'promote' | 'accept'
}

/**
 * The gate's conclusion from the evidence for an answer. `proved`: nothing but the right answer could pass the check.
 * `supported`: its score reaches the threshold, which proves nothing. `unsupported`: it is refuted, or its score
 * is below the threshold. `unchecked`: nothing was found for or against it.
 */
export type AnswerStatus = 'proved' | 'supported' | 'unsupported' | 'unchecked'

/** The gate's decision about an answer, with a reason that claims no more than was found. */
export interface Ruling {
  /** `promote`: the task goes to the next model. */
  readonly decision: 'accept' | 'promote'
  readonly status: AnswerStatus
  /** Probability, by the evidence, that the answer is right, 0 to 1; `null` if unchecked. */
  readonly confidence: number | null
  /** The reason in one clause, without values. */
  readonly evidence: string
}

/** Decides about an answer by its judgment. A score outside 0 to 1 counts as silence. */
export function gate(
  { verdict, score, reason: evidence }: Judgment,
  { accept, unchecked = 'promote' }: GateOptions,
): Ruling {
  if (verdict === 'proved') {
    return { decision: 'accept', status: 'proved', confidence: 1, evidence }
  }
  if (verdict === 'refuted') {
    return { decision: 'promote', status: 'unsupported', confidence: 0, evidence }
  }
  if (verdict === 'silent' || !isScore(score)) {
    return { decision: unchecked, status: 'unchecked', confidence: null, evidence }
  }
  return score >= accept
    ? { decision: 'accept', status: 'supported', confidence: score, evidence }
    : { decision: 'promote', status: 'unsupported', confidence: score, evidence }
}

/**
 * Checks the options of a gate.
 * @param owner whose options they are, such as `cascade`
 * @throws EchelonError INVALID_CONFIG
 */
export function checkGate(owner: string, { accept, unchecked = 'promote' }: GateOptions): void {
  if (!isScore(accept)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `${owner}: accept cannot be ${String(accept)}; give the score from which an answer is accepted, 0 to 1`,
    )
  }
  if (unchecked === 'promote' || unchecked === 'accept') return
  throw new EchelonError(
    'INVALID_CONFIG',
    `${owner}: unchecked cannot be ${JSON.stringify(unchecked)}; give "promote" or "accept"`,
  )
}

// A score may come from JavaScript, or from a division by zero.
const isScore = (score: unknown): score is number =>
  typeof score === 'number' && score >= 0 && score <= 1
