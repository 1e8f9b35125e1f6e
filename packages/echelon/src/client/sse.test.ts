import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSse, type SseEvent } from './sse.ts'

async function eventsIn(chunks: readonly (string | Uint8Array)[]): Promise<readonly SseEvent[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      }
      controller.close()
    },
  })
  return await Array.fromAsync(readSse(body))
}

const STREAM = ': hello\n\nid: 1\nevent: note\ndata: {"a":"é"}\n\nid: 1.2\ndata: one\ndata: two\n\n'
const EVENTS = [
  { id: '1', event: 'note', data: '{"a":"é"}' },
  { id: '1.2', event: 'message', data: 'one\ntwo' },
]

test('events are read wherever the stream is cut, also inside a character', async () => {
  const bytes = new TextEncoder().encode(STREAM)
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size))
    assert.deepEqual(await eventsIn(chunks), EVENTS, `in pieces of ${size}`)
  }
})

test('all line ends of the standard count', async () => {
  assert.deepEqual(await eventsIn([STREAM.replaceAll('\n', '\r\n')]), EVENTS)
  assert.deepEqual(await eventsIn([`${STREAM.replaceAll('\n', '\r')}\n`]), EVENTS)
  const split = STREAM.replaceAll('\n', '\r\n').split('')
  assert.deepEqual(await eventsIn(split), EVENTS)
})

test('an event that is cut off is not told', async () => {
  assert.deepEqual(await eventsIn([STREAM, 'id: 9\ndata: half']), EVENTS)
})
