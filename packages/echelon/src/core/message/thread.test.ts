import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type Message, systemMessage, Thread, userMessage } from './thread.ts'

const message: fc.Arbitrary<Message> = fc
  .record({ isSystem: fc.boolean(), units: fc.array(fc.nat(0xffff)) })
  .map(({ isSystem, units }) => {
    const text = String.fromCharCode(...units)
    return isSystem ? systemMessage(text) : userMessage(text)
  })
const messages = fc.array(message, { maxLength: 8 })
const [a, b, c] = [userMessage('a'), userMessage('b'), userMessage('c')]

test('adding to a thread returns a new one and leaves the old unchanged', () => {
  const one = Thread.of([a])
  const two = one.add(b, c)
  assert.deepEqual(one.toArray(), [a])
  assert.deepEqual(two.toArray(), [a, b, c])
  assert.deepEqual(
    [two.at(0), two.at(-1), two.at(-3), two.at(-4), two.at(3)],
    [a, c, a, undefined, undefined],
  )
  assert.equal(JSON.stringify({ two }), JSON.stringify({ two: [a, b, c] }))
})

test('an earlier thread does not contain messages added later', () => {
  const one = Thread.of([a])
  one.add(b)
  assert.equal(one.at(1), undefined)
  assert.equal(one.at(-1), a)
  assert.equal(one.length, 1)
})

test('changing the source array does not change the thread', () => {
  const list = [a]
  const thread = Thread.of(list)
  list.push(b)
  assert.deepEqual(thread.toArray(), [a])
})

test('later threads share one array; a fork copies once and then shares its own', () => {
  const one = Thread.of([a])
  const two = one.add(b)
  const three = two.add(c)
  assert.equal(two.add(c).at(0), a)
  const branch = two.add(a)
  const further = branch.add(b)
  assert.ok(three.extends(two) && two.extends(one))
  assert.ok(further.extends(branch), 'a branch shares from then on')
  assert.ok(!two.extends(three), 'a longer thread is no beginning')
  assert.ok(!branch.extends(two) && !branch.extends(three), 'a branch is not known to extend')
  assert.deepEqual(three.toArray(), [a, b, c])
  assert.deepEqual(further.toArray(), [a, b, a, b])
})

test("adding copies no array, whatever the thread's length", () => {
  const first = Thread.of([a])
  const shared = first.toArray()
  let thread = first
  for (let step = 0; step < 1000; step++) thread = thread.add(b)
  assert.equal(thread.toArray(), shared)
  assert.equal(thread.length, 1001)
})

test('bytes are the exact UTF-8 bytes of the messages as JSON, from any index', () => {
  fc.assert(
    fc.property(messages, messages, fc.nat(8), (first, second, start) => {
      const real = (list: readonly Message[]): number =>
        list.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0)
      const earlier = Thread.of(first)
      const later = earlier.add(...second)
      assert.equal(later.bytes, real([...first, ...second]))
      assert.equal(earlier.bytes, real(first), 'also when the longer one was measured first')
      const from = Math.min(start, later.length)
      assert.equal(later.bytesFrom(from), real([...first, ...second].slice(from)))
    }),
  )
})

test('different contents have different digests, and equal contents equal ones', () => {
  fc.assert(
    fc.property(messages, message, fc.nat(8), (list, extra, at) => {
      const whole = Thread.of([...list, extra])
      assert.equal(Thread.of(list).add(extra).digest, whole.digest)
      const stem = Thread.of(list)
      stem.add(userMessage('another branch'))
      assert.equal(stem.add(extra).digest, whole.digest)
      assert.notEqual(stem.digest, whole.digest)
      if (list.length === 0) return
      const changed = list.with(Math.min(at, list.length - 1), userMessage('changed'))
      assert.equal(
        Thread.of(changed).digest === Thread.of(list).digest,
        JSON.stringify(changed) === JSON.stringify(list),
      )
    }),
    { examples: [[[a], b, 0]] },
  )
  assert.notEqual(Thread.of([a, b]).digest, Thread.of([b, a]).digest)
  assert.equal(Thread.of([]).digest, 0)
})
