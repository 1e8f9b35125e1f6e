import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { AgentSettings } from '../../packages/echelon/src/agents/chat/agent-options.ts'
import type { ModelSource } from '../../packages/echelon/src/agents/chat/model-binding.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import {
  asBound,
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'

/** Adds two numbers. */
export const add: Tool = defineTool({
  name: 'add',
  description: 'adds two numbers',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => a + b,
})

/** A model that costs a dollar a token, under its own name. */
export const model = (script: readonly ScriptedAnswer[], id = 'scripted/one'): BoundModel =>
  asBound(scriptedModel(script), id, ({ input, output }) => input + output)

export const agentWith = (
  script: readonly ScriptedAnswer[],
  settings: AgentSettings = {},
): Agent<object> => createAgent({ model: model(script), ...settings })

/** Models by name; each is loaded when its promise resolves. */
export function source(
  models: Readonly<Record<string, BoundModel | Promise<BoundModel>>>,
): ModelSource & { readonly asked: readonly string[]; readonly settings: readonly unknown[] } {
  const asked: string[] = []
  const settings: unknown[] = []
  return {
    asked,
    settings,
    async resolve(name, given) {
      asked.push(name)
      settings.push(given)
      const found = Object.hasOwn(models, name) ? models[name] : undefined
      if (found === undefined) throw new EchelonError('UNKNOWN_MODEL', `there is no model ${name}`)
      return found
    },
  }
}

export async function eventsOf(run: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

export const asksToAdd = (a: number, b: number): ScriptedAnswer => ({
  toolCalls: [{ tool: 'add', input: { a, b } }],
})

export const isError =
  (code: EchelonError['code'], says: RegExp = /./) =>
  (error: unknown): boolean =>
    error instanceof EchelonError && error.code === code && says.test(error.message)
