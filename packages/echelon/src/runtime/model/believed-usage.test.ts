import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readUsage } from './believed-usage.ts'

const report = (input: unknown, output: unknown, raw?: unknown): unknown => ({
  inputTokens: { total: input },
  outputTokens: { total: output },
  ...(raw !== undefined && { raw }),
})

const plausible = (input: number, output: number) => ({
  type: 'plausible',
  usage: { input, output },
})

describe('a usage report', () => {
  test('counts when it is whole numbers', () => {
    assert.deepEqual(readUsage(report(10, 5)), plausible(10, 5))
    assert.deepEqual(
      readUsage({
        inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: undefined },
        outputTokens: { total: 5, text: 2, reasoning: 3 },
        raw: { total_tokens: 15 },
      }),
      plausible(10, 5),
    )
  })

  test('is absent if a total is missing or null, or if the report is not an object', () => {
    for (const none of [undefined, null, 'a', 3, {}, report(undefined, 5), report(5, null)]) {
      assert.deepEqual(readUsage(none), { type: 'absent' })
    }
  })

  for (const count of [-1, 1.5, Number.NaN, Infinity, -Infinity, '7', [], {}, true, 2 ** 53, 1e9]) {
    test(`is impossible with a count of ${JSON.stringify(count) ?? typeof count} (${typeof count})`, () => {
      assert.equal(readUsage(report(count, 5)).type, 'impossible')
      assert.equal(readUsage(report(5, count)).type, 'impossible')
    })
  }

  test('is implausible if a part is negative, not a number, or larger than the whole', () => {
    for (const part of [11, -1, 0.5, '3']) {
      for (const name of ['noCache', 'cacheRead', 'cacheWrite']) {
        const inputTokens = { total: 10, [name]: part }
        const { type } = readUsage({ inputTokens, outputTokens: { total: 5 } })
        assert.equal(type, 'impossible', `${name} ${part}`)
      }
      for (const name of ['text', 'reasoning']) {
        const outputTokens = { total: 5, [name]: part }
        const { type } = readUsage({ inputTokens: { total: 10 }, outputTokens })
        assert.equal(type, 'impossible', `${name} ${part}`)
      }
    }
  })

  test('is implausible if the reasoning exceeds what any model writes', () => {
    const outputTokens = { total: 5, reasoning: 1e15 }
    const raw = { total_tokens: 10 + 5 + 1e15 }
    assert.equal(readUsage({ inputTokens: { total: 10 }, outputTokens, raw }).type, 'impossible')
  })

  test('is implausible if its own total disagrees', () => {
    for (const total of [0, 14, 16, -15, '15', 1e9]) {
      assert.equal(readUsage(report(10, 5, { total_tokens: total })).type, 'impossible')
      assert.equal(readUsage(report(10, 5, { totalTokenCount: total })).type, 'impossible')
    }
    assert.deepEqual(readUsage(report(10, 5, { total_tokens: null })), plausible(10, 5))
  })

  test('adds reasoning to the output if the total shows that it is separate', () => {
    const raw = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 315,
      completion_tokens_details: { reasoning_tokens: 300 },
    }
    const outputTokens = { total: 5, text: 0, reasoning: 300 }
    assert.deepEqual(
      readUsage({ inputTokens: { total: 10 }, outputTokens, raw }),
      plausible(10, 305),
    )
  })
})
