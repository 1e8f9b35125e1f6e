import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { IdempotentResults } from './idempotency.ts'

interface Fixture {
  readonly executions: () => number
  readonly once: (key: string, input: string) => Promise<string>
}

/** Results that count; those that begin with `drop` are not to be kept. */
function counting(execute: (input: string) => Promise<string>): Fixture {
  const results = new IdempotentResults<string>()
  let executions = 0
  return {
    executions: () => executions,
    once: (key, input) =>
      results.once(
        key,
        input,
        () => {
          executions++
          return execute(input)
        },
        (result) => !result.startsWith('drop'),
      ),
  }
}

const echo = (input: string): Promise<string> => Promise.resolve(input)

suite('idempotent results', () => {
  test('[DD-22] the same key and input give the same result, and one execution', async () => {
    const { once, executions } = counting(echo)
    assert.equal(await once('k', 'a'), 'a')
    assert.equal(await once('k', 'a'), 'a')
    assert.equal(executions(), 1)
    assert.equal(await once('other', 'a'), 'a')
    assert.equal(executions(), 2)
  })

  test('[DD-22] callers that come while the first is under way share its result', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const { once, executions } = counting(() => promise)
    const both = [once('k', 'a'), once('k', 'a')]
    resolve('done')
    assert.deepEqual(await Promise.all(both), ['done', 'done'])
    assert.equal(executions(), 1)
  })

  test('[DD-22] another input under a used key is refused', async () => {
    const { once } = counting(echo)
    await once('k', 'a')
    assert.throws(() => once('k', 'b'), {
      code: 'KEY_REUSED',
      message: 'the idempotency key k was used with another input; use a new key',
    })
    assert.equal(await once('k', 'a'), 'a')
  })

  test('[DD-22] what is not to be kept, or failed, is executed again', async () => {
    for (const execute of [
      (): Promise<string> => Promise.resolve('drop it'),
      (): Promise<string> => Promise.reject(new Error('broken')),
    ]) {
      const { once, executions } = counting(execute)
      await once('k', 'a').catch(() => undefined)
      await once('k', 'a').catch(() => undefined)
      assert.equal(executions(), 2)
      await assert.doesNotReject(async () => once('k', 'another input').catch(() => undefined))
    }
  })

  test('a thousand are kept, the oldest goes first', async () => {
    const { once, executions } = counting(echo)
    for (let key = 0; key <= 1000; key++) await once(`${key}`, 'a')
    await once('1', 'a')
    assert.equal(executions(), 1001)
    await once('0', 'a')
    assert.equal(executions(), 1002)
  })
})
