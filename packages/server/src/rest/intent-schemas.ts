import type { IntentChange, IntentView, KeptIntent } from 'echelon/client'
import { z } from 'zod'

/*
 * The assistant's intent, as it is checked and as the OpenAPI document shows it.
 */

const MOST_LINES = 50
const line = z.string().min(1).max(1000)
const lines = z.array(line).max(MOST_LINES)

const intent: z.ZodType<IntentView> = z
  .strictObject({
    north_stars: lines,
    current_success: z.string().max(4000),
    non_goals: lines,
    stop_conditions: lines,
    authority_rules: lines,
    patterns: z.record(line, z.array(z.string().min(1).max(500)).max(MOST_LINES)).optional(),
  })
  .meta({ id: 'Intent' })

const version = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const keptIntent: z.ZodType<KeptIntent> = z
  .object({ intent, version })
  .meta({ id: 'KeptIntent' })

export const intentChange: z.ZodType<IntentChange> = z
  .strictObject({ intent, if_version: version.optional() })
  .meta({ id: 'IntentChange' })
