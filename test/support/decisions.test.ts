import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { IntentConstraints } from '../../packages/support/src/intent.ts'
import { IntentsRegistry } from '../../packages/support/src/intents-registry.ts'
import {
  type MockAnswerOrMaker,
  MockLLMProvider,
} from '../../packages/support/src/mock-llm-provider.ts'
import { MOST_MESSAGES } from '../../packages/support/src/wording/quoted.ts'
import { done, PlainExecutor, PlainMemory, plainRouter, PlainPolicy, TEST_INTENTS } from './kit.ts'

const ESCALATED = { allowed: false, violations: ['too much'], requiresEscalation: true }
const APPROVED = { approved: true, by: 'ada' }

/** Every action needs a person's approval. */
const escalating = () => new PlainPolicy(() => ESCALATED)

describe("a person's decision", () => {
  test("does not replace the customer's question: their answer is understood afterwards", async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor, policy: escalating() })
    await router.resolve({ text: 'status O-11111' }, 's')
    await router.resolve({ text: 'refund' }, 's')
    assert.equal((await router.review('s', APPROVED)).text, 'Your order O-11111 is shipped')
    const { text, missingParam } = await router.resolve({ text: 'O-22222' }, 's')
    assert.deepEqual(
      [text, missingParam],
      ['Sure about O-22222? A colleague has to approve it first.', 'confirmation'],
    )
  })

  test('is still awaited after another person took over and gave back the conversation', async () => {
    const executor = new PlainExecutor()
    const policy = new PlainPolicy((asked) =>
      asked === 2 || asked === 3
        ? { ...ESCALATED, allowed: true, requiresEscalation: false }
        : ESCALATED,
    )
    const { router } = plainRouter({ executor, policy })
    await router.resolve({ text: 'status O-11111' }, 's')
    await router.resolve({ text: 'person' }, 's')
    await router.handBack('s')
    assert.equal((await router.review('s', APPROVED)).text, 'Your order O-11111 is shipped')
    assert.deepEqual(
      executor.calls.map(({ tool }) => tool),
      ['hand_over', 'check_order_status'],
    )
  })

  test('applies to one plan after the other, and each is executed once', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor, policy: escalating() })
    await router.resolve({ text: 'status O-11111; status O-22222' }, 's')
    const twice = await Promise.all([router.review('s', APPROVED), router.review('s', APPROVED)])
    assert.deepEqual(
      twice.map(({ text }) => text),
      Array(2).fill('Your order O-11111 is shipped'),
    )
    assert.equal((await router.review('s', APPROVED)).text, 'Your order O-22222 is shipped')
    assert.equal(executor.calls.length, 2)
  })

  test('can be made for a message with an id of maximum length', async () => {
    const { router } = plainRouter({ policy: escalating() })
    await router.resolve({ id: 'i'.repeat(200), text: 'status O-11111' }, 's')
    assert.equal((await router.review('s', APPROVED)).text, 'Your order O-11111 is shipped')
  })

  test('allows only the call that the person saw, and no other that a model makes of it', async () => {
    const executor = new PlainExecutor()
    const { router } = openEnded(executor, [refundOf('O-11111'), refundOf('O-22222')], escalating())
    await router.resolve({ text: 'refund O-11111; status O-22222' }, 's')
    const { text } = await router.review('s', APPROVED)
    assert.match(text, /colleague has to approve/)
    assert.deepEqual(
      executor.calls.map(({ params }) => params['order_id']),
      ['O-11111'],
    )
  })
})

describe('an intent of several tools', () => {
  test('has each call of its own tool confirmed, and no other', async () => {
    const executor = new PlainExecutor()
    const look = {
      toolCalls: [{ toolName: 'check_order_status', params: { order_id: 'O-11111' } }],
    }
    const { router } = openEnded(
      executor,
      [look, refundOf('O-11111'), refundOf('O-22222')],
      new PlainPolicy(),
      true,
    )
    const asked = await router.resolve({ text: 'refund O-11111 and O-22222' }, 's')
    assert.equal(asked.text, 'Sure about O-11111?')
    assert.deepEqual(
      executor.calls.map(({ tool }) => tool),
      ['check_order_status'],
    )
    assert.equal((await router.resolve({ text: 'yes' }, 's')).text, 'Sure about O-22222?')
    assert.deepEqual(
      executor.calls.map(({ params }) => params['order_id']),
      ['O-11111', 'O-11111'],
    )
  })
})

describe('a model that plans by itself', () => {
  test('[S-5] makes no call with invented values: the customer is asked for them', async () => {
    const executor = new PlainExecutor()
    const { router } = openEnded(
      executor,
      [refundOf('O-99999'), refundOf('O-11111'), 'Done with O-11111.'],
      new PlainPolicy(),
    )
    const asked = await router.resolve({ text: 'refund' }, 's')
    assert.deepEqual([asked.text, asked.missingParam], ["What's your order ID?", 'order_id'])
    assert.equal((await router.resolve({ text: 'O-11111' }, 's')).text, 'Done with O-11111.')
    assert.deepEqual(
      executor.calls.map(({ params }) => params),
      [{ order_id: 'O-11111' }],
    )
  })
})

