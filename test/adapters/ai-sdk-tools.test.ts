import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dynamicTool, jsonSchema, tool, zodSchema } from 'ai'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { type AiSdkToolFacts, fromAiSdkTools } from '../../packages/adapters/src/ai-sdk-tools.ts'

/** One call of a tool by a real agent: what the model receives, and all events. */
async function called(
  tools: readonly Tool[],
  input: Json,
  approve?: 'once' | 'never',
): Promise<{ readonly told: string; readonly events: readonly RunEvent[] }> {
  const name = tools[0]?.name ?? ''
  const model = scriptedModel([{ toolCalls: [{ tool: name, input }] }, 'done'])
  const run = createAgent({ model: asBound(model), tools }).run('go')
  const events: RunEvent[] = []
  for await (const event of run) {
    events.push(event)
    if (event.type === 'request-open') run.respond(event.request, approve ?? 'never')
  }
  return {
    told: JSON.stringify(model.calls[1]?.prompt.find(({ role }) => role === 'tool')?.content),
    events,
  }
}

const city = z.object({ city: z.string() })

test('[C-1] an AI SDK tool is called unchanged, with its input checked by its own schema', async () => {
  const weather = tool({
    description: 'the weather',
    inputSchema: city,
    execute: ({ city }) => ({ city, at: new Date(0), nothing: undefined }),
  })
  const tools = fromAiSdkTools({ weather })
  assert.match(
    (await called(tools, { city: 'Oslo' })).told,
    /"city":"Oslo","at":"1970-01-01T00:00:00.000Z"\}/,
  )
  assert.match((await called(tools, { town: 'Oslo' })).told, /INVALID_ARGS: city/)
})

test('[C-1] SDK schemas: jsonSchema with and without a check, zodSchema, and a lazy one', async () => {
  const plain = { type: 'object', properties: { city: { type: 'string' } } } as const
  const check = (value: unknown) =>
    city.safeParse(value).success
      ? { success: true as const, value: { city: 'checked' } }
      : { success: false as const, error: new Error('no city') }
  const execute = (input: unknown): string => JSON.stringify(input)
  const tools = {
    unchecked: tool({ inputSchema: jsonSchema(plain), execute }),
    checked: tool({ inputSchema: jsonSchema(plain, { validate: check }), execute }),
    zod: tool({ inputSchema: zodSchema(city), execute }),
    lazy: tool({ inputSchema: () => jsonSchema(plain), execute }),
    dynamic: dynamicTool({ inputSchema: jsonSchema(plain), execute }),
  }
  const told = async (name: keyof typeof tools, input: Json): Promise<string> =>
    (await called(fromAiSdkTools({ [name]: tools[name] }), input)).told
  assert.match(await told('unchecked', { city: 1 }), /city\\":1/)
  assert.match(await told('checked', { city: 'Oslo' }), /checked/)
  assert.match(await told('checked', { city: 1 }), /INVALID_ARGS: no city/)
  assert.match(await told('zod', { city: 1 }), /INVALID_ARGS/)
  assert.match(await told('lazy', { city: 'Oslo' }), /Oslo/)
  assert.match(await told('dynamic', { city: 'Oslo' }), /Oslo/)
  for (const each of fromAiSdkTools(tools)) assert.equal(each.jsonSchema['type'], 'object')
})

test('[C-1] yielded values are progress, and the last one is the result', async () => {
  const steps = tool({
    inputSchema: z.object({}),
    async *execute() {
      yield { done: 1 }
      yield { done: 2 }
    },
  })
  const { told, events } = await called(fromAiSdkTools({ steps }), {})
  const progress = events.flatMap((event) => (event.type === 'tool-progress' ? event.data : []))
  assert.deepEqual(progress, [{ done: 1 }, { done: 2 }])
  assert.match(told, /"value":\{"done":2\}/)
})

test('[C-1] an endless generator is closed at its timeout', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const endless = tool({
    inputSchema: z.object({}),
    async *execute() {
      try {
        for (;;) {
          await new Promise((next) => setImmediate(next))
          yield 1
        }
      } finally {
        resolve()
      }
    },
  })
  const { told } = await called(fromAiSdkTools({ endless }, { endless: { timeoutMs: 5 } }), {})
  assert.match(told, /it took too long/)
  await closed
})

