import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { hashedEmbedder, knowledgeBase, sentenceEmbedder } from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import { PACKAGES, shippedDocuments } from './memory/documents.ts'
import { HOUSE, paraphraseRecall, readParaphrases } from './memory/paraphrases.ts'
import { HALVES, readQuestions, recallAt5, words } from './memory/recall.ts'

describe('[C-18] questions over documents that packages ship', () => {
  const { questions, offTopic } = readQuestions()

  test('are at least 60, half of them paraphrased, each with an answer', () => {
    assert.ok(questions.length >= 60 && offTopic.length >= 10)
    const paraphrased = questions.filter(({ kind }) => kind === 'paraphrased')
    assert.equal(paraphrased.length * 2, questions.length)
    const shipped = new Set(shippedDocuments())
    for (const { file, phrase } of questions) {
      assert.ok(shipped.has(file) && existsSync(join(PACKAGES, file)), file)
      assert.ok(words(readFileSync(join(PACKAGES, file), 'utf8')).includes(words(phrase)), phrase)
    }
  })

  test('[C-19] words and vectors together find more than either alone', async (t) => {
    const store = await openKnowledge(':memory:')
    t.after(() => store.close())
    const base = knowledgeBase({ store, root: PACKAGES })
    for (const document of shippedDocuments()) {
      assert.deepEqual((await base.add(document)).failed, [], document)
    }
    const [keyword = 0, vector = 0, hybrid = 0] = await Promise.all(
      HALVES.map(async (half) => (await recallAt5(base, half, questions)).found),
    )
    const figures = `keyword ${keyword}, vector ${vector}, hybrid ${hybrid}`
    assert.ok(hybrid > keyword && hybrid > vector, figures)
    assert.ok(hybrid >= 50, figures)
  })
})

describe('[C-18] questions in other words than the text', () => {
  const paraphrases = readParaphrases()

  test('are 60, a third of them held out, each with an answer', () => {
    const { questions, offTopic } = paraphrases
    assert.ok(questions.length === 60 && offTopic.length >= 20)
    assert.equal(questions.filter(({ heldOut }) => heldOut).length, 20)
    for (const { file, phrase } of questions) {
      assert.ok(readFileSync(join(HOUSE, file), 'utf8').includes(phrase), phrase)
    }
  })

  test('find more than twice as much by meaning as by words, and most other questions find nothing', async () => {
    const byWords = await paraphraseRecall(hashedEmbedder(), paraphrases)
    const byMeaning = await paraphraseRecall(sentenceEmbedder(), paraphrases)
    const figures = JSON.stringify([byWords, byMeaning])
    assert.ok(byMeaning.dev.found >= 27, figures)
    assert.ok(byMeaning.dev.found > 2 * byWords.dev.found, figures)
    assert.ok(byMeaning.withheld.found >= 20, figures)
  })
})