describe('a tool result for a planning model', () => {
  test('is bounded, and says that something was left out', async () => {
    const notes = 'a note on the order. '.repeat(200_000)
    const executor = new PlainExecutor({ check_order_status: done({ status: 'shipped', notes }) })
    const look = {
      toolCalls: [{ toolName: 'check_order_status', params: { order_id: 'O-11111' } }],
    }
    let sent = ''
    const answer: MockAnswerOrMaker = (messages) => {
      sent = JSON.stringify(messages)
      return 'It was shipped.'
    }
    const { router } = openEnded(executor, [look, answer], new PlainPolicy())
    await router.resolve({ text: 'refund O-11111' }, 's')
    assert.match(sent, /shipped.*characters are left out here; ask the tool for less/)
    assert.ok(sent.length < 40_000, `${sent.length} characters`)
  })
})

describe('a yes', () => {
  test('does not grant what the customer may no longer have', async () => {
    const executor = new PlainExecutor()
    const { router } = plainRouter({ executor, intents: only({ channels: ['chat'] }) })
    await router.resolve({ text: 'refund O-11111' }, 's')
    await router.resolve({ text: 'yes', context: { channel: 'email' } }, 's')
    assert.equal(executor.calls.length, 0)
  })
})

describe('a canceled turn', () => {
  test('after the tool has acted, says what was done', async () => {
    const executor = new PlainExecutor()
    const over = new AbortController()
    const llmProvider = new MockLLMProvider([
      refundOf('O-11111'),
      () => {
        over.abort()
        return 'too late'
      },
    ])
    const intents = new IntentsRegistry({
      intents: TEST_INTENTS.map((intent) => ({ ...intent, confirm: false })),
      tiers: [],
      redactedParams: [],
    })
    const { router } = plainRouter({
      executor,
      llmProvider,
      intents,
      understanding: { embedded: true },
    })
    const { signal } = over
    const { text } = await router.resolve({ text: 'refund O-11111' }, 's', { signal })
    assert.equal(text, 'Refunded O-11111')
  })
})

describe('a long conversation', () => {
  test('is continued from its last messages, and the same message is still answered once', async () => {
    const executor = new PlainExecutor()
    const memory = new PlainMemory()
    const { router, events } = plainRouter({ executor, memory })
    const first = { id: 'first', text: 'status O-11111' }
    await router.resolve(first, 's')
    const said = { role: 'user', text: 'hm', timestamp: '', metadata: {} } as const
    for (let n = 0; n < 2 * MOST_MESSAGES; n++) await memory.append('s', said)
    const { length } = await memory.getHistory('s')
    events.length = 0
    const run = await router.start({ text: 'status O-22222' }, 's')
    const read = []
    for await (const event of run) if (event.type === 'step-end') read.push(event.seen)
    assert.equal((await run.response).text, 'Your order O-22222 is shipped')
    assert.deepEqual(events[1]?.payload, { count: length })
    assert.equal(JSON.stringify(read).split('"hm"').length - 1, MOST_MESSAGES)
    assert.equal((await router.resolve(first, 's')).text, 'Your order O-11111 is shipped')
    assert.equal(executor.calls.length, 2)
  })
})

describe('a message stored by a process before it died', () => {
  test('is not read as if it had been said twice', async () => {
    const memory = new PlainMemory()
    const text = 'status O-11111'
    const metadata = { id: 'one:user', customerId: null, context: {} }
    await memory.append('s', { role: 'user', text, timestamp: '', metadata })
    const llmProvider = new MockLLMProvider([refundOf('O-11111', 'check_order_status'), 'Shipped.'])
    const { router } = plainRouter({ memory, llmProvider, understanding: { embedded: true } })
    await router.resolve({ id: 'one', text }, 's')
    assert.equal(JSON.stringify(llmProvider.calls[0]?.messages).split(text).length - 1, 1)
    assert.equal((await memory.getHistory('s')).length, 2)
  })
})

describe('a sink', () => {
  test('[S-7] that fails later, being async, has no effect either', async () => {
    const failures: unknown[] = []
    const hear = (reason: unknown): void => void failures.push(reason)
    process.on('unhandledRejection', hear)
    const telemetry = { record: () => void 0 }
    Object.assign(telemetry, { record: () => Promise.reject(new Error('no disk')) })
    const { router } = plainRouter({ telemetry })
    assert.equal(
      (await router.resolve({ text: 'status O-11111' }, 's')).text,
      'Your order O-11111 is shipped',
    )
    await new Promise((resolve) => void setImmediate(resolve))
    process.off('unhandledRejection', hear)
    assert.deepEqual(failures, [])
  })
})

function refundOf(order_id: string, toolName = 'issue_refund') {
  return { toolCalls: [{ toolName, params: { order_id } }] }
}

const only = (constraints: Partial<IntentConstraints>): IntentsRegistry =>
  new IntentsRegistry({
    intents: TEST_INTENTS.map((intent) => ({
      ...intent,
      constraints: { ...intent.constraints, ...constraints },
    })),
    tiers: [],
    redactedParams: [],
  })

/** A router whose model plans refunds by itself, call after call. */
function openEnded(
  executor: PlainExecutor,
  answers: readonly MockAnswerOrMaker[],
  policy: PlainPolicy,
  confirm = false,
) {
  const intents = new IntentsRegistry({
    intents: TEST_INTENTS.filter(({ id }) => id === 'refund').map((intent) => ({
      ...intent,
      confirm,
      tools: ['check_order_status'],
    })),
    tiers: [],
    redactedParams: [],
  })
  const llmProvider = new MockLLMProvider(answers)
  return plainRouter({ executor, llmProvider, policy, intents, understanding: { embedded: true } })
}
