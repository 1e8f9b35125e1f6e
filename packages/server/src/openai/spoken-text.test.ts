import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpokenText } from './spoken-text.ts'

test('text is sent at once, and the texts of two steps are parted', () => {
  const spoken = new SpokenText({ isHeld: false })
  const sent = [spoken.start(), spoken.add('Let me '), spoken.add('look.'), spoken.start()]
  assert.equal([...sent, spoken.add('It is 4.')].join(''), 'Let me look.\n\nIt is 4.')
  assert.equal(spoken.rest, '')
  assert.ok(spoken.settles)
})

test('a text that is taken back and begins again as before is sent once', () => {
  const spoken = new SpokenText({ isHeld: false })
  const sent = [spoken.start(), spoken.add('It is ')]
  spoken.drop()
  assert.ok(!spoken.settles)
  sent.push(spoken.start(), spoken.add('It'), spoken.add(' is 4'), spoken.add('.'))
  assert.equal(sent.join(''), 'It is 4.')
  assert.ok(spoken.settles)
})

test('a text that is taken back twice, and comes back shorter in between, is sent once', () => {
  const spoken = new SpokenText({ isHeld: false })
  const sent = [spoken.start(), spoken.add('It is ')]
  spoken.drop()
  sent.push(spoken.start(), spoken.add('It'))
  spoken.drop()
  sent.push(spoken.start(), spoken.add('It is 4.'))
  assert.equal(sent.join(''), 'It is 4.')
})

test('a text that is replaced by another does not settle', () => {
  const spoken = new SpokenText({ isHeld: false })
  const sent = [spoken.start(), spoken.add('It is 5')]
  spoken.drop()
  sent.push(spoken.start(), spoken.add('It is 4, since 2 + 2 = 4.'))
  assert.equal(sent.join(''), 'It is 5')
  assert.ok(!spoken.settles)
})

test('held text is sent at the end, without what was taken back', () => {
  const spoken = new SpokenText({ isHeld: true })
  const sent = [spoken.start(), spoken.add('It is 5')]
  spoken.drop()
  sent.push(spoken.start(), spoken.add('It is 4.'), spoken.start(), spoken.add('Sure.'))
  assert.equal(sent.join(''), '')
  assert.ok(spoken.settles)
  assert.equal(spoken.rest, 'It is 4.\n\nSure.')
})
