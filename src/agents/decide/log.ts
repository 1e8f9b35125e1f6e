import type { Note } from '../../core/agent.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Problem } from '../../core/problem.ts'
import type { Policy } from './modes.ts'
import type { Loop } from './state.ts'

export const STEP_TYPES = ['H_plan', 'L_exec', 'verify', 'act', 'escalate'] as const
export type StepType = (typeof STEP_TYPES)[number]

/** What a step of the agent logs, apart from what every entry has. */
export interface LogFields {
  /** What happened, where it has a name: `plan_schema_error`, `unknown_tool`, `escalate_to_big`. */
  readonly event?: string
  readonly model?: string
  readonly token_usage?: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
  }
  readonly tool?: string
  readonly args?: Json
  readonly output_summary?: string
  readonly error_code?: string
  readonly metric?: number
  readonly decision?: 'stop' | 'continue' | 'escalate'
  readonly details?: JsonObject
}

/** One line of the log, as it is written and returned. */
export interface LogEntry extends LogFields {
  readonly kind: 'log'
  /** ISO 8601 with the zone's offset. */
  readonly ts: string
  readonly run_id: string
  readonly task_id: string
  readonly step_id: string
  readonly parent_step_id: string | null
  readonly tier: 'small' | 'big'
  readonly step_type: StepType
  /** The role in the ladder: small, rung2, …, big. */
  readonly rung: string
}

/** A note that becomes a log entry. The first rung is small, all others are big. */
export function logNote(stage: StepType, loop: Loop, policy: Policy, fields: LogFields): Note {
  const rung = policy.rungs[loop.rung]?.role ?? ''
  return { stage, data: { tier: loop.rung === 0 ? 'small' : 'big', rung, ...fields } }
}

/** What was wrong with a model or the way to it, as a log names it. */
export const errorCode = ({ code }: Problem): string => code.toUpperCase().replaceAll('-', '_')

/** As much of a value as is looked at for a log entry; the entry itself holds less. */
const LOOKED_AT = 4000

/** The beginning of a value. `CaseLog` cuts it to its length after it was redacted, not before. */
export function summarize(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, LOOKED_AT)
}

/** The beginning of a text of so many characters, long enough to recognise it by. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`

/** Longer lists are told by their length. */
const MOST_ITEMS = 4

/** A value with its long lists replaced by their length: a series does not fill the log. */
export function shorten(value: Json): Json {
  if (isJsonArray(value)) {
    return value.length <= MOST_ITEMS ? value.map(shorten) : `[${value.length} items]`
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))
}
