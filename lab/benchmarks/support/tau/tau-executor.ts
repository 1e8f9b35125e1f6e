import type { JsonObject } from '../../../../packages/echelon/src/core/value/json.ts'
import type { ToolCall } from '../../../../packages/support/src/plan.ts'
import type {
  ExecutionContext,
  ToolExecutor,
  ToolFacts,
  ToolResult,
} from '../../../../packages/support/src/primitives/tool-executor.ts'
import { fromPlainObject } from './plain-json.ts'
import type { TauDatabase } from './tau-database.ts'
import type { TauTool } from './tau-tool.ts'

/**
 * The tools of a domain over its database. Each tool reports errors in the words of the original, so
 * nothing is checked first, and no answer counts as a failure of ours.
 */
export class TauExecutor implements ToolExecutor {
  readonly #tools: readonly TauTool[]
  readonly #database: TauDatabase

  /** @param tools of the domain, and tools that a record calls by an unknown name */
  constructor(tools: readonly TauTool[], database: TauDatabase) {
    this.#tools = tools
    this.#database = database
  }

  describe(): readonly ToolFacts[] {
    return this.#tools.map(({ name, description, parameters, acts = false }) => ({
      name,
      description,
      parameters: { type: 'object', description: Object.keys(parameters).join(', ') },
      acts,
    }))
  }

  async execute(call: ToolCall, { idempotencyKey }: ExecutionContext): Promise<ToolResult> {
    const named = { name: call.toolName, args: fromPlainObject(call.params) }
    const data: JsonObject = { output: this.#database.call(idempotencyKey, named) }
    return { success: true, data, error: null, executionTimeMs: 0 }
  }
}

/** Delivers each call twice, as a network that repeats itself does; the second answer is the one that counts. */
export class TwiceDelivered implements ToolExecutor {
  readonly #inner: ToolExecutor

  constructor(inner: ToolExecutor) {
    this.#inner = inner
  }

  describe(): readonly ToolFacts[] {
    return this.#inner.describe()
  }

  async execute(call: ToolCall, context: ExecutionContext): Promise<ToolResult> {
    await this.#inner.execute(call, context)
    return await this.#inner.execute(call, context)
  }
}
