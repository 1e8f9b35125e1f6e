import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { createSupportAgent, type RouterOptions } from '@echelon/support'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { IntentsRegistry } from '../../packages/support/src/intents-registry.ts'
import { MockLLMProvider } from '../../packages/support/src/mock-llm-provider.ts'
import {
  PlainExecutor,
  PlainMemory,
  plainRouter,
  PlainPolicy,
  TEST_INTENTS,
  undone,
  YES,
} from './kit.ts'

const FULL = [
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
]

describe('a turn', () => {
  test('[S-12] [S-15] with all that is needed goes through ten stages in order', async () => {
    const { router, events } = plainRouter()
    const response = await router.resolve({ text: 'status O-12345' }, 's')
    assert.equal(response.text, 'Your order O-12345 is shipped')
    assert.equal(response.needsUserInput, false)
    assert.deepEqual(
      events.map(({ stage }) => stage),
      FULL,
    )
  })

  test('[S-13] asks for missing parameters, and continues with the answer', async () => {
    const { router, events } = plainRouter()
    const first = await router.resolve({ text: 'status' }, 's')
    assert.equal(first.text, "What's your order ID?")
    assert.equal(first.missingParam, 'order_id')
    const asked = events.splice(0).map(({ stage }) => stage)
    assert.deepEqual(
      asked,
      FULL.filter((stage) => !['policy_check', 'tool_execute'].includes(stage)),
    )
    const second = await router.resolve({ text: 'O-12345' }, 's')
    assert.equal(second.text, 'Your order O-12345 is shipped')
  })

  test('[S-15] that matches no intent has the shorter list of stages, and its own sentence', async () => {
    const { router, events } = plainRouter()
    const response = await router.resolve({ text: 'sing me a song' }, 's')
    assert.equal(response.text, "I'm not sure how to help with that. Could you rephrase?")
    const short = ['received', 'history_loaded', 'intents_eligible', 'intent_classified']
    assert.deepEqual(
      events.map(({ stage }) => stage),
      [...short, 'response_generated', 'memory_updated'],
    )
  })

  test('answers several requests of one message one after the other', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor })
    const response = await router.resolve({ text: 'status O-11111; status O-22222' }, 's')
    assert.equal(response.text, 'Your order O-11111 is shipped\n\nYour order O-22222 is shipped')
    assert.deepEqual(
      executor.calls.map(({ params }) => params['order_id']),
      ['O-11111', 'O-22222'],
    )
  })

  test('keeps the second request while it asks for the first', async () => {
    const { router } = plainRouter()
    const first = await router.resolve({ text: 'status; status O-22222' }, 's')
    assert.equal(first.text, "What's your order ID?")
    const second = await router.resolve({ text: 'O-11111' }, 's')
    assert.equal(second.text, 'Your order O-11111 is shipped\n\nYour order O-22222 is shipped')
  })

  test('accepts a correction of an answered request', async () => {
    const { router } = plainRouter()
    await router.resolve({ text: 'status O-11111' }, 's')
    const response = await router.resolve({ text: 'correct O-22222' }, 's')
    assert.equal(response.text, 'Your order O-22222 is shipped')
    const unnamed = await router.resolve({ text: 'correct' }, 's')
    assert.equal(unnamed.missingParam, 'order_id')
  })

  test('[S-14] hands over to a person after three unanswered questions', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor })
    await router.resolve({ text: 'status' }, 's')
    for (const text of ['what?', 'hm']) {
      const again = await router.resolve({ text }, 's')
      assert.equal(again.text, "Sorry, I didn't get that. What's your order ID?")
      assert.equal(again.execution?.steps[0]?.status, 'waiting_user')
    }
    const handed = await router.resolve({ text: 'huh' }, 's')
    assert.equal(handed.text, 'Ticket H-1')
    assert.deepEqual(executor.calls.at(-1)?.params, { reason: 'asked 3 times for order_id' })
    const later = await router.resolve({ text: 'status O-12345' }, 's')
    assert.match(later.text, /colleague has your conversation/)
    await router.handBack('s')
    const back = await router.resolve({ text: 'status O-12345' }, 's')
    assert.equal(back.text, 'Your order O-12345 is shipped')
  })
})

