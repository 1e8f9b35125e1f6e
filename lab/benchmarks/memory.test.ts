import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { hashedEmbedder, knowledgeBase, sentenceEmbedder } from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import { PACKAGES, shippedDocuments } from './memory/documents.ts'
import { paraphraseRecall, readParaphrases } from './memory/paraphrases.ts'
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
  const { sets, offTopic } = readParaphrases()

  test('are 60, a third of them held out, and 20 about other texts, each with an answer', () => {
    assert.deepEqual(
      sets.map(({ name, questions }) => [name, questions.length]),
      [
        ['seen', 40],
        ['held out', 20],
        ['other texts', 20],
      ],
    )
    assert.ok(offTopic.length >= 20)
    for (const { file, phrase } of sets.flatMap(({ questions }) => questions)) {
      const text = readFileSync(new URL(`memory/${file}`, import.meta.url), 'utf8')
      assert.ok(text.includes(phrase), phrase)
    }
  })

  test('find more than twice as much by meaning as by words, and most other questions find nothing', async () => {
    const [seen] = sets
    assert.ok(seen !== undefined)
    const byWords = await paraphraseRecall(hashedEmbedder(), seen, offTopic)
    const byMeaning = await paraphraseRecall(sentenceEmbedder(), seen, offTopic)
    const figures = JSON.stringify([byWords, byMeaning])
    assert.ok(byMeaning.found >= 31, figures)
    assert.ok(byMeaning.found > 2 * byWords.found, figures)
    assert.ok(byMeaning.withheld.found >= 20, figures)
    for (const said of ['how much may a hotel cost?', 'how long until reimbursement arrives']) {
      assert.ok(!byMeaning.missed.includes(said), said)
    }
  })
})
