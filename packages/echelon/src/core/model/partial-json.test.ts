import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Json } from '../value/json.ts'
import { PartialJson } from './partial-json.ts'

function partialsOf(text: string, size = 1): readonly unknown[] {
  const reader = new PartialJson()
  const seen: unknown[] = []
  for (let at = 0; at < text.length; at += size) {
    reader.hear(text.slice(at, at + size))
    seen.push(reader.value())
  }
  return seen
}

const last = (text: string): unknown => partialsOf(text, text.length).at(-1)

/** Whether everything in `part` is in `whole`, a text or a list possibly shorter. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item, index) => isPartOf(item, whole[index]))
  }
  if (typeof part === 'object' && part !== null) {
    const of = new Map(Object.entries(whole ?? {}))
    return Object.entries(part).every(([key, value]) => of.has(key) && isPartOf(value, of.get(key)))
  }
  return Object.is(part, whole)
}

describe('an object that is still being written', () => {
  test('shows strings as they grow, and keys and scalars when they are complete', () => {
    assert.deepEqual(last('{'), {})
    assert.deepEqual(last('{"na'), {})
    assert.deepEqual(last('{"name"'), {})
    assert.deepEqual(last('{"name":'), {})
    assert.deepEqual(last('{"name":"A'), { name: 'A' })
    assert.deepEqual(last('{"name":"Ada","age":3'), { name: 'Ada' })
    assert.deepEqual(last('{"name":"Ada","age":36,'), { name: 'Ada', age: 36 })
    assert.deepEqual(last('{"age":36 '), { age: 36 })
    assert.deepEqual(last('{"ok":tru'), {})
    assert.deepEqual(last('{"ok":true}'), { ok: true })
    assert.deepEqual(last('{"list":[1,2'), { list: [1] })
    assert.deepEqual(last('{"list":[{"a":"x'), { list: [{ a: 'x' }] })
    assert.deepEqual(last('{"list":["a","b'), { list: ['a', 'b'] })
  })

  test('waits for the rest of an escape and of a surrogate pair', () => {
    assert.deepEqual(last('{"a":"x\\'), { a: 'x' })
    assert.deepEqual(last('{"a":"x\\u00e'), { a: 'x' })
    assert.deepEqual(last('{"a":"x\\u00e9'), { a: 'xé' })
    assert.deepEqual(last('{"a":"x\\"y'), { a: 'x"y' })
    assert.deepEqual(last('{"a":"x\\\\'), { a: 'x\\' })
    assert.deepEqual(last('{"a":"x\ud83d'), { a: 'x' })
    assert.deepEqual(last('{"a":"x\ud83d\ude00'), { a: 'x😀' })
  })

  test('ignores text before and after it', () => {
    assert.equal(last('Here it is'), undefined)
    assert.deepEqual(last('Here it is: ```json\n{"a":"{'), { a: '{' })
    assert.deepEqual(last('{"a":1}\n``` {"b":2}'), { a: 1 })
  })

  test('returns nothing for text that is not JSON', () => {
    assert.equal(last('{a: 1}'), undefined)
    assert.equal(last('{"a":tru}'), undefined)
    assert.equal(last('{"a":[1}'), undefined)
    assert.equal(last(`{"a":${'['.repeat(70)}`), undefined)
  })

  test('returns a part of the whole after each piece, and the whole in the end', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.nat({ max: 7 }),
        fc.constantFrom(0, 2),
        (value, more, indent) => {
          const text = JSON.stringify(value, null, indent)
          const whole: Json = JSON.parse(text)
          const partials = partialsOf(text, more + 1)
          assert.deepEqual(partials.at(-1), whole)
          for (const part of partials) assert.ok(isPartOf(part, whole), JSON.stringify(part))
        },
      ),
    )
  })

  test('takes linear time for any text', () => {
    const took = (text: string): number => {
      const before = process.threadCpuUsage()
      const reader = new PartialJson()
      for (let at = 0; at < text.length; at += 4) reader.hear(text.slice(at, at + 4))
      reader.value()
      return process.threadCpuUsage(before).user / 1000
    }
    for (const write of [
      (length: number) => `{"a":"${'x'.repeat(length)}`,
      (length: number) => `{"a":${'['.repeat(length)}`,
      (length: number) => `{"a":[${'1,'.repeat(length / 2)}`,
      (length: number) => `{"a":"${'\\"'.repeat(length / 2)}`,
    ]) {
      assert.ok(took(write(400_000)) < 10_000)
    }
  })
})
