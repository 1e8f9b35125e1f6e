import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadIntents } from '../../defaults/intents-file.ts'
import { rowsOfFollowUps, rowsOfRequests } from '../learned-classifier.ts'

test('no classifier learns two labels for the same example', async () => {
  const { config } = await loadIntents()
  const requests = rowsOfRequests(config.intents, config.outOfScope ?? [], config)
  for (const rows of [requests, rowsOfFollowUps(config.intents, config)]) {
    const labels = new Map<string, string | null>()
    const contradictory = rows.filter(({ text, label }) => {
      const known = labels.get(text.toLowerCase())
      labels.set(text.toLowerCase(), label)
      return known !== undefined && known !== label
    })
    assert.deepEqual(contradictory, [])
  }
})

test('a follow-up that is also listed as a question is learned as a follow-up alone', () => {
  const rows = rowsOfFollowUps([], {
    questions: ['is it paid', 'why'],
    followUps: { why: ['why'] },
  })
  assert.deepEqual(rows, [
    { text: 'why', label: 'why' },
    { text: 'is it paid', label: '-' },
  ])
})
