import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { isStepCount, type ModelMessage, tool as aiTool, ToolLoopAgent, type ToolSet } from 'ai'
import type { BenchTool, Contestant, MakesAgents, Runner, Setup } from './contestant.ts'

/** The peer: `ToolLoopAgent` of the `ai` package, on the same model object. */
export const peer: Contestant & { readonly agents: MakesAgents<object> } = {
  name: 'ai',
  prepare,
  agents(setup) {
    const tools = toolsOf(setup.tool)
    return () => agentOf(setup, tools)
  },
}

const toolsOf = (tool: BenchTool): ToolSet => ({
  [tool.name]: aiTool({
    description: tool.description,
    inputSchema: tool.input,
    execute: (input) => tool.run(input),
  }),
})

const agentOf = ({ model }: Setup, tools: ToolSet): ToolLoopAgent<never, ToolSet> =>
  new ToolLoopAgent({ model, tools, stopWhen: isStepCount(1000) })

function prepare(setup: Setup): Runner {
  const agent = agentOf(setup, toolsOf(setup.tool))
  const earlier = setup.history?.map(toModelMessage)
  const given = setup.given?.map((messages) => messages.map(toModelMessage))
  const asked = (text: string): { prompt: string } | { messages: ModelMessage[] } => {
    if (given !== undefined) return { messages: given.next() }
    return earlier === undefined
      ? { prompt: text }
      : { messages: [...earlier, { role: 'user', content: [{ type: 'text', text }] }] }
  }
  return {
    run: async (text) => (await agent.generate(asked(text))).text,
    async stream(text) {
      const { textStream } = await agent.stream(asked(text))
      let deltas = 0
      for await (const delta of textStream) if (delta !== '') deltas++
      return deltas
    },
  }
}

/** The peer's own message type, converted before timing. */
function toModelMessage({ role, content }: LanguageModelV4Message): ModelMessage {
  const text = typeof content === 'string' ? content : content.map(textOf).join('')
  return { role: role === 'assistant' ? 'assistant' : 'user', content: [{ type: 'text', text }] }
}

const textOf = (part: object): string =>
  'text' in part && typeof part.text === 'string' ? part.text : ''
