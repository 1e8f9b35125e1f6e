import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import type { ServedAgent } from '../agents/served-agent.ts'
import { HttpProblem } from '../http/problem.ts'

const MOST_CHARACTERS = 100_000

/** A prompt for each agent, which a person chooses in a client. */
export const promptOf = ({ name, description }: ServedAgent): Prompt => ({
  name: `ask_${name}`,
  title: `Ask ${name}`,
  description,
  arguments: [{ name: 'input', description: 'What to ask', required: true }],
})

/** @throws HttpProblem 400, 404 */
export function getPrompt(
  agents: readonly ServedAgent[],
  { name, input }: { readonly name: string; readonly input: string | undefined },
): GetPromptResult {
  const agent = agents.find((one) => promptOf(one).name === name)
  if (agent === undefined) throw new HttpProblem(404, 'not_found', 'there is no such prompt')
  if (input === undefined || input === '' || input.length > MOST_CHARACTERS) {
    throw new HttpProblem(400, 'invalid_input', 'give the argument input')
  }
  const text = `Call the tool ${agent.name} with this input, word for word. Then show its answer, and say whether it was checked, how, and what it cost.\n\n${input}`
  return {
    description: agent.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}
