import { canonicalJson } from '../core/value/canonical-json.ts'
import {
  isJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../core/value/json.ts'
import type { RunEnded, RunRecord } from '../core/observability/run-record.ts'
import { type AuditAct, sha256 } from './audit-entry.ts'

/** The audit entries of a record. User text appears only as digests. */
export function auditActs(record: RunRecord): readonly AuditAct[] {
  const { ts } = record
  if (record.type === 'run-refused') {
    const { agent: actor, code } = record
    const details = { error_code: code }
    return [{ ts, run_id: null, task_id: null, actor, action: 'run_refused', details }]
  }
  const of = { ts, run_id: record.runId, task_id: record.taskId }
  switch (record.type) {
    case 'run-started': {
      const { agent: actor, mode, models, input, settings } = record
      const details = {
        mode,
        models,
        input_sha256: sha256(input),
        settings_sha256: fingerprint(settings),
      }
      const action = record.resumed ? 'run_resumed' : 'run_started'
      return [{ ...of, actor, action, details }]
    }
    case 'run-acted': {
      const { actor, action, details } = record
      return [{ ...of, actor, action, details: withoutArguments(details) }]
    }
    case 'run-ended': {
      const files = record.artifacts.map((details) => ({
        ...of,
        actor: record.agent,
        action: 'artifact_written',
        details: { ...details },
      }))
      return [...files, { ...of, actor: record.agent, action: 'run_ended', details: endOf(record) }]
    }
  }
}

function endOf({ finishReason, limit, verified, toolCalls, actSteps, rungs }: RunEnded) {
  return {
    finish_reason: finishReason,
    limit,
    verified,
    tool_calls: toolCalls,
    act_steps: actSteps,
    rungs: rungs.map(({ model, llmCalls }) => ({ model, llm_calls: llmCalls })),
  }
}

/** The arguments of a tool call, which a plan takes from the question. */
const ARGUMENTS = 'args'

/** Replaces tool arguments at any depth with their digest, since they quote the question. */
const withoutArguments = (details: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      name === ARGUMENTS ? digestOf(value) : withoutArgumentsIn(value),
    ]),
  )

function withoutArgumentsIn(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutArgumentsIn)
  return isJsonObject(value) ? withoutArguments(value) : value
}

/** Identifies equal arguments: the SHA-256 and length of their canonical JSON. */
function digestOf(args: Json): Json {
  if (args === null) return null
  const text = canonicalJson(args)
  return { characters: text.length, sha256: sha256(text) }
}

/** Identifies equal settings: the SHA-256, in hexadecimal, of their canonical JSON (RFC 8785). */
function fingerprint(settings: object): string {
  const value: unknown = JSON.parse(JSON.stringify(settings))
  return sha256(isJson(value) ? canonicalJson(value) : '')
}
