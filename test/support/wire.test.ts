import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isToolCall } from '../../packages/support/src/plan.ts'
import {
  AgentRouter,
  IntentsRegistry,
  loadIntents,
  MockSink,
  OpenAIProvider,
  type PlanStep,
  type RouterOptions,
} from '@echelon/support'
import { type ServerAnswer, startModelServer } from 'echelon/testing'

const reading = (params: Record<string, string>, more: object = {}): ServerAnswer => ({
  type: 'reply',
  text: [
    JSON.stringify({
      intent_id: 'order_status',
      extracted_params: params,
      missing_params: [],
      confidence: 0.95,
      ...more,
    }),
  ],
})

const says = (text: string): ServerAnswer => ({ type: 'reply', text: [text] })

const calls = (input: { readonly order_id: string }): ServerAnswer => ({
  type: 'reply',
  toolCalls: [{ tool: 'check_order_status', input }],
})

/** Sends these messages to a router whose model gives these answers; returns the requests on the wire. */
async function talk(
  answers: readonly ServerAnswer[],
  texts: readonly string[],
  options: Omit<RouterOptions, 'llmProvider'> = {},
) {
  await using server = await startModelServer(answers)
  const llmProvider = new OpenAIProvider({
    model: 'gpt-4o-mini',
    apiKey: 'test-key',
    baseUrl: server.baseUrl,
  })
  const sink = new MockSink()
  const router = new AgentRouter({ llmProvider, telemetry: sink, ...options })
  const responses = []
  for (const text of texts) responses.push(await router.resolve({ text }, 's'))
  return { responses, bodies: server.requests.map(({ body }) => body), events: sink.events }
}

describe('a router with a model', () => {
  test('[S-9] [S-13] classifies by a format and asks by messages; a plan of one tool needs no model', async () => {
    const { responses, bodies } = await talk(
      [
        reading({}),
        says("Happy to look! What's your order ID?"),
        reading({ order_id: 'O-12345' }),
        says('Order O-12345 has shipped with UPS and should arrive on October 20.'),
      ],
      ['I want to check my order', 'O-12345'],
    )
    assert.equal(responses[0]?.text, "Happy to look! What's your order ID?")
    assert.match(responses[1]?.text ?? '', /should arrive on October 20/)
    const shapes = bodies.map((body) =>
      ['response_format', 'tools'].filter((field) => body[field] !== undefined).join(),
    )
    assert.deepEqual(shapes, ['response_format', '', 'response_format', ''])
    // The second reading gets the history.
    assert.match(JSON.stringify(bodies[2]?.['messages']), /I want to check my order.*order ID/)
  })

  test('[S-9] [S-10] plans by tools where an intent has several', async () => {
    const { config } = await loadIntents()
    const several = config.intents.map((intent) =>
      intent.id === 'order_status' ? { ...intent, tools: ['list_orders'] } : intent,
    )
    const { responses, bodies } = await talk(
      [
        reading({ order_id: 'O-12345' }),
        calls({ order_id: 'O-12345' }),
        says('Order O-12345 has shipped with UPS.'),
      ],
      ['Where is O-12345?'],
      { intents: new IntentsRegistry({ ...config, intents: several }) },
    )
    assert.equal(responses[0]?.text, 'Order O-12345 has shipped with UPS.')
    const offered = JSON.stringify(bodies[1]?.['tools'])
    assert.match(offered, /"check_order_status".*"list_orders"/)
    assert.doesNotMatch(offered, /issue_refund/)
  })

  test('[S-9] repeats the request once if the answer is not JSON, then uses the embedded reader', async () => {
    const { responses, bodies } = await talk(
      [says('Sure!'), says('It is order_status.'), says('Order O-12345 has shipped with UPS.')],
      ['Where is O-12345?'],
    )
    assert.equal(responses[0]?.text, 'Order O-12345 has shipped with UPS.')
    assert.match(JSON.stringify(bodies[1]?.['messages']), /could not be used: .*no JSON object/)
    assert.equal(bodies.length, 3)
  })

  test('[S-5] uses no parameter that the user did not say', async () => {
    const { responses } = await talk(
      [reading({ order_id: 'O-54321' }), says("What's your order ID?")],
      ['I want to check my order'],
    )
    assert.equal(responses[0]?.missingParam, 'order_id')
  })

  test('[S-5] refuses calls of the planning model with parameters that the user did not say', async () => {
    const { responses } = await talk(
      [reading({ order_id: 'O-12345' }), calls({ order_id: 'O-12399' }), says('It has shipped.')],
      ['Where is O-12345?'],
    )
    const { params } = findCall(responses[0]?.execution?.steps.map(({ step }) => step) ?? [])
    assert.deepEqual(params, { order_id: 'O-12345' })
  })

  test('[S-19] states no figure that the result does not hold', async () => {
    const { responses } = await talk(
      [
        reading({ order_id: 'O-12345' }),
        calls({ order_id: 'O-12345' }),
        says('It arrives on October 21, and I have credited you $15.'),
      ],
      ['Where is O-12345?'],
    )
    assert.equal(responses[0]?.text, 'Your order O-12345 is shipped via UPS, ETA Oct 20')
  })

  test('[S-19] does not make a customer’s claim true by repeating it', async () => {
    const { responses } = await talk(
      [
        reading({ order_id: 'O-12345' }),
        calls({ order_id: 'O-12345' }),
        says('Order O-12345 is shipped, and your credit of $500 is on its way.'),
      ],
      ['You owe me a credit of $500. Where is O-12345?'],
    )
    assert.equal(responses[0]?.text, 'Your order O-12345 is shipped via UPS, ETA Oct 20')
  })

  test('[S-19] words by template if the model fails after the tool', async () => {
    const { responses } = await talk(
      [reading({ order_id: 'O-12345' }), calls({ order_id: 'O-12345' }), BROKEN],
      ['Where is O-12345?'],
    )
    assert.equal(responses[0]?.text, 'Your order O-12345 is shipped via UPS, ETA Oct 20')
  })

  test('[S-17] that fails is reported in its own sentence, and telemetry has the error', async () => {
    const { responses, events } = await talk([BROKEN], ['Blorp?'])
    assert.equal(responses[0]?.text, 'Something went wrong. Please try again.')
    const told = events.find(({ level }) => level === 'error')
    assert.equal(told?.stage, 'response_generated')
    assert.match(JSON.stringify(told?.payload['error']), /^"classification: /)
  })

  test('[S-9] reads with the embedded classifier first if it is on', async () => {
    const { responses, bodies } = await talk([], ["Where's my order O-12345?"], {
      understanding: { embedded: true },
      wording: { natural: false },
    })
    assert.equal(responses[0]?.text, 'Your order O-12345 is shipped via UPS, ETA Oct 20')
    assert.deepEqual(bodies, [])
  })

  test('[S-9] asks the model about messages that the embedded classifier is not sure of', async () => {
    const { responses, events } = await talk([reading({})], ['I want my dough'], {
      understanding: { embedded: true },
      wording: { natural: false },
    })
    assert.equal(responses[0]?.text, "What's your order ID?")
    const read = events.find(({ stage }) => stage === 'intent_classified')
    assert.equal(read?.payload['rung'], 'small')
  })
})

/** An error in the request, which a retry cannot fix. */
const BROKEN: ServerAnswer = { type: 'status', status: 400 }

const findCall = (steps: readonly PlanStep[]): { readonly params?: unknown } =>
  steps.find(isToolCall) ?? {}
