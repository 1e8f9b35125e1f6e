import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { knowledgeBase } from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import { PACKAGES, shippedDocuments } from './memory/documents.ts'
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
