import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mappedStream } from './mapped-stream.ts'

test('each part is mapped in order, and an error passes through', async () => {
  const whole = mappedStream(ReadableStream.from([1, 2, 3]), (one) => one * 2)
  assert.deepEqual(await Array.fromAsync(whole), [2, 4, 6])
  const broken = new ReadableStream<number>({
    start(controller) {
      controller.error(new Error('cut'))
    },
  })
  const read = async (): Promise<unknown> =>
    await Array.fromAsync(mappedStream(broken, (one) => one))
  await assert.rejects(read, /cut/)
})

test('canceling ends the source, which is not read ahead', async () => {
  let given = 0
  let ended = false
  const source = new ReadableStream<number>(
    {
      pull: (controller) => controller.enqueue(given++),
      cancel: () => void (ended = true),
    },
    { highWaterMark: 0 },
  )
  for await (const part of mappedStream(source, (one) => one)) if (part === 3) break
  assert.ok(ended)
  assert.equal(given, 4)
})
