import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { outputFormat } from '../../packages/echelon/src/agents/chat/output/output-format.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import {
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../packages/echelon/src/core/value/json.ts'
import type { ProviderSettings } from '../../packages/echelon/src/core/model/model.ts'
import { toJsonSchema } from '../../packages/echelon/src/core/schema/schema.ts'
import { isStrict } from '../../packages/echelon/src/providers/openai/strict-schema.ts'
import {
  type ServerAnswer,
  type ServerRequest,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'
import { add, eventsOf } from './kit.ts'

const ORDER = z.object({ item: z.string(), count: z.number(), note: z.string().optional() })
const LAMPS = { item: 'lamp', count: 2 }
/** In chunks, with the null that means an absent field in strict formats. */
const GOOD: ServerAnswer = {
  type: 'reply',
  text: ['{"item":"la', 'mp","count":2,"note":', 'null}'],
}
const BAD: ServerAnswer = { type: 'reply', text: ['{"item":"lamp","count":"two","note":null}'] }
const ADDS: ServerAnswer = { type: 'reply', toolCalls: [{ tool: 'add', input: { a: 1, b: 1 } }] }

const STRICT: JsonObject = {
  type: 'object',
  properties: {
    item: { type: 'string' },
    count: { type: 'number' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['item', 'count', 'note'],
  additionalProperties: false,
}

interface Asked {
  readonly model: string
  readonly script: readonly ServerAnswer[]
  readonly settings?: ProviderSettings
  readonly watched?: boolean
}

interface Answered {
  readonly output: unknown
  readonly requests: readonly ServerRequest[]
  readonly partials: readonly Json[]
}

/** A turn through the provider's real package and a real connection. */
async function asking({ model, script, settings = {}, watched = false }: Asked): Promise<Answered> {
  await using server = await startModelServer(script)
  const [key = ''] = model.split('/')
  const { baseUrl } = server
  const agent = createAgent({
    model,
    providers: { [key]: { baseUrl, apiKey: 'test-key', ...settings } },
    tools: [add],
    output: ORDER,
  })
  const run = agent.run('1 + 1 lamps')
  const events = watched ? await eventsOf(run) : []
  const { output } = await run.result
  server.assertComplete()
  const partials = events.flatMap((event) =>
    event.type === 'output-partial' ? [event.partial] : [],
  )
  return { output, requests: server.requests, partials }
}

const at = (body: JsonObject | undefined, ...path: readonly string[]): Json | undefined => {
  let found: Json | undefined = body
  for (const name of path) found = isJsonObject(found) ? found[name] : undefined
  return found
}

const textIn = ({ body }: ServerRequest): string => JSON.stringify(body)

describe('@ai-sdk/openai', () => {
  test('sends a strict schema through both APIs, next to the tools', async () => {
    const places = {
      responses: ['text', 'format'],
      chat: ['response_format', 'json_schema'],
    } as const
    for (const [api, place] of [
      ['responses', places.responses],
      ['chat', places.chat],
    ] as const) {
      const script = [ADDS, GOOD]
      const asked = { model: 'openai/gpt-5-nano', script, settings: { api } }
      const { output, requests } = await asking(asked)
      assert.deepEqual(output, LAMPS, api)
      for (const { body } of requests) {
        assert.deepEqual(at(body, ...place, 'schema'), STRICT)
        assert.equal(at(body, ...place, 'strict'), true)
        assert.ok(Array.isArray(body['tools']))
      }
    }
  })

  test('receives the problem for a repair, and streams the object', async () => {
    const asked = { model: 'openai/gpt-5-nano', script: [BAD, GOOD], watched: true }
    const { output, requests, partials } = await asking(asked)
    assert.deepEqual(output, LAMPS)
    const [, second] = requests
    assert.ok(second !== undefined)
    assert.match(textIn(second), /does not fit: count: .*expected number/)
    assert.deepEqual(partials.slice(1), [
      { item: 'la' },
      { item: 'lamp', count: 2 },
      { item: 'lamp', count: 2, note: null },
    ])
  })

  test('accepts the converted schemas as strict', () => {
    const line = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('item'), price: z.number().int(), tag: z.email().optional() }),
      z.object({ kind: z.literal('text'), text: z.string().nullish() }),
    ])
    const invoice = z.object({
      paid: z.boolean().default(false),
      due: z.iso.date().nullable(),
      size: z.enum(['s', 'l']).optional(),
      lines: z.array(line),
      get of() {
        return invoice.optional()
      },
    })
    assert.equal(isStrict(toJsonSchema(invoice)), false)
    const { wire } = outputFormat(invoice)
    assert.ok(isStrict(wire), JSON.stringify(wire))
  })

  test('sends a schema for objects with any keys as not strict', async () => {
    await using server = await startModelServer([{ type: 'reply', text: ['{"by":{"a":1}}'] }])
    const agent = createAgent({
      model: 'openai/gpt-5-nano',
      providers: { openai: { baseUrl: server.baseUrl, apiKey: 'test-key', api: 'responses' } },
      output: z.object({ by: z.record(z.string(), z.number()) }),
    })
    assert.deepEqual((await agent.run('hi').result).output, { by: { a: 1 } })
    assert.equal(at(server.requests[0]?.body, 'text', 'format', 'strict'), false)
  })
})

describe('@ai-sdk/anthropic', () => {
  test('sends the schema as the format of the answer', async () => {
    const asked = { model: 'anthropic/claude-sonnet-4-5', script: [ADDS, GOOD], watched: true }
    const { output, requests, partials } = await asking(asked)
    assert.deepEqual(output, LAMPS)
    for (const { body } of requests) {
      assert.equal(at(body, 'output_config', 'format', 'type'), 'json_schema')
      assert.deepEqual(at(body, 'output_config', 'format', 'schema', 'required'), [
        'item',
        'count',
        'note',
      ])
    }
    assert.deepEqual(partials.at(-1), { ...LAMPS, note: null })
  })

  test('has an older model call a tool with the object', async () => {
    const script: readonly ServerAnswer[] = [
      ADDS,
      { type: 'reply', toolCalls: [{ tool: 'json', input: { ...LAMPS, note: null } }] },
    ]
    for (const watched of [false, true]) {
      const asked = { model: 'anthropic/claude-3-7-sonnet-latest', script, watched }
      const { output, requests, partials } = await asking(asked)
      assert.deepEqual(output, LAMPS)
      for (const request of requests) assert.match(textIn(request), /"name":"json"/)
      if (watched) assert.deepEqual(partials.at(-1), { ...LAMPS, note: null })
    }
  })
})

describe('a provider without schema support', () => {
  test('gets the schema in the prompt, if that is known', async () => {
    const { output, requests } = await asking({ model: 'deepseek/deepseek-chat', script: [GOOD] })
    assert.deepEqual(output, LAMPS)
    const [request] = requests
    assert.ok(request !== undefined)
    assert.deepEqual(request.body['response_format'], { type: 'json_object' })
    assert.match(textIn(request), /nothing but JSON that fits this JSON Schema/)
  })

  test('gets the schema with the repair request, if that is not known', async () => {
    const script: readonly ServerAnswer[] = [{ type: 'reply', text: ['two lamps'] }, GOOD]
    const { output, requests } = await asking({ model: 'openai-compatible/llama-3', script })
    assert.deepEqual(output, LAMPS)
    const messages = JSON.stringify(requests[1]?.body['messages'])
    assert.match(messages, /it holds no JSON object.*JSON Schema:.*additionalProperties/)
  })
})
