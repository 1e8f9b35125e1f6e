import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { type BodyLimits, boundedResponse } from './bounded-body.ts'

const LIMITS: BodyLimits = { whole: 100, stream: 300, event: 50, events: 10, error: 20 }

/** A chunked response, and how many chunks were read. */
function response(pieces: readonly string[], type: string, status = 200): Response {
  const body = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)))
  return new Response(body, { status, headers: { 'content-type': type } })
}

const read = (pieces: readonly string[], type: string, status?: number): Promise<string> =>
  boundedResponse(response(pieces, type, status), LIMITS).text()

/** The result of reading a stream of this text in chunks of this length. */
async function verdict(text: string, length: number): Promise<string> {
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
  try {
    return (await read(pieces, 'text/event-stream')) === text ? 'read' : 'changed'
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown'
  }
}

describe('a bounded response', () => {
  test('passes on a body within the limits, with status and headers', async () => {
    const bounded = boundedResponse(response(['{"a":', '1}'], 'application/json', 201), LIMITS)
    assert.deepEqual(
      [bounded.status, bounded.headers.get('content-type')],
      [201, 'application/json'],
    )
    assert.equal(await bounded.text(), '{"a":1}')
  })

  test('stops an answer at its limit with one sentence', async () => {
    const bounded = boundedResponse(response(['a'.repeat(101)], 'application/json'), {
      ...LIMITS,
      advice: 'raise it',
    })
    await assert.rejects(bounded.text(), {
      name: 'BodyTooLarge',
      message: 'the answer has more than 0 MB; raise it',
    })
  })

  test('cuts off the body of an error and keeps its status', async () => {
    const bounded = boundedResponse(
      response(['a'.repeat(15), 'b'.repeat(15)], 'text/html', 500),
      LIMITS,
    )
    assert.deepEqual([bounded.status, await bounded.text()], [500, 'a'.repeat(15)])
  })

  test('does not read past the limit', async () => {
    let [given, isCanceled] = [0, false]
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        given++
        controller.enqueue(new Uint8Array(60))
      },
      cancel() {
        isCanceled = true
      },
    })
    await assert.rejects(boundedResponse(new Response(body), LIMITS).text())
    assert.ok(given <= 4 && isCanceled)
  })

  test('leaves a response without a body unchanged', async () => {
    const none = new Response(null, { status: 204 })
    assert.equal(boundedResponse(none, LIMITS), none)
  })

  test('accepts a stream of small events with any line ending', async () => {
    for (const end of ['\n', '\r\n']) {
      const event = `data: ${'a'.repeat(15)}${end}${end}`
      for (const length of [1, 2, 3, 7, 100])
        assert.equal(await verdict(event.repeat(10), length), 'read')
      for (const length of [1, 2, 3, 7, 100]) {
        assert.equal(await verdict(event.repeat(11), length), 'BodyTooLarge')
      }
    }
  })

  test('stops an event without an end, and a stream of too many events', async () => {
    for (const text of ['a'.repeat(51), 'a\n'.repeat(26), '\n'.repeat(11), ': a\n\n'.repeat(11)]) {
      for (const length of [1, 5, 60]) assert.equal(await verdict(text, length), 'BodyTooLarge')
    }
  })

  test('gives the same result for any chunking', async () => {
    const words = fc.array(
      fc.constantFrom('a', 'data: b', '\n', '\r\n', '\r', '\n\n', 'x'.repeat(20)),
    )
    await fc.assert(
      fc.asyncProperty(words, fc.integer({ min: 1, max: 9 }), async (parts, length) => {
        const text = parts.join('')
        assert.equal(await verdict(text, length), await verdict(text, text.length + 1))
      }),
    )
  })
})