describe('a plan', () => {
  test('[S-14] that asks first is executed after a yes, and dropped after a no', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor })
    const asked = await router.resolve({ text: 'refund O-12345' }, 's')
    assert.equal(asked.text, 'Sure about O-12345?')
    assert.equal(asked.missingParam, 'confirmation')
    assert.equal(executor.calls.length, 0)
    const no = await router.resolve({ text: 'no' }, 's')
    assert.equal(no.text, "All right, I'll leave it.")
    assert.ok(no.execution?.steps.every(({ status }) => status === 'canceled'))
    await router.resolve({ text: 'refund O-12345' }, 's')
    const yes = await router.resolve({ text: 'yes' }, 's')
    assert.equal(yes.text, 'Refunded O-12345')
    assert.ok(yes.execution?.steps.every(({ status }) => status === 'completed'))
    assert.equal(executor.calls.length, 1)
    const inside = executor.calls[0]?.context.execution
    assert.equal(inside?.steps[inside.currentIndex]?.status, 'in_progress')
    assert.equal(inside?.steps.at(-1)?.status, 'pending')
  })

  test('continues with other requests made along with the yes', async () => {
    const { router } = plainRouter()
    await router.resolve({ text: 'refund O-11111' }, 's')
    const yes = await router.resolve({ text: 'yes; status O-22222' }, 's')
    assert.equal(yes.text, 'Refunded O-11111\n\nYour order O-22222 is shipped')
  })

  test('[S-14] is canceled when the customer changes the subject', async () => {
    const memory = new PlainMemory()
    const { router } = plainRouter({ memory })
    await router.resolve({ text: 'status' }, 's')
    await router.resolve({ text: 'refund O-12345' }, 's')
    const executions = (await memory.getHistory('s')).at(-1)?.metadata['executions']
    assert.match(JSON.stringify(executions), /"intentId":"order_status".*"status":"canceled"/)
  })

  test('[S-14] comes back after a question in the middle', async () => {
    const { router } = plainRouter()
    await router.resolve({ text: 'refund O-12345' }, 's')
    const { text, missingParam } = await router.resolve({ text: 'status O-22222' }, 's')
    assert.equal(text, 'Your order O-22222 is shipped\n\nSure about O-12345?')
    assert.equal(missingParam, 'confirmation')
    assert.equal((await router.resolve({ text: 'yes' }, 's')).text, 'Refunded O-12345')
  })

  test('[S-14] still waits after a restart', async () => {
    const memory = new PlainMemory()
    await plainRouter({ memory }).router.resolve({ id: 'm1', text: 'status' }, 's')
    const { router } = plainRouter({ memory })
    const response = await router.resolve({ id: 'm2', text: 'O-12345' }, 's')
    assert.equal(response.text, 'Your order O-12345 is shipped')
    assert.deepEqual(
      response.execution?.steps.map(({ status }) => status),
      ['completed', 'completed', 'completed', 'completed'],
    )
    assert.equal(response.execution?.currentIndex, 4)
  })

  test('does not refund another order on a yes to the first', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor })
    await router.resolve({ text: 'refund O-11111' }, 's')
    const other = await router.resolve({ text: 'O-22222' }, 's')
    assert.equal(other.text, 'Sure about O-22222?')
    await router.resolve({ text: 'yes' }, 's')
    assert.deepEqual(
      executor.calls.map(({ params }) => params['order_id']),
      ['O-22222'],
    )
  })
})

describe('the rules', () => {
  const DENIED = { allowed: false, violations: ['it is too late'], requiresEscalation: false }
  const ESCALATED = { allowed: false, violations: ['it is a lot'], requiresEscalation: true }

  test('[S-11] [S-17] that refuse are reported, and nothing is said or done before', async () => {
    const executor = new PlainExecutor()
    const { router, events } = plainRouter({ executor, policy: new PlainPolicy(() => DENIED) })
    const run = await router.start({ text: 'status O-12345' }, 's')
    const said: string[] = []
    for await (const event of run) if (event.type === 'said') said.push(event.text)
    const response = await run.response
    assert.equal(response.text, "I can't process that request: it is too late")
    assert.deepEqual([said, executor.calls], [[], []])
    assert.equal(events.filter(({ stage }) => stage === 'policy_check').length, 1)
    assert.equal(response.execution?.steps[0]?.status, 'failed')
  })

  test('[S-11] are asked again for the exact call, in one policy event', async () => {
    const executor = new PlainExecutor()
    const policy = new PlainPolicy((asked) => (asked === 1 ? YES : DENIED))
    const { router, events } = plainRouter({ executor, policy })
    const response = await router.resolve({ text: 'status O-12345' }, 's')
    assert.equal(response.text, "I can't process that request: it is too late")
    assert.equal(policy.asked, 2)
    assert.equal(executor.calls.length, 0)
    assert.equal(events.filter(({ stage }) => stage === 'policy_check').length, 1)
  })

  test('[S-14] may require a person: the plan is blocked, and continues when one approves it', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor, policy: new PlainPolicy(() => ESCALATED) })
    const response = await router.resolve({ text: 'status O-12345' }, 's')
    assert.match(response.text, /colleague has to approve/)
    assert.ok(response.execution?.steps.some(({ status }) => status === 'blocked'))
    assert.equal(executor.calls.length, 0)
    const allowed = await router.review('s', { approved: true, by: 'ada' })
    assert.equal(allowed.text, 'Your order O-12345 is shipped')
    assert.equal(executor.calls.length, 1)
    assert.match((await router.review('s', { approved: true, by: 'ada' })).text, /Nothing waits/)
  })

  test('rejected by a person cancels the plan', async () => {
    const { router } = plainRouter({ policy: new PlainPolicy(() => ESCALATED) })
    await router.resolve({ text: 'status O-12345' }, 's')
    const response = await router.review('s', {
      approved: false,
      by: 'ada',
      reason: 'not this time',
    })
    assert.equal(response.text, "I can't process that request: not this time")
    assert.ok(response.execution?.steps.every(({ status }) => status === 'canceled'))
  })

  test('that throw or return nonsense allow nothing', async () => {
    for (const broken of [{ validate: () => assert.fail('broken') }, { validate: () => YES_BUT }]) {
      const executor = new PlainExecutor()
      const { router } = plainRouter({ executor, policy: broken })
      const response = await router.resolve({ text: 'status O-12345' }, 's')
      assert.match(response.text, /the rules cannot be checked|colleague has to approve/)
      assert.equal(executor.calls.length, 0)
    }
  })
})

