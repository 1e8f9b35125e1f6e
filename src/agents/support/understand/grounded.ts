import type { JsonObject } from '../../../core/json.ts'
import type { Intent } from '../intent.ts'

export const grounded = (
  _intent: Intent,
  params: JsonObject,
  _said: readonly string[],
): JsonObject => params
