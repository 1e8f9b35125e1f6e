import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Json, JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import {
  type ServerRequest,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'
import { standardTools } from '@echelon/tools'
import { only } from '../runtime/kit.ts'

/** The plan request of a real decider through a real package; two tools keep the schema readable. */
async function planRequest(model: string): Promise<ServerRequest> {
  const plan = {
    actions: [{ tool: 'calculator', args: { expr: '15 * 23' } }],
    cannot: null,
  }
  await using server = await startModelServer([{ type: 'reply', text: [JSON.stringify(plan)] }])
  const tools = (await standardTools()).filter(({ name }) => TOOLS.includes(name))
  const key = model.slice(0, model.indexOf('/'))
  const providers = { [key]: { baseUrl: server.baseUrl, apiKey: 'test-key' } }
  const decider = await createDecider({ ladder: [model], tools, providers })
  const result = await decider.runCase('What is 15 * 23?', { seed: 7, today: '2026-11-20' })
  assert.deepEqual([result.answer, result.verified], ['345', true])
  return only(server.requests)
}

const TOOLS = ['calculator', 'calendar']

const EXPRESSION = 'An arithmetic expression, such as (1,250 - 12.5) * 25% or sqrt(2) ^ 3'
const QUERY =
  'one date in English: "45 days after March 3, 2024", "the third Monday of May 2026"; ' +
  'or a number of days: "days from March 3, 2024 to May 1, 2024"'
const TODAY = 'the day that counts as today, as YYYY-MM-DD; null for the actual day'
const REFERENCE = String.raw`^\$([1-9]\d*)\.([A-Za-z_]\w*)$`
const DATE = z.toJSONSchema(z.iso.date()).pattern ?? ''

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** The plan in a dialect: how it names a tool, limits a list and describes what it drops. */
const planSchema = (dialect: {
  readonly tool: (name: string) => JsonObject
  readonly list: (items: Json) => JsonObject
  readonly text: (description: string, most: number) => JsonObject
  readonly pattern: (pattern: string) => JsonObject
}): JsonObject => {
  const { tool, list, text, pattern } = dialect
  return object({
    actions: {
      anyOf: [
        list({
          anyOf: [
            object({
              tool: tool('calculator'),
              args: object({ expr: text(EXPRESSION, 2000) }),
            }),
            object({
              tool: tool('calendar'),
              args: object({
                query: text(QUERY, 500),
                today: {
                  description: TODAY,
                  anyOf: [pattern(DATE), { type: 'null' }, pattern(REFERENCE)],
                },
              }),
            }),
          ],
        }),
        { type: 'null' },
      ],
    },
    cannot: { type: ['string', 'null'] },
  })
}

test('the whole plan request to Anthropic', async () => {
  const { body } = await planRequest('anthropic/claude-haiku-4-5')
  const { system, messages } = body
  assert.deepEqual(body, {
    model: 'claude-haiku-4-5',
    max_tokens: 500,
    temperature: 0.1,
    system,
    messages,
    output_config: {
      format: {
        type: 'json_schema',
        // Constraints that its grammars lack are described in words.
        schema: planSchema({
          tool: (name) => ({ const: name, type: 'string' }),
          list: (items) => ({
            type: 'array',
            items,
            description: 'min items: 1; max items: 3.',
          }),
          text: (description, most) => ({
            type: 'string',
            description: `${description}\nmin length: 1; max length: ${most}.`,
          }),
          pattern: (pattern) => ({ type: 'string', description: `pattern: ${pattern}.` }),
        }),
      },
    },
  })
  assert.match(JSON.stringify(system), /^\[\{"type":"text","text":"Plan how to answer/)
  assert.match(JSON.stringify(messages), /^\[\{"role":"user",.*What is 15 \* 23\?/)
})

test('the whole plan request to Google', async () => {
  const { body } = await planRequest('google/gemini-2.5-flash')
  const { systemInstruction, contents } = body
  assert.deepEqual(body, {
    systemInstruction,
    contents,
    generationConfig: {
      maxOutputTokens: 500,
      temperature: 0.1,
      seed: 7,
      thinkingConfig: { thinkingBudget: 0 },
      responseMimeType: 'application/json',
      responseJsonSchema: planSchema({
        tool: (name) => ({ enum: [name], type: 'string' }),
        list: (items) => ({ type: 'array', items, minItems: 1, maxItems: 3 }),
        text: (description, most) => ({
          type: 'string',
          description,
          minLength: 1,
          maxLength: most,
        }),
        pattern: (pattern) => ({ type: 'string', pattern }),
      }),
    },
  })
  assert.match(JSON.stringify(systemInstruction), /^\{"parts":\[\{"text":"Plan how to answer/)
  assert.match(JSON.stringify(contents), /^\[\{"role":"user",.*What is 15 \* 23\?/)
})

test("a server without schema support gets the plan's schema in the instructions", async () => {
  const { body } = await planRequest('deepseek/deepseek-chat')
  assert.deepEqual(Object.keys(body).toSorted(), [
    'max_tokens',
    'messages',
    'model',
    'response_format',
    'temperature',
    'thinking',
  ])
  assert.deepEqual(body['response_format'], { type: 'json_object' })
  assert.match(JSON.stringify(body['messages']), /Plan how to answer.*fits this JSON Schema/)
})

test("the standard tools stay below Anthropic's maximum of unions", async () => {
  await using server = await startModelServer([{ type: 'reply', text: ['{"cannot":"no"}'] }])
  const decider = await createDecider({
    ladder: ['anthropic/claude-haiku-4-5'],
    settings: { budget: { max_llm_calls_big: 1 } },
    providers: { anthropic: { baseUrl: server.baseUrl, apiKey: 'test-key' } },
  })
  await decider.runCase('What is 15 * 23?')
  const { output_config, tools } = server.requests[0]?.body ?? {}
  assert.equal(tools, undefined)
  const unions = JSON.stringify(output_config).match(/"anyOf"|"type":\[/g) ?? []
  assert.equal(unions.length, 10)
})
