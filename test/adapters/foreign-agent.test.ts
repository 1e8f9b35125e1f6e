import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AIMessage } from '@langchain/core/messages'
import { tool as langChainNative } from '@langchain/core/tools'
import { FakeListChatModel, FakeStreamingChatModel } from '@langchain/core/utils/testing'
import { tool, ToolLoopAgent } from 'ai'
import { createAgent as createLangChainAgent } from 'langchain'
import { z } from 'zod'
import { type ChatEnd, createAgent } from '../../packages/echelon/src/chat.ts'
import type { ChatLimits } from '../../packages/echelon/src/agents/chat/agent-options.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import {
  apiError,
  asBound,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { aiAgentTool, type AiSdkAgent } from '../../packages/adapters/src/ai-agent-tool.ts'
import {
  type LangChainRunnable,
  langChainTool,
} from '../../packages/adapters/src/lang-chain-tool.ts'

interface Seen {
  readonly end: ChatEnd<unknown>
  /** The tool result that the calling model received. */
  readonly told: string
  readonly events: readonly RunEvent[]
  readonly spent: Readonly<Record<string, number>>
}

/** A run whose model gives the agent one task and then answers. */
async function delegated(agent: Tool, limits: ChatLimits = {}): Promise<Seen> {
  const model = scriptedModel([
    { toolCalls: [{ tool: agent.name, input: { task: 'the price' } }] },
    'so',
  ])
  const run = createAgent({ model: asBound(model), tools: [agent], limits }).run('go')
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  const told = model.calls[1]?.prompt.find(({ role }) => role === 'tool')?.content
  return { end: await run.result, told: JSON.stringify(told), events, spent: run.spent }
}

const FREE = () => 0

const price = tool({
  inputSchema: z.object({ item: z.string() }),
  execute: ({ item }) => `${item}: 40 euros`,
})

function shopper(
  answers: Parameters<typeof scriptedModel>[0],
): ToolLoopAgent<never, { price: typeof price }> {
  return new ToolLoopAgent({ model: scriptedModel(answers), tools: { price } })
}

const LOOKS_UP = [
  { toolCalls: [{ tool: 'price', input: { item: 'lamp' } }] },
  'A lamp costs 40 euros.',
] as const

test('[C-1] an AI SDK agent works within the calling run: shared budget, its steps as events', async () => {
  const agent = aiAgentTool({ name: 'shopper', description: 'prices', agent: shopper(LOOKS_UP) })
  const { end, told, events, spent } = await delegated(agent)
  assert.match(told, /A lamp costs 40 euros\./)
  // Two calls of the outer model and two of the inner one, each with 10 tokens in and 5 out.
  assert.deepEqual(end.usage, { input: 40, output: 20 })
  // The agent counts as one call in the ledger, whatever it does inside.
  assert.equal(spent['calls.main'], 3)
  assert.equal(end.cost, null)
  const progress = events.flatMap((event) => (event.type === 'tool-progress' ? event.data : []))
  assert.deepEqual(progress, [
    { step: 'model-call', tools: ['price'] },
    { step: 'model-call', tools: [] },
  ])
})

test('[C-1] its price counts; without one a money limit refuses it before it is called', async () => {
  const cents = aiAgentTool({
    name: 'shopper',
    description: 'prices',
    agent: shopper(LOOKS_UP),
    price: ({ input, output }) => (input + output) / 1000,
  })
  assert.equal((await delegated(cents)).end.cost, 0.03)
  const inner = scriptedModel(LOOKS_UP)
  const agent = new ToolLoopAgent({ model: inner, tools: { price } })
  const unpriced = aiAgentTool({ name: 'shopper', description: 'prices', agent })
  assert.match((await delegated(unpriced, { money: 1 })).told, /give its tool a price/)
  assert.equal(inner.calls.length, 0)
})

