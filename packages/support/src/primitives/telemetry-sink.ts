import type { JsonObject } from 'echelon/runtime'

/** The stages of an interaction, in the order in which they come. */
export const STAGES = [
  'received',
  'history_loaded',
  'intents_eligible',
  'intent_classified',
  'plan_created',
  'plan_type',
  'policy_check',
  'tool_execute',
  'response_generated',
  'memory_updated',
] as const

export type Stage = (typeof STAGES)[number]

/** What happened at one stage. Parameters are masked as the intents' file says. */
export interface TelemetryEvent {
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly session_id: string
  readonly interaction_id: string
  readonly stage: Stage
  readonly level: 'info' | 'warning' | 'error'
  readonly payload: JsonObject
}

/** Primitive: who hears of each stage. What it throws harms nothing. `telemetrySinkContract` tests it. */
export interface TelemetrySink {
  record(event: TelemetryEvent): void
}
