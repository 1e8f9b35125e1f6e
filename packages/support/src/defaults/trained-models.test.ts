import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifierOf } from 'echelon/internal/classify'
import { passagesOfRules } from '../knowledge/rules-in-words.ts'
import { rowsOfSections } from '../knowledge/search-sections.ts'
import { replyRows, rowsOfFollowUps, rowsOfRequests } from '../understand/learned-classifier.ts'
import { keyOf } from '../understand/learning/trained-models.ts'
import { loadIntents } from './intents-file.ts'
import { loadSections, shippedFolder } from './knowledge-folder.ts'
import { loadPolicies } from './policies-file.ts'
import { loadTrainedModels } from './trained-models.ts'

const { config } = await loadIntents()
const sections = await loadSections(shippedFolder(), passagesOfRules(await loadPolicies()))
const models = await loadTrainedModels()

const ROWS = {
  requests: rowsOfRequests(config.intents, config.outOfScope ?? [], config),
  'follow-ups': rowsOfFollowUps(config.intents, config),
  replies: replyRows(config.intents, config),
  sections: rowsOfSections(sections),
}

for (const [name, rows] of Object.entries(ROWS)) {
  test(`the classifier of ${name} that comes along was trained on the examples that come along`, () => {
    const model = models(keyOf(rows))
    assert.ok(model, 'the examples were changed: run npm run train')
    const classifier = classifierOf(model)
    const some = rows.filter((_, index) => index % 50 === 0)
    const right = some.filter(
      ({ text, label }) => label === null || classifier.classify(text).label === label,
    )
    assert.ok(right.length > 0.9 * some.length, `${right.length} of ${some.length}`)
  })
}

test('no model comes along for other examples', () => {
  assert.equal(models(keyOf([{ text: 'a', label: 'b' }])), undefined)
})
