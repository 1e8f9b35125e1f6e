import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failed, generated } from '../../testing/middleware-host.ts'
import {
  fromStored,
  isWhole,
  type KeptAnswer,
  keptAnswer,
  sayAgain,
  toStored,
} from './kept-answer.ts'

const said = (kept: KeptAnswer): readonly string[] => {
  const pieces: string[] = []
  sayAgain(kept, (piece) => pieces.push(piece))
  return pieces
}

test('[C-25] an answer is said again in the pieces that were heard last, and always whole', () => {
  const pieces = fc.array(fc.string({ minLength: 1 }), { minLength: 1 })
  fc.assert(
    fc.property(pieces, fc.array(fc.string()), (heard, dropped) => {
      const kept = keptAnswer(generated(heard.join('')), [...dropped, ...heard])
      assert.deepEqual(said(kept), heard)
    }),
  )
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (text, heard) => {
      assert.equal(said(keptAnswer(generated(text), heard)).join(''), text)
    }),
  )
})

test('an answer that nobody heard, or that was changed since, comes as one piece', () => {
  assert.deepEqual(said(keptAnswer(generated('hello'), [])), ['hello'])
  assert.deepEqual(said(keptAnswer(generated('HELLO'), ['hel', 'lo'])), ['HELLO'])
  assert.deepEqual(said(keptAnswer(generated(''), [])), [])
})

test('[C-25] only a whole answer is kept: no failure, no refusal, none cut short', () => {
  assert.ok(isWhole(generated('yes')))
  assert.ok(isWhole(generated('', { finish: 'tools' })))
  assert.ok(!isWhole(generated('ye', { finish: 'length' })))
  assert.ok(!isWhole(generated('', { finish: 'filter' })))
  assert.ok(!isWhole(failed('unavailable')))
  assert.ok(!isWhole({ type: 'refused', by: 'budget', limit: 'money', message: '' }))
})

test('an answer goes to a store and comes back; what is of another form is not read', () => {
  const calls = [{ id: '1', tool: 'add', input: { a: 1 } }]
  const kept = keptAnswer(generated('yes', { calls, finish: 'tools' }), ['y', 'es'])
  const stored: unknown = JSON.parse(JSON.stringify(toStored(kept)))
  assert.deepEqual(fromStored(stored), kept)
  const file = new Uint8Array([1])
  const content = [
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: file } },
  ] as const
  assert.equal(toStored(keptAnswer(generated('', { content: [...content] }), [])), undefined)
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
