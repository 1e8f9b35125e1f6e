import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { classifierOf, type LabeledText, train } from './classifier.ts'

const rows = (label: string | null, texts: readonly string[]): readonly LabeledText[] =>
  texts.map((text) => ({ text, label }))

const ROWS: readonly LabeledText[] = [
  ...rows('lamp', [
    'turn on the lamp',
    'switch the light on',
    'lights on please',
    'make it brighter in here',
    'turn the lights off',
    'dim the lamp',
    'switch off the light in the hall',
    'it is too dark, put a lamp on',
    'lamp off',
    'light up the kitchen',
  ]),
  ...rows('music', [
    'play some music',
    'play the next song',
    'put on a record',
    'I want to hear jazz',
    'stop the music',
    'louder music please',
    'which song is this',
    'play that song again',
    'skip this song',
    'next track',
  ]),
  ...rows(null, [
    'how tall is the tower',
    'what is the time',
    'who wrote this book',
    'order a pizza',
    'I am tired',
    'good morning',
    'where are my keys',
    'call my mother',
    'is it raining',
    'how old are you',
  ]),
]

suite('the linear classifier', () => {
  const classifier = train(ROWS)

  test('[S-9] reads new texts, and is less sure of texts outside its labels', () => {
    const known = [
      'play the song again please',
      'turn the lamp in the kitchen on',
      'stop this song',
    ]
    const unknown = ['how old is your mother', 'good evening', 'who is this tall man']
    const sure = known.map((text) => classifier.classify(text))
    assert.deepEqual(
      sure.map(({ label }) => label),
      ['music', 'lamp', 'music'],
    )
    const least = Math.min(...sure.map(({ confidence }) => confidence))
    for (const text of unknown) assert.ok(classifier.classify(text).confidence < least, text)
  })

  test('[S-9] the same rows give the same model, and a stored model can be restored', () => {
    const again = train(ROWS)
    assert.deepEqual(again.model, classifier.model)
    const stored = structuredClone(classifier.model)
    const text = 'put the light on'
    assert.deepEqual(classifierOf(stored).classify(text), classifier.classify(text))
  })

  test('[S-9] calibrates its confidence on held-out rows, whose accuracy matches it', () => {
    const { heldOut } = classifier
    assert.equal(heldOut.length, ROWS.length)
    const said = heldOut.reduce((sum, { confidence }) => sum + confidence, 0) / heldOut.length
    const right = heldOut.filter(({ right }) => right).length / heldOut.length
    assert.ok(Math.abs(said - right) < 0.05, `says ${said}, is ${right}`)
  })

  test('never trains on rows held out for judging', () => {
    const judged = train(ROWS, { heldOut: rows('music', ['xylophone zither quartet']) })
    assert.ok(judged.model.vocabulary.features.every((feature) => !feature.includes('zither')))
    assert.equal(judged.heldOut.length, 1)
  })

  test('answers for any training rows and any text', () => {
    assert.deepEqual(train([]).classify('anything'), { label: null, confidence: 0, next: null })
    assert.equal(train(rows('only', ['one'])).classify('one').label, 'only')
    assert.equal(train(rows(null, ['one', 'two'])).classify('one').label, null)
    for (const text of ['', '   ', '🙂', '\ud800', 'x'.repeat(100_000), 'a '.repeat(50_000)]) {
      const { confidence } = classifier.classify(text)
      assert.ok(confidence >= 0 && confidence <= 1)
    }
  })
})
