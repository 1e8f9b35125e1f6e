import type { AgentCapabilities } from '@ag-ui/core'
import type { ServedAgent } from '../agents/served-agent.ts'

/** The capabilities of an agent, in the form that clients ask for. */
export const capabilitiesOf = (
  { name, description, tools, accepts }: ServedAgent,
  version?: string,
): AgentCapabilities => ({
  identity: { name, description, provider: 'echelon', ...(version !== undefined && { version }) },
  transport: { streaming: true, httpBinary: true, resumable: true },
  tools: {
    supported: true,
    items: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    parallelCalls: true,
    clientProvided: accepts.tools,
  },
  output: { structuredOutput: accepts.output },
  state: { snapshots: true, deltas: true, memory: accepts.sessions, persistentState: false },
  multiAgent: { supported: true, delegation: true },
  reasoning: { supported: true, streaming: false, encrypted: false },
  multimodal: { input: { image: accepts.files, audio: accepts.files, file: accepts.files } },
  humanInTheLoop: { supported: true, approvals: true, interventions: false, interrupts: true },
})
