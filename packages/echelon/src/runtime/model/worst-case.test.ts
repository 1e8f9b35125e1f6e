import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4FilePart } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { z } from 'zod'
import { Ledger } from '../../core/agent/budget.ts'
import type { Generate } from '../../core/agent/effect.ts'
import type { BoundModel, Price } from '../../core/model/model.ts'
import { type Message, Thread, userMessage } from '../../core/message/thread.ts'
import { defineTool } from '../../core/tool/tool.ts'
import { asBound, scriptedModel } from '../../testing/scripted-model.ts'
import { OfferedTools } from '../tools/offered-tools.ts'
import { DEFAULT_MAX_TOKENS, type WorstCase, worstCase } from './worst-case.ts'

const perMillion =
  (input: number, output: number): Price =>
  (usage) =>
    (usage.input * input + usage.output * output) / 1e6
const bound = (price: Price): BoundModel => asBound(scriptedModel([]), 'openai/gpt-5', price)
const messages = Thread.of([userMessage('how much is 15 * 23? ✓')])
const generate: Generate = { type: 'generate', actor: 'planner', role: 'small', messages }
const UNKNOWN = { length: 0, tokens: 0 }
const PROMPT = {
  tools: OfferedTools.of([]),
  thread: messages,
  head: undefined,
  tail: undefined,
}

interface Given {
  readonly limits?: Record<string, number>
  readonly spent?: Record<string, number>
  readonly price?: Price
  readonly call?: Partial<Generate>
  readonly known?: { readonly length: number; readonly tokens: number }
}

function worst({
  limits = {},
  spent = {},
  price = perMillion(1, 2),
  call = {},
  known = UNKNOWN,
}: Given): WorstCase {
  const ledger = new Ledger(limits, spent)
  return worstCase(
    { ...generate, ...call },
    {
      ...PROMPT,
      thread: call.messages ?? messages,
      ledger,
      model: bound(price),
      known,
    },
  )
}

function held(given: Given): {
  readonly input: number
  readonly maxTokens: number
  readonly money: number | undefined
} {
  const most = worst(given)
  assert.ok(most.ok)
  const { hold, maxTokens } = most
  return { input: (hold['tokens'] ?? 0) - maxTokens, maxTokens, money: hold['money'] }
}

test('without a limit of tokens or money only the call itself is counted', () => {
  assert.deepEqual(worst({}), {
    ok: true,
    hold: { 'calls.small': 1 },
    maxTokens: DEFAULT_MAX_TOKENS,
  })
  assert.deepEqual(worst({ call: { maxTokens: 7, role: 'big' } }), {
    ok: true,
    hold: { 'calls.big': 1 },
    maxTokens: 7,
  })
})

test('the input is bounded by its bytes plus 8 per message, tools and schema included', () => {
  const limits = { tokens: 1e6 }
  const plain = held({ limits })
  assert.equal(plain.input, messages.bytes + 8 + '[]'.length + 'null'.length)
  assert.equal(
    held({ limits, call: { schema: { type: 'object' } } }).input,
    plain.input - 4 + '{"type":"object"}'.length,
  )
  const run = (): null => null
  const tool = defineTool({ name: 'size', description: '', input: z.object({}), run })
  const ledger = new Ledger(limits)
  const purse = { ...PROMPT, ledger, model: bound(() => 0), known: UNKNOWN }
  const most = worstCase(generate, { ...purse, tools: OfferedTools.of([tool]) })
  assert.ok(most.ok)
  const sent = JSON.stringify([['size', '', tool.jsonSchema]])
  assert.equal(
    (most.hold['tokens'] ?? 0) - most.maxTokens,
    plain.input - 2 + Buffer.byteLength(sent),
  )
})

test('a prefix of known usage counts at that usage, the tail at its bytes', () => {
  const longer = messages.add(userMessage('and 16 * 23?'))
  const known = { length: 1, tokens: 9 }
  const { input } = held({ limits: { tokens: 1e6 }, call: { messages: longer }, known })
  assert.equal(input, 9 + longer.bytesFrom(1) + 8 + 6)
})

describe('a file', () => {
  const url = { type: 'url', url: new URL('https://example.com/a.png') } as const
  const reference = { type: 'reference', reference: { openai: 'file-1' } } as const
  const file = (data: LanguageModelV4FilePart['data']): Message => ({
    role: 'user',
    content: [{ type: 'file', mediaType: 'image/png', data }],
  })
  const shown: Message = {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'look',
        output: { type: 'content', value: [{ type: 'file', mediaType: 'image/png', data: url }] },
      },
    ],
  }

  test('given by address has no bound and is refused under a limit of tokens or money', () => {
    for (const message of [file(url), file(reference), shown]) {
      const call = { messages: Thread.of([message]) }
      for (const limit of ['tokens', 'money']) {
        const refused = worst({ limits: { [limit]: 1e9 }, call })
        assert.ok(!refused.ok)
        assert.equal(refused.limit, limit)
        assert.match(refused.message, /give its data instead, or remove the limits/)
      }
      assert.ok(worst({ limits: { steps: 1 }, call }).ok)
      assert.ok(worst({ limits: { tokens: 1e6 }, call, known: { length: 1, tokens: 9 } }).ok)
    }
  })

  test('is refused too if a filter adds it', () => {
    const ledger = new Ledger({ tokens: 1e6 })
    const purse = { ...PROMPT, ledger, model: bound(() => 0), known: UNKNOWN }
    assert.equal(worstCase(generate, { ...purse, head: [file(url)] }).ok, false)
    assert.equal(worstCase(generate, { ...purse, tail: [file(url)] }).ok, false)
  })

  test('that is sent counts with its bytes', () => {
    const bytes = new Uint8Array(1000).fill(7)
    for (const data of [bytes, Buffer.from(bytes).toString('base64')]) {
      const call = { messages: Thread.of([file({ type: 'data', data })]) }
      assert.ok(held({ limits: { tokens: 1e6 }, call }).input > 1000)
    }
    const call = { messages: Thread.of([file({ type: 'text', text: 'x'.repeat(1000) })]) }
    assert.ok(held({ limits: { tokens: 1e6 }, call }).input > 1000)
  })
})

