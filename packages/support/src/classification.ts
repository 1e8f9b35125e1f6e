import type { JsonObject } from 'echelon/runtime'
import type { Intent } from './intent.ts'

/** The interpretation of a message. */
export interface ClassificationResult {
  readonly intent: Intent | null
  /** Parameters found in the message. */
  readonly extractedParams: JsonObject
  /** Required parameters that are still needed. */
  readonly missingParams: readonly string[]
  /** 0 to 1: how often such a reading is right. */
  readonly confidence: number
}