test('[C-1] tokens are reserved before the call, and its usage is booked afterwards', async () => {
  const run = async (first: number, inner: number) => {
    const asked = scriptedModel([{ text: 'It is 40.', usage: { input: inner, output: 1 } }])
    const agent = new ToolLoopAgent({ model: asked })
    const tools = [aiAgentTool({ name: 'shopper', description: 'prices', agent, price: FREE })]
    const call = { toolCalls: [{ tool: 'shopper', input: { task: 'the price' } }] }
    const outer = scriptedModel([{ ...call, usage: { input: first, output: 1 } }, 'so'])
    const limits = { tokens: 10_000 }
    const { reason } = await createAgent({ model: asBound(outer), tools, limits }).run('go').result
    return { reason, asked: asked.calls.length }
  }
  assert.deepEqual(await run(10, 20), { reason: 'stop', asked: 1 })
  // Nothing is left to reserve: it is not called.
  assert.deepEqual(await run(9989, 20), { reason: 'budget:tokens', asked: 0 })
  // It used more than it was allowed, which cannot be prevented, so it was the last call.
  assert.deepEqual(await run(10, 50_000), { reason: 'budget:tokens', asked: 1 })
})

test('[C-1] its errors, its limits and unexecuted tool calls are tool errors', async () => {
  const make = (agent: AiSdkAgent): Tool =>
    aiAgentTool({ name: 'shopper', description: 'prices', agent, price: FREE })
  const broken = shopper([{ error: new Error('the server is down') }])
  assert.match(
    (await delegated(make(broken))).told,
    /TOOL_ERROR: shopper ended with unknown: .*server is down/,
  )
  const asks = new ToolLoopAgent({
    model: scriptedModel(LOOKS_UP),
    tools: { price: { ...price, needsApproval: true } },
  })
  assert.match(
    (await delegated(make(asks))).told,
    /tool calls that are neither run nor approved here/,
  )
})

test('[C-1] a retryable failure is not retried: its own tools may have acted', async () => {
  let asked = 0
  const generate = (): Promise<unknown> => {
    asked++
    return Promise.reject(apiError(503))
  }
  const agent = aiAgentTool({ name: 'shopper', description: 'prices', agent: { generate } })
  assert.match((await delegated(agent)).told, /TOOL_ERROR/)
  assert.equal(asked, 1)
})

