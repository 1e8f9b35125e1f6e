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
  readonly decision?: (typeof DECISIONS)[number]
  readonly details?: JsonObject
  /** Facts about the run and the round, none of them anybody's words. */
  readonly metadata?: JsonObject
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
  /** Of plans, asked for and given: the same prompt has the same name in every run. */
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

/** What was wrong with a model or the way to it, as a log names it. */
export const errorCode = ({ code }: Problem): string => code.toUpperCase().replaceAll('-', '_')

/** As much of a value as is looked at for a log entry; the entry itself holds less. */
const LOOKED_AT = 4000

/** At the end of what goes on: no text ends so by itself. */
const TORN = '\u2026\ufdd3'

/** What of a secret may be left where a text was torn, and looks like none. */
const RAGGED = 256

/** The beginning of a value. `CaseLog` cuts it to its length after it was redacted, not before. */
export function summarize(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}${TORN}`
}

/** What was summarised and then redacted, without the edge of a torn text. */
export const trimEdge = (text: string): string =>
  text.endsWith(TORN) ? `${text.slice(0, -TORN.length - RAGGED)}\u2026` : text

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

/** What keeps entries of one run together; it is nobody's data. */
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
 * An entry with more fields hidden: those of these names, whatever their case and separators, at
 * any depth. Text becomes `[redacted]`; `token_usage`, `metric` and `decision` are left out. What
 * correlates entries stays, even where a name asks for it.
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
