import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failed, generated } from '../../testing/middleware-run.ts'
import {
  fromStored,
  isWhole,
  type CachedAnswer,
  toCachedAnswer,
  sayAgain,
  toStored,
} from './cached-answer.ts'

const said = (kept: CachedAnswer): readonly string[] => {
  const pieces: string[] = []
  sayAgain(kept, (piece) => pieces.push(piece))
  return pieces
}

test('[C-25] an answer is replayed in the pieces of its last attempt, and always whole', () => {
  const pieces = fc.array(fc.string({ minLength: 1 }), { minLength: 1 })
  fc.assert(
    fc.property(pieces, fc.array(fc.string()), (heard, dropped) => {
      const kept = toCachedAnswer(generated(heard.join('')), [...dropped, ...heard])
      assert.deepEqual(said(kept), heard)
    }),
  )
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (text, heard) => {
      assert.equal(said(toCachedAnswer(generated(text), heard)).join(''), text)
    }),
  )
})

test('an answer that was not streamed, or was changed since, is one piece', () => {
  assert.deepEqual(said(toCachedAnswer(generated('hello'), [])), ['hello'])
  assert.deepEqual(said(toCachedAnswer(generated('HELLO'), ['hel', 'lo'])), ['HELLO'])
  assert.deepEqual(said(toCachedAnswer(generated(''), [])), [])
})

test('[C-25] only a complete answer is kept: no failure, refusal or truncated answer', () => {
  assert.ok(isWhole(generated('yes')))
  assert.ok(isWhole(generated('', { finish: 'tools' })))
  assert.ok(!isWhole(generated('ye', { finish: 'length' })))
  assert.ok(!isWhole(generated('', { finish: 'filter' })))
  assert.ok(!isWhole(failed('unavailable')))
  assert.ok(!isWhole({ type: 'refused', by: 'budget', limit: 'money', message: '' }))
})

test('an answer survives a round trip through a store; another format is ignored', () => {
  const calls = [{ id: '1', tool: 'add', input: { a: 1 } }]
  const kept = toCachedAnswer(generated('yes', { calls, finish: 'tools' }), ['y', 'es'])
  const stored: unknown = JSON.parse(JSON.stringify(toStored(kept)))
  assert.deepEqual(fromStored(stored), kept)
  const file = new Uint8Array([1])
  const content = [
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: file } },
  ] as const
  assert.equal(toStored(toCachedAnswer(generated('', { content: [...content] }), [])), undefined)
  const { answer } = kept
  const others = [
    undefined,
    null,
    'yes',
    { ...kept, form: 2 },
    { ...kept, cuts: ['1'] },
    { ...kept, answer: { ...answer, text: 1 } },
    { ...kept, answer: { ...answer, finish: 'length' } },
    { ...kept, answer: { ...answer, calls: [{}] } },
    { ...kept, answer: { ...answer, content: 'yes' } },
  ]
  for (const other of others) assert.equal(fromStored(other), undefined)
})
