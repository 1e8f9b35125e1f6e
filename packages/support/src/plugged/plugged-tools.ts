import { canonicalJson } from 'echelon/internal/value'
import { guardedSchema } from 'echelon/internal/schema'
import { jsonForm } from 'echelon/internal/value'
import { isJson, isRecord } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool } from 'echelon/chat'
import type { SupportState } from '../turn/support-state.ts'
import type { ExecutionContext, ToolExecutor, ToolFacts } from '../primitives/tool-executor.ts'

/** Tries of a tool whose failure may pass, besides the first. */
const RETRIES = 2

const TIMEOUT_MS = 30_000

/**
 * Turns the executor's tools into tools of a run. Under one key they act once, so a call may be repeated
 * after a crash.
 * @param standing where the turn is when a call is made
 */
export const pluggedTools = (
  executor: ToolExecutor,
  standing: () => SupportState,
): readonly Tool[] => executor.describe().map((facts) => plugged(facts, executor, standing))

const plugged = (
  { name, description, parameters, acts = false }: ToolFacts,
  executor: ToolExecutor,
  standing: () => SupportState,
): Tool =>
  defineTool({
    name,
    description,
    // The executor checks what it is given: it knows its own tools better.
    input: guardedSchema<JsonObject>(parameters, isParams),
    does: acts ? 'idempotent' : 'reads',
    retries: RETRIES,
    timeoutMs: TIMEOUT_MS,
    async run(params, { signal }) {
      const call = { toolName: name, params }
      const context = { ...contextOf(standing(), name, params), signal }
      const result = await executor.execute(call, context)
      if (result.code === 'transient')
        throw new ToolError('NET_TIMEOUT', result.error ?? 'it failed')
      return result
    },
    async reconcile(_key, params) {
      const call = { toolName: name, params }
      const told = await executor.outcome?.(call, contextOf(standing(), name, params))
      if (told === undefined || typeof told === 'string') return told ?? 'unknown'
      return { type: 'ok', value: jsonForm(told) }
    },
  })

const isParams = (value: unknown): value is JsonObject => isRecord(value) && isJson(value)

/** For whom a call is made, and under which key: that of plan, intent and parameters. */
function contextOf(
  { input, task }: SupportState,
  toolName: string,
  params: JsonObject,
): ExecutionContext {
  const { sessionId, interaction } = input
  const execution = task?.execution ?? null
  const plan = execution?.planId ?? interaction.id
  const intent = task?.intentId ?? ''
  return {
    sessionId,
    interactionId: interaction.id,
    customerId: interaction.customerId,
    // As a list: no two of them read alike, whatever ids hold.
    idempotencyKey: canonicalJson([sessionId, plan, intent, toolName, params]),
    execution,
  }
}
