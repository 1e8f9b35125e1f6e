import type { ChatRunOptions } from 'echelon/chat'
import type { Json, JsonObject } from 'echelon/runtime'
import { isJsonObject } from 'echelon/internal/value'
import type { Schema } from 'echelon/internal/schema'
import { type ConversingAgent, outcomeOf } from './conversing.ts'
import { TASK, type Task } from './foreign-agent.ts'

export interface AiToolOptions extends Pick<ChatRunOptions, 'caller' | 'limits' | 'maxIterations'> {
  /** What the calling model reads: what the agent is good for. */
  readonly description: string
  /**
   * Replies to what the agent asks. Default: nobody is there to be asked, so that a run that asks is
   * canceled, and the call fails.
   */
  readonly answer?: (about: JsonObject) => Json | Promise<Json>
}

/** A tool as the package `ai` takes it. */
export interface AiTool {
  readonly description: string
  readonly inputSchema: Schema<Task>
  readonly execute: (
    task: Task,
    options?: { readonly abortSignal?: AbortSignal },
  ) => Promise<string>
}

/** An agent as a tool of an AI SDK agent: `tools: { helper: asAiTool(agent, { description }) }`. */
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
          if (answer === undefined) throw nobodyAnswers(agent.name)
          run.respond(request, await answer(isJsonObject(about) ? about : {}))
        }
        isAnswered = true
      } finally {
        // Nobody else could answer: a run that is left here would wait for ever.
        if (!isAnswered) run.cancel()
      }
      const { text, reason, detail } = await outcomeOf(run)
      signal?.throwIfAborted()
      if (detail === null) return text
      throw new Error(`${agent.name} ended with ${reason}: ${detail}`)
    },
  }
}

const nobodyAnswers = (agent: string): Error =>
  new Error(`${agent} asks something, and nobody can answer; give asAiTool an answer function`)