test('[C-1] the length of its answer is limited', async () => {
  const agent = shopper(['x'.repeat(50)])
  const { told } = await delegated(
    aiAgentTool({ name: 'shopper', description: 'p', agent, maxChars: 10 }),
  )
  assert.match(told, /x{10}\\n\[cut off after 10 characters\]/)
  const smile = shopper(['ab\u{1f600}cd'])
  const half = aiAgentTool({ name: 'shopper', description: 'p', agent: smile, maxChars: 3 })
  assert.match((await delegated(half)).told, /ab\ufffd\\n\[cut/)
})

test('[C-1] a cancel and its timeout abort it', async () => {
  const waiting = (): {
    agent: { generate(options: { abortSignal: AbortSignal }): Promise<unknown> }
    gone: Promise<void>
  } => {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const generate = ({ abortSignal }: { abortSignal: AbortSignal }): Promise<unknown> =>
      new Promise((_, reject) => {
        abortSignal.addEventListener('abort', () => {
          resolve()
          reject(abortSignal.reason)
        })
      })
    return { agent: { generate }, gone }
  }
  const slow = waiting()
  const timed = await delegated(
    aiAgentTool({ name: 'slow', description: 's', agent: slow.agent, timeoutMs: 5 }),
  )
  assert.match(timed.told, /NET_TIMEOUT/)
  await slow.gone
  const other = waiting()
  const tools = [aiAgentTool({ name: 'slow', description: 's', agent: other.agent })]
  const model = scriptedModel([{ toolCalls: [{ tool: 'slow', input: { task: 'wait' } }] }])
  const run = createAgent({ model: asBound(model), tools }).run('go')
  for await (const event of run) if (event.type === 'step-start' && event.path !== '') run.cancel()
  await other.gone
  assert.equal((await run.result).status, 'canceled')
})

const taking = (message: AIMessage, input: number, output: number): AIMessage =>
  Object.assign(message, {
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  })

function langChainAgent(): LangChainRunnable {
  const calls = [{ id: 'a', name: 'price', args: { item: 'lamp' } }]
  const answers = [
    taking(new AIMessage({ content: '', tool_calls: calls }), 7, 3),
    taking(new AIMessage('A lamp costs 40 euros.'), 9, 4),
  ]
  // The fake repeats its first response forever: this one moves on to the next.
  class Fake extends FakeStreamingChatModel {
    override bindTools(): ReturnType<FakeStreamingChatModel['bindTools']> {
      return this
    }
    override async _generate(): ReturnType<FakeStreamingChatModel['_generate']> {
      const message = answers.shift() ?? new AIMessage('nothing')
      return { generations: [{ text: message.text, message }] }
    }
  }
  const priceTool = langChainNative(({ item }: { item: string }) => `${item}: 40 euros`, {
    name: 'price',
    description: 'what a piece costs',
    schema: z.object({ item: z.string() }),
  })
  return createLangChainAgent({ model: new Fake({}), tools: [priceTool] })
}

test('[C-1] a LangChain agent works within the calling run, its usage added up', async () => {
  const agent = langChainTool({ name: 'buyer', description: 'prices', agent: langChainAgent() })
  const { end, told } = await delegated(agent)
  assert.match(told, /A lamp costs 40 euros\./)
  assert.deepEqual(end.usage, { input: 20 + 16, output: 10 + 7 })
})

test('[C-1] a LangChain agent that stops to ask a person is an error, not an empty answer', async () => {
  const calls = [{ id: 'a', name: 'price', args: { item: 'lamp' } }]
  const messages = [new AIMessage({ content: '', tool_calls: calls })]
  // As returned by a graph with a checkpointer, which keeps its state for the reply.
  const asks = { invoke: async () => ({ messages, __interrupt__: [{ value: 'may it?' }] }) }
  const agent = langChainTool({ name: 'buyer', description: 'prices', agent: asks })
  assert.match((await delegated(agent)).told, /TOOL_ERROR: .*stopped to ask a person/)
})

test("[C-1] its step limit is LangChain's own, and is reported when reached", async () => {
  const agent = langChainTool({
    name: 'buyer',
    description: 'p',
    agent: langChainAgent(),
    recursionLimit: 1,
  })
  assert.match((await delegated(agent)).told, /Recursion limit of 1/)
})

test('[C-1] other Runnables work too: a chat model by its message, a chain by its text', async () => {
  const model = new FakeListChatModel({ responses: ['It is 40 euros.'] })
  const input = (task: string): string => task
  const chat = langChainTool({ name: 'buyer', description: 'p', agent: model, input })
  const { told, end } = await delegated(chat)
  assert.match(told, /It is 40 euros\./)
  // It reports no usage: unknown, so that no total is wrong.
  assert.deepEqual([end.usage, end.cost], [{ input: 20, output: 10 }, null])
  const chain = { invoke: async () => 'plain' }
  assert.match(
    (await delegated(langChainTool({ name: 'b', description: 'p', agent: chain }))).told,
    /plain/,
  )
  const odd = { invoke: async () => 7 }
  assert.match(
    (await delegated(langChainTool({ name: 'b', description: 'p', agent: odd }))).told,
    /neither a message nor a string/,
  )
})

test('[C-1] after a crash a foreign agent is not run again, unless it is declared read-only', async () => {
  for (const does of ['acts', 'reads'] as const) {
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const answer = {
      text: 'It is 40.',
      finishReason: 'stop',
      totalUsage: { inputTokens: 1, outputTokens: 1 },
    }
    const make = (
      script: Parameters<typeof scriptedModel>[0],
      generate: () => Promise<unknown>,
      journal: MemoryJournal,
    ) => {
      const tools = [
        aiAgentTool({ name: 'shopper', description: 'p', agent: { generate }, does, price: FREE }),
      ]
      const model = scriptedModel(script)
      return { agent: createAgent({ model: asBound(model), tools, journal }), model }
    }
    assert.equal(aiAgentTool({ name: 'a', description: 'p', agent: shopper([]) }).does, 'acts')
    const journal = new MemoryJournal()
    const hangs = (): Promise<unknown> => {
      resolve()
      return new Promise(() => undefined)
    }
    const call = { toolCalls: [{ tool: 'shopper', input: { task: 'the price' } }] }
    const run = make([call], hangs, journal).agent.run('go')
    await begun
    // Only the journal of the first process is left.
    const left = new MemoryJournal()
    left.append(run.id, journal.read(run.id))
    run.cancel()
    let asked = 0
    const second = make(['so'], async () => (asked++, answer), left)
    await (
      await second.agent.resume(run.id)
    ).result
    const told = JSON.stringify(
      second.model.calls[0]?.prompt.find(({ role }) => role === 'tool')?.content,
    )
    assert.match(told, does === 'acts' ? /may have acted/ : /It is 40\./)
    assert.equal(asked, does === 'acts' ? 0 : 1)
  }
})