test('[C-1] a tool gets a key, the signal and its context, and its error is a result', async () => {
  const seen: unknown[] = []
  const probe = tool({
    inputSchema: z.object({}),
    contextSchema: z.object({ tenant: z.string() }),
    execute: (_, { toolCallId, abortSignal, messages, context }): string => {
      seen.push(toolCallId, abortSignal instanceof AbortSignal, messages, context)
      throw new Error('it broke')
    },
  })
  const { told } = await called(
    fromAiSdkTools({ probe }, { probe: { context: { tenant: 'a' } } }),
    {},
  )
  assert.match(String(seen[0]), /:0$/)
  assert.deepEqual(seen.slice(1), [true, [], { tenant: 'a' }])
  assert.match(told, /TOOL_ERROR: it broke/)
})

test('[C-1] an AI SDK tool declares no effect: it counts as acting unless the program says otherwise', () => {
  const execute = (): string => 'x'
  const tools = {
    one: tool({ inputSchema: city, execute }),
    two: tool({ inputSchema: city, execute }),
  }
  const [one, two] = fromAiSdkTools(tools, { two: { does: 'reads', timeoutMs: 50 } })
  assert.deepEqual([one?.does, one?.parallel, one?.timeoutMs], ['acts', false, 10_000])
  assert.deepEqual([two?.does, two?.parallel, two?.timeoutMs], ['reads', true, 50])
})

test('[C-1] needsApproval asks, as a function always; the program may override it', async () => {
  const execute = (): string => 'it was done'
  const needs = tool({ inputSchema: z.object({}), needsApproval: true, execute })
  assert.match((await called(fromAiSdkTools({ needs }), {}, 'never')).told, /did not approve/)
  assert.match((await called(fromAiSdkTools({ needs }), {}, 'once')).told, /it was done/)
  const maybe = tool({ inputSchema: z.object({}), needsApproval: () => false, execute })
  assert.match((await called(fromAiSdkTools({ maybe }), {}, 'never')).told, /did not approve/)
  const knows = fromAiSdkTools({ maybe }, { maybe: { needsApproval: false } })
  assert.match((await called(knows, {})).told, /it was done/)
})

test('[C-1] toModelOutput decides what the model sees', async () => {
  const base = { inputSchema: z.object({}), execute: () => ({ big: 'x'.repeat(100) }) }
  const text = tool({ ...base, toModelOutput: () => ({ type: 'text', value: 'short' }) })
  assert.match((await called(fromAiSdkTools({ text }), {})).told, /"value":"short"/)
  const failed = tool({ ...base, toModelOutput: () => ({ type: 'error-text', value: 'no' }) })
  assert.match((await called(fromAiSdkTools({ failed }), {})).told, /TOOL_ERROR: no/)
  const mixed = tool({
    ...base,
    toModelOutput: () => ({
      type: 'content',
      value: [
        { type: 'text', text: 'a chart' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } },
      ],
    }),
  })
  assert.match(
    (await called(fromAiSdkTools({ mixed }), {})).told,
    /a chart\\n\[file image\/png, not shown\]/,
  )
})

test('[C-1] a tool that cannot run here is rejected with the reason', () => {
  const noExecute = tool({ inputSchema: city, outputSchema: z.string() })
  assert.throws(() => fromAiSdkTools({ noExecute }), /noExecute has no execute/)
  const web = tool({
    type: 'provider',
    isProviderExecuted: true,
    id: 'openai.web_search',
    args: {},
    inputSchema: city,
    outputSchema: city,
  })
  assert.throws(() => fromAiSdkTools({ web }), /defined by a provider/)
  const later = tool({
    inputSchema: jsonSchema(Promise.resolve({ type: 'object' as const })),
    execute: () => '',
  })
  assert.throws(() => fromAiSdkTools({ later }), /cannot be converted to JSON Schema/)
  const fine = tool({ inputSchema: city, execute: () => '' })
  const facts: Record<string, AiSdkToolFacts> = { other: { does: 'reads' } }
  assert.throws(() => fromAiSdkTools({ fine }, facts), /unknown tool other/)
})
