import type { JsonObject } from 'echelon/runtime'

/** The stages of an interaction, in order. */
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

/** One event of a stage. Parameters are masked as configured in the intents file. */
export interface TelemetryEvent {
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly session_id: string
  readonly interaction_id: string
  readonly stage: Stage
  readonly level: 'info' | 'warning' | 'error'
  readonly payload: JsonObject
}

/** Primitive: receives each stage. An exception has no effect. `telemetrySinkContract` tests it. */
export interface TelemetrySink {
  record(event: TelemetryEvent): void
}