test('the answer is clamped to the remaining tokens', () => {
  const { input } = held({ limits: { tokens: 1e6 } })
  const left = (tokens: number): WorstCase =>
    worst({ limits: { tokens: 5000 }, spent: { tokens: 5000 - tokens } })
  const clamped = left(input + 20)
  assert.ok(clamped.ok)
  assert.equal(clamped.maxTokens, 20)
  assert.equal(clamped.hold['tokens'], input + 20)
  const refused = left(input + 15)
  assert.ok(!refused.ok)
  assert.equal(refused.limit, 'tokens')
})

test('an answer with a small requested maximum is not refused for being short', () => {
  const { input } = held({ limits: { tokens: 1e6 } })
  const call = { maxTokens: 4 }
  assert.equal(held({ limits: { tokens: input + 4 }, call }).maxTokens, 4)
  assert.equal(held({ limits: { money: 1 }, call }).maxTokens, 4)
  assert.equal(worst({ limits: { tokens: input + 3 }, call }).ok, false)
})

test('the answer is clamped to the remaining money', () => {
  const { input } = held({ limits: { money: 1 } })
  const price = perMillion(1, 2)
  const most = held({ limits: { money: (input + 2 * 100) / 1e6 }, price })
  assert.ok(most.maxTokens === 100 || most.maxTokens === 99, String(most.maxTokens))
  assert.equal(most.money, price({ input, output: most.maxTokens }))
  const refused = worst({ limits: { money: (input + 2 * 15) / 1e6 }, price })
  assert.ok(!refused.ok)
  assert.equal(refused.limit, 'money')
})

test('a free model needs no money', () => {
  assert.equal(held({ limits: { money: 0 }, price: () => 0 }).maxTokens, DEFAULT_MAX_TOKENS)
})

test('if only the prompt has a price, it alone decides', () => {
  const price = perMillion(1, 0)
  const { input } = held({ limits: { money: 1 }, price })
  assert.equal(held({ limits: { money: (input + 1) / 1e6 }, price }).maxTokens, DEFAULT_MAX_TOKENS)
  const refused = worst({ limits: { money: (input - 1) / 1e6 }, price })
  assert.ok(!refused.ok && refused.limit === 'money')
})

test('a money limit refuses a model of unknown price by name', () => {
  const refused = worst({ limits: { money: 1 }, price: () => null })
  assert.ok(!refused.ok)
  assert.equal(refused.limit, 'money')
  assert.equal(refused.cause, 'unknown-price')
  assert.equal(
    refused.message,
    'the price of openai/gpt-5 is unknown, so a limit of money refuses it; state it with providers.openai.input_usd_per_million and output_usd_per_million',
  )
  assert.ok(worst({ limits: { tokens: 1e6 }, price: () => null }).ok)
})

test("a price that rises with the prompt's length is applied", () => {
  const tiered: Price = ({ input, output }) => (input + (input > 50 ? 10 : 2) * output) / 1e6
  const limits = { money: 0.001 }
  const most = worst({ limits, price: tiered })
  assert.ok(most.ok)
  assert.ok((most.hold['money'] ?? 1) <= 0.001)
})

test('[R21.2] every allowed call fits the ledger, for any prices and spending', () => {
  const amount = fc.double({ min: 0, max: 0.01, noNaN: true })
  const rate = fc.double({ min: 0.01, max: 100, noNaN: true })
  const given = fc.record({
    limit: amount,
    spent: amount,
    input: rate,
    output: rate,
    maxTokens: fc.integer({ min: 1, max: 9000 }),
  })
  fc.assert(
    fc.property(given, ({ limit, spent, input, output, maxTokens }) => {
      const ledger = new Ledger({ money: limit, tokens: 20_000 }, { money: spent, tokens: 1000 })
      const model = bound(perMillion(input, output))
      const purse = { ...PROMPT, ledger, model, known: UNKNOWN }
      const most = worstCase({ ...generate, maxTokens }, purse)
      if (!most.ok) return
      assert.equal(ledger.impossible(most.hold), undefined)
      assert.ok(most.maxTokens >= Math.min(16, maxTokens) && most.maxTokens <= maxTokens)
    }),
    { numRuns: 5000 },
  )
})
