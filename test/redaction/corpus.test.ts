import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor, redactText } from '../../packages/echelon/src/core/redaction/redaction.ts'
import { corpus, shows } from './corpus.ts'
import { ASKED, innocent } from './innocent.ts'

const SAMPLES = corpus(20_261_122, 3000)

test('[DD-11] [R19.2] [R19.3] nothing of a seeded corpus is left in any context', () => {
  const left = SAMPLES.filter((sample) => shows(redactText(sample.text), sample))
  assert.deepEqual(left, [])
})

test('[DD-11] nor in fields, names and depths of a value', () => {
  const redact = createRedactor()
  const left = SAMPLES.filter((sample) => {
    const value = { list: [sample.text, { [sample.text]: 1, deep: { note: sample.text } }] }
    return shows(JSON.stringify(redact(value)), sample)
  })
  assert.deepEqual(left, [])
})

test('the corpus is valid: each of its texts shows its secret, and all kinds occur', () => {
  assert.deepEqual(
    SAMPLES.filter((sample) => !shows(sample.text, sample)),
    [],
  )
  const kinds = Object.groupBy(SAMPLES, ({ kind }) => kind)
  for (const [kind, samples = []] of Object.entries(kinds)) assert.ok(samples.length >= 90, kind)
  assert.equal(Object.keys(kinds).length, 17)
  assert.deepEqual(corpus(20_261_122, 3000), SAMPLES)
})

test('redacting again changes nothing', () => {
  for (const { text } of SAMPLES) {
    const once = redactText(text)
    assert.equal(redactText(once), once)
  }
})

test('[R19.5] every question written for the agent is logged unchanged', () => {
  assert.ok(ASKED.length > 400, `only ${ASKED.length}`)
  for (const text of ASKED) assert.equal(redactText(text), text)
})

test('[R19.5] sums, dates, prices, digests, addresses and traces stay legible', () => {
  const lost = innocent(7, 20_000)
    .map((text) => [text, redactText(text)])
    .filter(([text, left]) => text !== left)
  assert.deepEqual(lost, [])
})