/** Allowed, but requiring a person: not a yes. */
const YES_BUT = { allowed: true, violations: [], requiresEscalation: true }

describe('a tool', () => {
  test('[S-17] that finds no order is reported in its own sentence', async () => {
    const executor = new PlainExecutor({
      check_order_status: undone('Order O-99999 not found', 'not_found'),
    })
    const { router, events } = plainRouter({ executor })
    const response = await router.resolve({ text: 'status O-99999' }, 's')
    assert.equal(response.text, "Sorry, I couldn't find order O-99999")
    assert.equal(response.toolResult?.error, 'Order O-99999 not found')
    assert.equal(response.execution?.steps[1]?.status, 'failed')
    const told = events.find(({ stage }) => stage === 'tool_execute')
    assert.equal(told?.payload['error_code'], 'not_found')
  })

  test('[S-6] has a key of plan, intent and parameters: a later plan runs again', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor })
    await router.resolve({ id: 'm1', text: 'status O-12345' }, 's')
    await router.resolve({ id: 'm2', text: 'status O-12345' }, 's')
    const keys = executor.calls.map(({ context }) => context.idempotencyKey)
    assert.equal(keys.length, 2)
    assert.equal(new Set(keys).size, 2)
  })

  test('[S-19] that fails temporarily is retried', async () => {
    const executor = new PlainExecutor({ check_order_status: undone('no answer', 'transient') })
    const clock = new SetClock(0)
    const { router } = plainRouter({ executor, clock })
    const run = await router.start({ text: 'status O-12345' }, 's')
    while (executor.calls.length < 3) {
      await new Promise(setImmediate)
      await clock.advance(500)
    }
    assert.equal(
      (await run.response).text,
      'Something went wrong on our side. Please try again in a moment.',
    )
    assert.equal(executor.calls.length, 3)
  })
})

describe('a session', () => {
  test('[S-19] of one customer is closed to other customers and to unknown ones', async () => {
    const memory = new PlainMemory()
    const { router } = plainRouter({ memory })
    await router.resolve({ text: 'status', customerId: 'C-001' }, 's')
    for (const customerId of ['C-002', null]) {
      await assert.rejects(router.resolve({ text: 'O-12345', customerId }, 's'), {
        code: 'INVALID_INPUT',
        message: /was begun for another customer/,
      })
    }
    assert.equal((await memory.getHistory('s')).length, 2)
    const own = await router.resolve({ text: 'O-12345', customerId: 'C-001' }, 's')
    assert.equal(own.text, 'Your order O-12345 is shipped')
  })

  test('that began without a customer belongs to the first one named', async () => {
    const { router } = plainRouter()
    await router.resolve({ text: 'status' }, 's')
    const known = await router.resolve({ text: 'O-12345', customerId: 'C-001' }, 's')
    assert.equal(known.text, 'Your order O-12345 is shipped')
  })
})

