import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Json } from './json.ts'
import { differences, mostAlike } from './parting.ts'

test('names a setting that differs or is missing on one side, with both values', () => {
  assert.deepEqual(differences({ seed: 42, topP: 1 }, { seed: 43, topP: 1, topK: 3 }), [
    { where: 'seed', recorded: '42', asked: '43' },
    { where: 'topK', recorded: 'nothing', asked: '3' },
  ])
})

test('shows the first line of a text that differs, with its place', () => {
  const prompt = (task: string): Json => ({ prompt: [{ text: `Today\nTask:\n${task}\nEnd` }] })
  assert.deepEqual(differences(prompt('What is 7?'), prompt('What is 8?')), [
    { where: 'prompt[0].text, line 3', recorded: '"What is 7?"', asked: '"What is 8?"' },
  ])
  assert.deepEqual(differences({ a: 'x' }, { a: 'x\ny' }), [
    { where: 'a, line 2', recorded: 'nothing', asked: '"y"' },
  ])
})

test('shows only the part of a long line around the difference', () => {
  const [found] = differences({ a: `${'x'.repeat(500)}7` }, { a: `${'x'.repeat(500)}8 and more` })
  assert.deepEqual(found, {
    where: 'a',
    recorded: `…${'x'.repeat(24)}7"`,
    asked: `…${'x'.repeat(24)}8 and more"`,
  })
  const [long] = differences({ a: '' }, { a: 'y'.repeat(500) })
  assert.equal(long?.asked, `"${'y'.repeat(71)}…`)
})

test('finds differences exactly between unequal values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a: unknown, b: unknown) => {
      const [one, other] = [JSON.stringify(a), JSON.stringify(b)]
      const json: Json = JSON.parse(one)
      assert.deepEqual(differences(json, JSON.parse(one)), [])
      if (one !== other && !isSameObject(one, other)) {
        assert.notEqual(differences(json, JSON.parse(other)).length, 0)
      }
    }),
  )
})

/** The same fields in another order. */
function isSameObject(one: string, other: string): boolean {
  try {
    assert.deepEqual(JSON.parse(one), JSON.parse(other))
    return true
  } catch {
    return false
  }
}

test('the nearest request shares the most words, the first on a tie', () => {
  const requests: readonly Json[] = [
    { prompt: 'What day is tomorrow?', seed: 1 },
    { prompt: 'What is 15 * 23?', seed: 1 },
    { prompt: 'What is 15 * 23?', seed: 2 },
    { prompt: 'What is 15 * 23?', seed: 2 },
  ]
  const nearest = (wanted: Json): number =>
    requests.indexOf(mostAlike(wanted, requests, (one) => one) ?? null)
  assert.equal(nearest({ prompt: 'What is 15 * 24?', seed: 2 }), 2)
  assert.equal(nearest({ prompt: 'What day was it?', seed: 9 }), 0)
  assert.equal(
    mostAlike('x', [], (one) => one),
    undefined,
  )
})
