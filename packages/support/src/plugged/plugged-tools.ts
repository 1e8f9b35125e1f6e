import { canonicalJson, jsonForm, isJson, isRecord } from 'echelon/internal/value'
import { guardedSchema } from 'echelon/internal/schema'
import type { JsonObject } from 'echelon/runtime'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool } from 'echelon/chat'
import type { SupportState } from '../turn/support-state.ts'
import type { ExecutionContext, ToolExecutor, ToolFacts } from '../primitives/tool-executor.ts'

/** Retries of a tool whose failure may pass. */
const RETRIES = 2

const TIMEOUT_MS = 30_000

/**
 * Turns the executor's tools into tools of a run. They act once per key, so a call may be repeated after a crash.
 * @param standing returns the turn's state when a call is made
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
    // The executor validates the parameters: it knows its own tools better.
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

/** The customer of a call, and its key: from plan, intent and parameters. */
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
    // A JSON list, so that no two keys are equal, whatever the ids hold.
    idempotencyKey: canonicalJson([sessionId, plan, intent, toolName, params]),
    execution,
  }
}
