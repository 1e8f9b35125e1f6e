import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { toJsonSchema } from '../../../packages/echelon/src/core/schema/schema.ts'
import type { BenchTool, Contestant, Runner, Setup } from './contestant.ts'

/** A minimal hand-written loop: no checks, no storage, no cancel. */
export const bare: Contestant = { name: 'bare', prepare }

function prepare({ model, tool, history = [], given }: Setup): Runner {
  const { name, description } = tool
  const inputSchema = toJsonSchema(tool.input)
  const tools: LanguageModelV4FunctionTool[] = [
    { type: 'function', name, description, inputSchema },
  ]
  return {
    async run(text) {
      const prompt = given === undefined ? [...history, asked(text)] : [...given.next()]
      for (;;) {
        const { content } = await model.doGenerate({ prompt, tools })
        const calls = content.filter((part) => part.type === 'tool-call')
        if (calls.length === 0) {
          return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
        }
        prompt.push({ role: 'assistant', content: calls })
        prompt.push({
          role: 'tool',
          content: await Promise.all(calls.map((call) => answer(tool, call))),
        })
      }
    },
    async stream(text) {
      const { stream } = await model.doStream({ prompt: [...history, asked(text)], tools })
      let deltas = 0
      for await (const part of stream) if (part.type === 'text-delta') deltas++
      return deltas
    },
  }
}

const asked = (text: string): LanguageModelV4Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
})

async function answer(
  tool: BenchTool,
  { toolCallId, toolName, input }: LanguageModelV4ToolCall,
): Promise<LanguageModelV4ToolResultPart> {
  const value = await tool.run(JSON.parse(input))
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'json', value } }
}
