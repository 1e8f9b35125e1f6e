import type { ChatRunOptions } from 'echelon/chat'
import type { Json, JsonObject } from 'echelon/runtime'
import { isJsonObject } from 'echelon/internal/value'
import type { Schema } from 'echelon/internal/schema'
import { type ConversingAgent, outcomeOf } from './conversing.ts'
import { TASK, type AgentToolInput } from './foreign-agent.ts'

export interface AiToolOptions extends Pick<ChatRunOptions, 'caller' | 'limits' | 'maxIterations'> {
  /** Shown to the calling model: what the agent is good for. */
  readonly description: string
  /** Answers the agent's requests. Default: none, so a run that asks is canceled and the call fails. */
  readonly answer?: (about: JsonObject) => Json | Promise<Json>
}

/** A tool as the package `ai` accepts it. */
export interface AiTool {
  readonly description: string
  readonly inputSchema: Schema<AgentToolInput>
  readonly execute: (
    task: AgentToolInput,
    options?: { readonly abortSignal?: AbortSignal },
  ) => Promise<string>
}

/**
 * Presents an agent as a tool of an AI SDK agent: `tools: { helper: asAiTool(agent, { description })
 * }`.
 */
export function asAiTool(agent: ConversingAgent, options: AiToolOptions): AiTool {
  const { description, answer, ...turn } = options
  return {
    description,
    inputSchema: TASK,
    async execute({ task }, { abortSignal: signal } = {}) {
      const run = agent.run(task, { ...turn, ...(signal && { signal }) })
      let isAnswered = false
      try {
        for await (const event of run) {
          if (event.type !== 'request-open') continue
          const { request, about } = event
          if (answer === undefined) throw noAnswerer(agent.name)
          run.respond(request, await answer(isJsonObject(about) ? about : {}))
        }
        isAnswered = true
      } finally {
        // No one else can answer: an abandoned run would wait for ever.
        if (!isAnswered) run.cancel()
      }
      const { text, reason, detail } = await outcomeOf(run)
      signal?.throwIfAborted()
      if (detail === null) return text
      throw new Error(`${agent.name} ended with ${reason}: ${detail}`)
    },
  }
}

const noAnswerer = (agent: string): Error =>
  new Error(`${agent} asks a question, but no answer function is set; pass one to asAiTool`)
