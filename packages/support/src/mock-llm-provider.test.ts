import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userMessage } from '../../echelon/src/core/message/thread.ts'
import { MockLLMProvider } from './mock-llm-provider.ts'

const ASK = [userMessage('hello')]

test('it answers in order, the same on every run, and records its calls [S-4]', async () => {
  const told = async () => {
    const mock = new MockLLMProvider(
      [
        'text',
        { toolCalls: [{ toolName: 'a', params: {} }], model: 'other', latencyMs: 3 },
        (messages, { temperature = 0 }) => `${messages.length} at ${temperature}`,
      ],
      { model: 'one' },
    )
    const responses = [
      await mock.generate(ASK),
      await mock.generate(ASK),
      await mock.generate(ASK, { temperature: 1 }),
    ]
    mock.assertComplete()
    assert.deepEqual(mock.calls[2], { messages: ASK, options: { temperature: 1 } })
    return responses
  }
  const [first, second, third] = await told()
  assert.deepEqual(await told(), [first, second, third])
  assert.equal(first?.content, 'text')
  assert.equal(first.model, 'one')
  assert.equal(first.tokensUsed, (first.usage?.input ?? 0) + (first.usage?.output ?? 0))
  assert.deepEqual([second?.content, second?.model, second?.latencyMs], [null, 'other', 3])
  assert.equal(third?.content, '1 at 1')
})

test('it reports a missing answer, or too few calls [S-4]', async () => {
  const mock = new MockLLMProvider(['one'])
  assert.throws(() => mock.assertComplete(), { code: 'UNEXPECTED_CALL', message: /asked 0 times/ })
  await mock.generate(ASK)
  await assert.rejects(mock.generate(ASK), {
    code: 'UNEXPECTED_CALL',
    message: /asked for answer 2, and was given 1; give it one more, for .*hello/,
  })
})

test('it throws a given error, and honors a signal and a price', async () => {
  const mock = new MockLLMProvider([new Error('no network')], { price: ({ input }) => input * 2 })
  await assert.rejects(mock.generate(ASK), /no network/)
  await assert.rejects(mock.generate(ASK, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  assert.equal(mock.getCost(3, 9), 6)
  assert.equal(new MockLLMProvider().getCost(3, 9), 0)
})