describe('two messages of one session', () => {
  test('wait for each other', async () => {
    const { router } = plainRouter()
    const [first, second] = await Promise.all([
      router.resolve({ text: 'status' }, 's'),
      router.resolve({ text: 'O-12345' }, 's'),
    ])
    assert.equal(first.missingParam, 'order_id')
    assert.equal(second.text, 'Your order O-12345 is shipped')
  })

  test('[S-6] with one id are one message: the answer is repeated, the work is not', async () => {
    const executor = new PlainExecutor()
    const memory = new PlainMemory()
    const { router, events } = plainRouter({ executor, memory })
    await router.resolve({ id: 'm1', text: 'refund O-12345' }, 's')
    const first = await router.resolve({ id: 'm2', text: 'yes' }, 's')
    await router.resolve({ id: 'm3', text: 'status O-12345' }, 's')
    events.splice(0)
    const again = await router.resolve({ id: 'm2', text: 'yes' }, 's')
    const { runId: _run, ...answer } = again
    const { runId: _first, ...expected } = first
    assert.deepEqual(answer, expected)
    assert.equal(executor.calls.length, 2)
    assert.equal(memory.sessions.get('s')?.length, 6)
    assert.deepEqual(
      events.map(({ stage }) => stage),
      ['received', 'history_loaded', 'response_generated'],
    )
  })

  test('in two processes are not both processed', async () => {
    const memory = new PlainMemory()
    const late = new PlainMemory()
    late.getHistory = async (id) => {
      const before = await memory.getHistory(id)
      if (before.length === 0) await memory.append(id, OTHER)
      return before
    }
    const { router } = plainRouter({ memory: late })
    await assert.rejects(router.resolve({ text: 'status O-12345' }, 's'), { code: 'SESSION_BUSY' })
  })
})

const READ = JSON.stringify({
  intent_id: 'order_status',
  extracted_params: { order_id: 'O-12345' },
  missing_params: [],
  confidence: 0.9,
  act: 'wish',
  further_intents: [],
})

const OTHER = { role: 'user', text: 'hi', timestamp: '', metadata: { id: 'other' } } as const

describe('parameters', () => {
  test('[S-15] are masked as the intents file says', async () => {
    const registry = new IntentsRegistry({
      intents: TEST_INTENTS,
      tiers: [],
      redactedParams: ['order_id'],
    })
    const { router, events } = plainRouter({ intents: registry })
    await router.resolve({ text: 'status O-12345' }, 's')
    assert.doesNotMatch(JSON.stringify(events), /O-12345/)
    const told = events.find(({ stage }) => stage === 'tool_execute')?.payload
    assert.deepEqual(told?.['params'], { order_id: '***' })
    assert.deepEqual(told?.['redacted_params'], ['order_id'])
    assert.equal(told?.['params_redacted'], true)
  })

  test('[S-15] are masked in all telemetry, such as reasons, violations and errors', async () => {
    const intents = new IntentsRegistry({
      intents: TEST_INTENTS,
      tiers: [],
      redactedParams: ['order_id'],
    })
    const violations = ['O-12345 is too old (o-12345)']
    const refused = { allowed: false, violations, requiresEscalation: false }
    const llmProvider = new MockLLMProvider([
      READ,
      { content: 'no JSON about O-12345' },
      new Error('the server knows no O-12345'),
    ])
    const policy = new PlainPolicy(() => refused)
    const { router, events } = plainRouter({ intents, llmProvider, policy })
    await router.resolve({ text: 'status O-12345' }, 's')
    await router.resolve({ text: 'O-12345, hm' }, 's')
    assert.doesNotMatch(JSON.stringify(events), /O-12345/i)
    assert.match(JSON.stringify(events), /\*\*\* is too old \(\*\*\*\)/)
    assert.match(JSON.stringify(events), /the server knows no \*\*\*/)
  })
})

describe('a router', () => {
  test('refuses an unknown option, naming the nearest valid one', () => {
    const misspelt: RouterOptions = JSON.parse('{ "polcy": "rules.yaml" }')
    assert.throws(() => plainRouter(misspelt), {
      code: 'INVALID_CONFIG',
      message: /no option polcy; did you mean policy/,
    })
    assert.throws(() => plainRouter({ maxAsks: 0 }), { code: 'INVALID_CONFIG' })
  })

  test('offers no intent whose tool is missing; a support agent reports it at once', async () => {
    const executor = { describe: () => [], execute: async () => undone('') }
    const { router, events } = plainRouter({ executor })
    await router.resolve({ text: 'status' }, 's')
    const offered = events.find(({ stage }) => stage === 'intents_eligible')
    assert.deepEqual(offered?.payload['intents'], [])
    await assert.rejects(createSupportAgent({ executor }), {
      code: 'INVALID_CONFIG',
      message: /order_status calls the tool check_order_status, which the executor does not have/,
    })
  })
})
