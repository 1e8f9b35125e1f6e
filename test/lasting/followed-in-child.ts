/**
 * A run that others answer or cancel. Arguments: the store's file, and the agent: `agent` asks for an
 * approval and then streams slowly, `decider` calls a tool that never ends by itself.
 */
import { z } from 'zod'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { openStore } from '@echelon/store'
import { model } from '../chat/kit.ts'

const [file = '', whose = 'agent'] = process.argv.slice(2)
const store = await openStore(file)

const send = defineTool({
  name: 'send',
  description: 'sends',
  does: 'acts',
  needsApproval: true,
  input: z.object({}),
  run: () => 'sent',
})

const calculator = defineTool({
  name: 'calculator',
  description: 'Computes.',
  input: z.strictObject({ expr: z.string() }),
  run: (_, { signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    ),
})

async function agentRun(): Promise<unknown> {
  const slowly = { text: 'at last', delayMs: 3_600_000 }
  const script = [{ toolCalls: [{ tool: 'send', input: {} }] }, slowly]
  const agent = createAgent({
    model: model(script),
    tools: [send],
    store,
    telemetry: () => undefined,
  })
  const { status, reason, messages } = await agent.run('send it', { runId: 'r' }).result
  return { status, reason, sent: JSON.stringify(messages).includes('"sent"') }
}

async function caseRun(): Promise<unknown> {
  const decider = await createDecider({ store, tools: [calculator] })
  const { finish_reason: reason } = await decider.runCase('What is 15 * 23?')
  return { reason }
}

// Stands for a program's other work: a waiting run keeps no process alive.
const busy = setInterval(() => undefined, 60_000)
process.send?.(whose === 'agent' ? await agentRun() : await caseRun())
await store.close()
clearInterval(busy)
process.disconnect()
