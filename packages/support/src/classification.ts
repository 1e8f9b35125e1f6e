import type { JsonObject } from 'echelon/runtime'
import type { Intent } from './intent.ts'

/** What a message was taken to mean. */
export interface ClassificationResult {
  readonly intent: Intent | null
  /** What the message says, by parameter. */
  readonly extractedParams: JsonObject
  /** Required ones that are still needed. */
  readonly missingParams: readonly string[]
  /** 0 to 1: how often such a reading is right. */
  readonly confidence: number
}
