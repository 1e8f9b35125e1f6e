import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SharedExecutions } from './shared-executions.ts'

interface Fixture {
  readonly executions: () => number
  readonly aborted: () => boolean
  readonly once: (key: string, input: string, signal?: AbortSignal) => Promise<string>
}

/** Counts executions; results that begin with `drop` are not kept. */
function counting(execute: (input: string, signal: AbortSignal) => Promise<string>): Fixture {
  const shared = new SharedExecutions<string>()
  let executions = 0
  let aborted = false
  return {
    executions: () => executions,
    aborted: () => aborted,
    once: (key, input, signal) =>
      shared.join(key, {
        input,
        signal,
        begin: (everyoneLeft) => {
          executions++
          everyoneLeft.addEventListener('abort', () => (aborted = true))
          const result = execute(input, everyoneLeft)
          return Promise.resolve({ result, partial: () => 'drop: what there is' })
        },
        keep: (result) => !result.startsWith('drop'),
      }),
  }
}

const echo = (input: string): Promise<string> => Promise.resolve(input)

suite('shared executions', () => {
  test('[DD-22] the same key and input give the same result with one execution', async () => {
    const { once, executions } = counting(echo)
    assert.equal(await once('k', 'a'), 'a')
    assert.equal(await once('k', 'a'), 'a')
    assert.equal(executions(), 1)
    assert.equal(await once('other', 'a'), 'a')
    assert.equal(executions(), 2)
  })

  test('[DD-22] callers that arrive during the first execution share its result', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const { once, executions } = counting(() => promise)
    const both = [once('k', 'a'), once('k', 'a')]
    resolve('done')
    assert.deepEqual(await Promise.all(both), ['done', 'done'])
    assert.equal(executions(), 1)
  })

  test('[DD-22] a used key with another input is refused', async () => {
    const { once } = counting(echo)
    await once('k', 'a')
    await assert.rejects(once('k', 'b'), {
      code: 'KEY_REUSED',
      message: 'the idempotency key k was used with another input; use a new key',
    })
    assert.equal(await once('k', 'a'), 'a')
  })

  test('[DD-22] an execution that failed or is not to be kept runs again', async () => {
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

  test('[DD-22] a caller that aborts gets a partial result, the others the full one', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const { once, executions, aborted } = counting(() => promise)
    const hasty = new AbortController()
    const [first, second] = [once('k', 'a', hasty.signal), once('k', 'a')]
    hasty.abort()
    assert.equal(await first, 'drop: what there is')
    assert.equal(aborted(), false)
    resolve('done')
    assert.equal(await second, 'done')
    assert.equal(await once('k', 'a'), 'done')
    assert.equal(executions(), 1)
  })

  test('[DD-22] when all callers have left, the execution is aborted and its key is free', async () => {
    const { once, executions, aborted } = counting(
      (_, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) resolve('drop it')
          signal.addEventListener('abort', () => resolve('drop it'))
        }),
    )
    const controllers = [new AbortController(), new AbortController()]
    const both = controllers.map(({ signal }) => once('k', 'a', signal))
    for (const controller of controllers) controller.abort()
    assert.deepEqual(await Promise.all(both), ['drop: what there is', 'drop it'])
    assert.equal(aborted(), true)
    await once('k', 'another input', AbortSignal.abort())
    assert.equal(executions(), 2)
  })

  test('keeps a thousand results and drops the oldest first', async () => {
    const { once, executions } = counting(echo)
    for (let key = 0; key <= 1000; key++) await once(`${key}`, 'a')
    await once('1', 'a')
    assert.equal(executions(), 1001)
    await once('0', 'a')
    assert.equal(executions(), 1002)
  })

  test('[DD-22] keeps an execution in progress, however many keys come after it', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const { once, executions } = counting((input) => (input === 'slow' ? promise : echo(input)))
    const slow = once('slow', 'slow')
    for (let key = 0; key <= 1001; key++) await once(`${key}`, 'a')
    const again = once('slow', 'slow')
    resolve('done')
    assert.deepEqual(await Promise.all([slow, again]), ['done', 'done'])
    assert.equal(executions(), 1003)
  })
})
