import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { measureImage } from '../image.ts'

/** Builds a gray PNG from the specification, so that decoder and test do not share a mistake. */
function grayPng(width: number, height: number, pixels: readonly number[]): Buffer {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...pixels.slice(y * width, (y + 1) * width),
  ])
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size[8] = 8
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

suite('measuring a PNG', () => {
  test('returns size, and the share of pixels unlike the most frequent color', async () => {
    const facts = await measureImage(grayPng(4, 2, [9, 9, 9, 9, 9, 9, 200, 201]))
    assert.deepEqual(facts, { width: 4, height: 2, ink: 0.25 })
  })

  test('finds no ink in a blank image', async () => {
    assert.equal((await measureImage(grayPng(3, 3, Array(9).fill(255))))?.ink, 0)
  })

  test('returns null if it does not decode', async () => {
    const whole = grayPng(4, 2, [9, 9, 9, 9, 9, 9, 200, 201])
    const garbled = Buffer.from(whole)
    garbled.fill(7, 45)
    assert.equal(await measureImage(whole.subarray(0, 40)), null)
    assert.equal(await measureImage(garbled), null)
    assert.equal(await measureImage(whole.subarray(0, 8)), null)
  })

  test('returns null if it declares too many pixels', async () => {
    const pixels = 5_000 * 5_000
    const bomb = grayPng(5_000, 5_000, [])
    assert.ok(bomb.length < pixels / 100)
    assert.equal(await measureImage(bomb), null)
  })
})
