import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { isRecord } from '../core/value/json.ts'
import type { Usage } from '../core/model/model.ts'
import type { AnswerStatus } from '../verify/gate.ts'

/** A model call that a cascade made for an answer. */
export interface CascadeCall {
  /** As `provider/model`. */
  readonly model: string
  /** `answer`, or the role that the verifier asked, such as `opinion`. */
  readonly purpose: string
  /** Tokens; `null` if none were reported that can be true. */
  readonly usage: Usage | null
  /** US dollars; `null` if unknown. */
  readonly cost: number | null
}

/** A cascade's report on an answer, in `providerMetadata.echelon`. */
export interface CascadeReport {
  /** The model that answered, as `provider/model`. */
  readonly model: string
  /** The status of the answer by its evidence. */
  readonly status: AnswerStatus
  /** Probability, by the evidence, that the answer is right, 0 to 1; `null` if unchecked. */
  readonly confidence: number | null
  /** The reason in one clause, without values. */
  readonly evidence: string
  /** Number of smaller models that were asked before. */
  readonly promotions: number
  /** US dollars of all calls; `null` if one is unknown. */
  readonly cost: number | null
  /** In the order in which they ended. */
  readonly calls: readonly CascadeCall[]
}

/**
 * Reads what a cascade says of an answer: `cascadeReport(result.providerMetadata)?.status`.
 * @returns nothing for an answer of another model
 */
export function cascadeReport(
  metadata: SharedV4ProviderMetadata | undefined,
): CascadeReport | undefined {
  const report: unknown = metadata?.['echelon']
  return isReport(report) ? report : undefined
}

const isReport = (value: unknown): value is CascadeReport =>
  isRecord(value) &&
  typeof value['model'] === 'string' &&
  typeof value['status'] === 'string' &&
  typeof value['promotions'] === 'number' &&
  Array.isArray(value['calls'])
