import type { Note } from '../../../core/agent/agent.ts'
import {
  isJsonArray,
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
} from '../../../core/value/json.ts'
import type { Problem } from '../../../core/model/problem.ts'
import { createRedactor } from '../../../core/redaction/redaction.ts'
import type { Policy } from '../settings/modes.ts'
import type { Loop } from '../state.ts'

export const STEP_TYPES = ['H_plan', 'L_exec', 'verify', 'act', 'escalate'] as const
export type StepType = (typeof STEP_TYPES)[number]

const DECISIONS = ['stop', 'continue', 'escalate'] as const

/** The fields that a step of the agent logs, besides those common to every entry. */
export interface LogFields {
  /** The event's name, if it has one: `plan_schema_error`, `unknown_tool`, `escalate_to_big`. */
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
  readonly decision?: (typeof DECISIONS)[number]
  readonly details?: JsonObject
  /** Facts about the run and the round; never text by users or models. */
  readonly metadata?: JsonObject
}

/** One log entry, as written and returned. */
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
  /** On entries that request or receive a plan. The same prompt has the same id in every run. */
  readonly prompt_id?: string
  /** The role in the ladder: small, rung2, …, big. */
  readonly rung: string
}

/** A note that becomes a log entry. The first rung is small, all others are big. */
export function logNote(stage: StepType, loop: Loop, policy: Policy, fields: LogFields): Note {
  const { role = '', model = '' } = policy.rungs[loop.rung] ?? {}
  const metadata = { rung_model: model, round: loop.rounds }
  const tier = loop.rung === 0 ? 'small' : 'big'
  return { stage, data: { tier, rung: role, ...fields, metadata } }
}

/** The problem with the model or the connection to it, as log entries name it. */
export const errorCode = ({ code }: Problem): string => code.toUpperCase().replaceAll('-', '_')

/** Characters of a value that are examined for a log entry; the entry itself holds fewer. */
const LOOKED_AT = 4000

/** Marks truncated text; no real text ends like this. */
const TORN = '\u2026\ufdd3'

/** A secret cut at the edge may leave this many characters that no pattern matches. */
const RAGGED = 256

/** The beginning of a value. `CaseLog` cuts it to length after redaction, not before. */
export function summarize(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}${TORN}`
}

/** Removes the edge of truncated text from a summarized and redacted value. */
export const trimEdge = (text: string): string =>
  text.endsWith(TORN) ? `${text.slice(0, -TORN.length - RAGGED)}\u2026` : text

/** The first `length` characters of a text, enough to recognize it. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`

/** Longer lists are logged as their length. */
const MOST_ITEMS = 4

/** Replaces long lists in a value by their length, so that a series does not fill the log. */
export function shorten(value: Json): Json {
  if (isJsonArray(value)) {
    return value.length <= MOST_ITEMS ? value.map(shorten) : `[${value.length} items]`
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))
}

/** Fields that correlate the entries of a run; they hold no personal data. */
const CORRELATION = [
  'kind',
  'ts',
  'run_id',
  'task_id',
  'step_id',
  'parent_step_id',
  'tier',
  'rung',
  'step_type',
]

/**
 * Redacts further fields of an entry, matched by name regardless of case and separators, at any depth. Text
 * becomes `[redacted]`; `token_usage`, `metric` and `decision` are left out. Fields that correlate entries stay,
 * even if named.
 */
export function redactEntry(entry: LogEntry, fields: readonly string[]): LogEntry {
  const redact = createRedactor({ deny: fields, allow: CORRELATION, content: false })
  const { token_usage, metric, decision, details, metadata, ...rest } = redact(entry)
  return {
    ...rest,
    ...(isRecord(token_usage) ? { token_usage } : {}),
    ...(typeof metric === 'number' ? { metric } : {}),
    ...(decision === undefined || !DECISIONS.includes(decision) ? {} : { decision }),
    ...(isRecord(details) ? { details } : {}),
    ...(isRecord(metadata) ? { metadata } : {}),
  }
}
