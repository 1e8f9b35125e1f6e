// The four integration tests of the design, line by line, and its two examples.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AgentRouter,
  AnthropicProvider,
  MockSink,
  OpenAIProvider,
  type TelemetryEvent,
} from '@echelon/support'
import { type LocalModelServer, type ServerAnswer, startModelServer } from 'echelon/testing'

const router = new AgentRouter()

test('[S-18] test 1: one turn with all required data', async () => {
  const response = await router.resolve({ text: "Where's order O-12345?" }, 'test-1')
  assert.ok(response.text.toLowerCase().includes('shipped'))
  assert.equal(response.needsUserInput, false)
})

test('[S-18] test 2: several turns, in which a parameter is asked for', async () => {
  const response1 = await router.resolve({ text: 'Check my order' }, 'test-2')
  assert.equal(response1.needsUserInput, true)
  assert.ok(response1.text.toLowerCase().includes('order id'))

  const response2 = await router.resolve({ text: 'O-12345' }, 'test-2')
  assert.ok(response2.text.toLowerCase().includes('shipped'))
})

test('[S-18] [S-15] test 3: the stages of telemetry', async () => {
  const events: TelemetryEvent[] = []
  const watched = new AgentRouter({ telemetry: new MockSink(events) })
  await watched.resolve({ text: "Where's O-12345?" }, 'test-3')

  const stages = events.map(({ stage }) => stage)
  assert.deepEqual(stages, [
    'received',
    'history_loaded',
    'intents_eligible',
    'intent_classified',
    'plan_created',
    'plan_type',
    'policy_check',
    'tool_execute',
    'response_generated',
    'memory_updated',
  ])
})

test('[S-15] each stage holds the payload of both lists of the design', async () => {
  const events: TelemetryEvent[] = []
  const watched = new AgentRouter({ telemetry: new MockSink(events) })
  const text = "Where's O-12345?"
  const { text: answer } = await watched.resolve({ id: 'i-1', text }, 'test-3')

  for (const { timestamp, session_id, interaction_id, level } of events) {
    assert.equal(new Date(timestamp).toISOString().length, 24)
    assert.deepEqual([session_id, interaction_id, level], ['test-3', 'i-1', 'info'])
  }
  const about = { intent_id: 'order_status', step_index: 0, step_type: 'respond' }
  const masks = { params_redacted: false, redacted_params: [] }
  const params = { order_id: 'O-12345' }
  const documented: Partial<Record<TelemetryEvent['stage'], object>> = {
    history_loaded: { count: 0 },
    intent_classified: { intent_id: 'order_status', missing_params: [], params, ...masks },
    plan_created: { ...about, status: 'pending', steps: ['respond', 'tool_call', 'respond'] },
    plan_type: { type: 'tool_call' },
    policy_check: { ...about, status: 'pending', allowed: true, violations: [] },
    tool_execute: {
      ...about,
      ...masks,
      params,
      step_index: 1,
      step_type: 'tool_call',
      status: 'completed',
      tool_name: 'check_order_status',
      success: true,
      error_code: null,
      plan_communicated: true,
    },
    response_generated: { length: answer.length, needs_input: false },
    memory_updated: { count: 2 },
  }
  for (const { stage, payload } of events) {
    assert.partialDeepStrictEqual(payload, documented[stage] ?? {}, stage)
  }
  const payloadOf = (name: string) => events.find(({ stage }) => stage === name)?.payload ?? {}
  assert.ok(isList(payloadOf('intents_eligible')['intents']))
  assert.equal(typeof payloadOf('intent_classified')['confidence'], 'number')
  assert.equal(typeof payloadOf('tool_execute')['time_ms'], 'number')
  assert.deepEqual(Object.keys(payloadOf('response_generated')['durations_ms'] ?? {}), [
    'turn',
    'tools',
  ])
})

const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0

describe('[S-18] test 4: providers', () => {
  const answers = (): readonly ServerAnswer[] => [
    {
      type: 'reply',
      text: [
        JSON.stringify({
          intent_id: 'order_status',
          extracted_params: { order_id: 'O-12345', reason: null, address: null },
          missing_params: [],
          confidence: 0.97,
          act: 'wish',
          further_intents: [],
        }),
      ],
    },
    { type: 'reply', toolCalls: [{ tool: 'check_order_status', input: { order_id: 'O-12345' } }] },
    { type: 'reply', text: ['O-12345 has shipped via UPS and arrives on Oct 20.'] },
  ]

  /** Runs a turn with a provider; returns the result, and the number of server calls. */
  async function turn(provider: (server: LocalModelServer) => OpenAIProvider | AnthropicProvider) {
    await using server = await startModelServer(answers())
    const sink = new MockSink()
    const asked = new AgentRouter({ llmProvider: provider(server), telemetry: sink })
    const {
      runId: _,
      execution,
      ...response
    } = await asked.resolve({ text: "Where's order O-12345?" }, 'test-4')
    server.assertComplete()
    return {
      text: response.text,
      needsUserInput: response.needsUserInput,
      data: response.toolResult?.data,
      steps: execution?.steps.map(({ step, status }) => ({ step, status })),
      stages: sink.events.map(({ stage }) => stage),
      asked: server.requests.length,
    }
  }

  test('[S-18] work identically', async () => {
    const router1 = await turn(
      ({ baseUrl }) => new OpenAIProvider({ model: 'gpt-4o-mini', apiKey: 'test-key', baseUrl }),
    )
    const router2 = await turn(
      ({ baseUrl }) => new AnthropicProvider({ apiKey: 'test-key', baseUrl }),
    )
    assert.equal(router1.text, 'O-12345 has shipped via UPS and arrives on Oct 20.')
    assert.equal(router1.asked, 3)
    assert.deepEqual(router2, router1)
  })
})

describe('the examples of the design', () => {
  test('[S-12] one turn, with the text before the call', async () => {
    const run = await router.start({ text: "Where's my order O-12345?" }, 'example-1')
    const said: string[] = []
    for await (const event of run) if (event.type === 'said') said.push(event.text)
    const { text, execution } = await run.response
    assert.deepEqual(said, ['I’ll check order O-12345.'])
    assert.equal(text, 'Your order O-12345 is shipped via UPS, ETA Oct 20')
    assert.deepEqual(
      execution?.steps.map(({ step }) => Object.keys(step).toSorted()),
      [
        ['message', 'when'],
        ['params', 'toolName'],
        ['message', 'when'],
      ],
    )
    const history = await router.history('example-1')
    assert.deepEqual(
      history.map(({ role, text: words }) => [role, words]),
      [
        ['user', "Where's my order O-12345?"],
        ['agent', 'Your order O-12345 is shipped via UPS, ETA Oct 20'],
      ],
    )
  })

  test('[S-13] two turns, of which the second uses the history', async () => {
    const asked = await router.resolve({ text: 'I want to check my order' }, 'example-2')
    assert.equal(asked.text, "What's your order ID?")
    assert.equal(asked.missingParam, 'order_id')
    assert.equal(asked.toolResult, null)
    const told = await router.resolve({ text: 'O-12345' }, 'example-2')
    assert.equal(told.text, 'Your order O-12345 is shipped via UPS, ETA Oct 20')
    // The same words after another question are another answer.
    await router.resolve({ text: 'I want a refund' }, 'example-3')
    const other = await router.resolve({ text: 'O-12345' }, 'example-3')
    assert.match(other.text, /^Shall I refund order O-12345\?/)
  })
})
