import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  attempt,
  budgetRefused,
  calling,
  computed,
  judgedWith,
  modelFailed,
  said,
} from '../in-tests.ts'
import { agree } from './agree.ts'
import { asProgram, inWords } from './way.ts'

const WORDS = inWords('small')
const PROGRAM = asProgram('small')
const NUMBER = attempt('3 boxes of 12 eggs: how many eggs?', '3 × 12 = 36 eggs', { kind: 'number' })

suite('the verifier agree', () => {
  test('asks for one opinion at a time, and stops once enough agree', () => {
    const verifier = agree({ ways: [WORDS], atMost: 5, need: 3 })
    const { judgment, asked } = judgedWith(verifier, NUMBER, [said('36'), said('It is 36.0.')])
    assert.equal(asked.length, 2)
    assert.equal(judgment.verdict, 'scored')
    assert.equal(judgment.score, 4 / 5)
    assert.equal(judgment.features['agree.for'], 3)
    assert.equal(judgment.reason, '2 of 2 other cheap answers agree')
  })

  test('stops once the votes that are left could not settle it any more', () => {
    const verifier = agree({ ways: [WORDS], atMost: 4, need: 4 })
    const { judgment, asked } = judgedWith(verifier, NUMBER, [said('35'), said('36'), said('35')])
    assert.equal(asked.length, 3)
    assert.ok(judgment.score <= 0.5)
    assert.deepEqual(judgment.features, {
      'agree.for': 2,
      'agree.against': 2,
      'agree.same': 1 / 3,
      'agree.runnerUp': 2 / 3,
      'agree.sharedNumbers': 1 / 9,
      'agree.near': 1 / 3,
      'agree.across': 0,
      'agree.words': 1 / 3,
    })
  })

  test('never scores above ½ what has fewer votes than needed', () => {
    const verifier = agree({ ways: [WORDS], atMost: 3, need: 4 })
    const { judgment } = judgedWith(verifier, NUMBER, [said('36'), budgetRefused])
    assert.equal(judgment.score, 0.5)
  })

  test('computes the program of an opinion, and counts its way apart', () => {
    const verifier = agree({ ways: [PROGRAM, WORDS], atMost: 2, need: 2, across: true })
    const { judgment, asked } = judgedWith(verifier, NUMBER, [
      said('{"expr":"3 * 12"}'),
      computed({ value: '36', kind: 'data' }),
    ])
    assert.deepEqual(
      asked.map(({ type }) => type),
      ['generate', 'call-tools'],
    )
    assert.equal(judgment.features['agree.across'], 1)
    assert.equal(judgment.features['agree.program'], 1)
    assert.match(judgment.reason, /found in another way/)
  })

  test('goes on asking where agreement across ways is needed and only the own way agrees', () => {
    const verifier = agree({ ways: [WORDS, PROGRAM], atMost: 2, need: 2, across: true })
    const { judgment, asked } = judgedWith(verifier, NUMBER, [
      said('36'),
      said('{"expr":"3 + 12"}'),
      computed({ value: '15' }),
    ])
    assert.equal(asked.length, 3)
    assert.equal(judgment.features['agree.across'], -1)
    assert.ok(judgment.score <= 0.5)
  })

  test('counts a program that cannot be computed as a vote against', () => {
    const verifier = agree({ ways: [PROGRAM], atMost: 1, need: 2 })
    const failing = { type: 'error', code: 'INVALID_ARGS', message: 'no arithmetic' } as const
    const { judgment } = judgedWith(verifier, NUMBER, [
      said('{"expr":"eggs"}'),
      { type: 'tools-called', outcomes: [failing] },
    ])
    assert.equal(judgment.features['agree.against'], 1)
  })

  test('is not taken in by an answer that only mentions what the others say', () => {
    const wrong = attempt('What is 40 % of 25?', '40 % of 25 is 10, so 25 − 10 = 15', {
      kind: 'number',
    })
    const verifier = agree({ ways: [WORDS], atMost: 2 })
    const { judgment } = judgedWith(verifier, wrong, [said('10'), said('Answer: 10')])
    assert.equal(judgment.features['agree.for'], 1)
    assert.equal(judgment.features['agree.runnerUp'], 1)
    assert.ok(judgment.score < 0.5)
  })

  test('refutes an answer that has nothing of the wanted kind', () => {
    const { judgment } = judgedWith(
      agree({ ways: [WORDS] }),
      attempt('How many?', 'I cannot know that.', { kind: 'number' }),
    )
    assert.equal(judgment.verdict, 'refuted')
  })

  test('is silent if no opinion could be had, and judges by those that it had', () => {
    const verifier = agree({ ways: [WORDS], atMost: 2 })
    assert.equal(judgedWith(verifier, NUMBER, [budgetRefused]).judgment.verdict, 'silent')
    assert.equal(
      judgedWith(verifier, NUMBER, [modelFailed, modelFailed]).judgment.verdict,
      'silent',
    )
    assert.equal(judgedWith(verifier, NUMBER, [modelFailed, said('36')]).judgment.verdict, 'scored')
  })

  test('compares calls of tools, and offers the task’s tools to the other model', () => {
    const weather = {
      name: 'weather',
      description: 'The weather of a city',
      jsonSchema: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          unit: { type: 'string', description: 'Defaults to "celsius"' },
        },
        required: ['city'],
      },
    }
    const asked = calling(
      'Weather in Oslo for 3 days?',
      [weather],
      [['weather', { city: 'Oslo', days: 3 }]],
    )
    const verifier = agree({ ways: [inWords('opinion')], atMost: 1, need: 2 })
    const same = judgedWith(verifier, asked, [
      said('', [['weather', { unit: 'Celsius', days: '3', city: 'oslo ' }]]),
    ])
    assert.equal(same.judgment.features['agree.for'], 2)
    assert.deepEqual(
      same.asked.map((effect) => effect.type === 'generate' && effect.tools),
      [['weather']],
    )
    const other = judgedWith(verifier, asked, [
      said('', [['weather', { unit: 'kelvin', days: 3, city: 'Oslo' }]]),
    ])
    assert.equal(other.judgment.features['agree.for'], 1)
    assert.ok((other.judgment.features['agree.near'] ?? 0) > 0.8)
    const twice = judgedWith(verifier, asked, [
      said('', [
        ['weather', { days: 3, city: 'Oslo' }],
        ['weather', { days: 3, city: 'Oslo' }],
      ]),
    ])
    assert.equal(twice.judgment.features['agree.for'], 1)
  })

  test('rejects options that cannot work', () => {
    const cases: readonly [Parameters<typeof agree>[0], RegExp][] = [
      [{ ways: [] }, /needs a way to ask/],
      [{ ways: [WORDS, WORDS] }, /two ways of one name/],
      [{ ways: [inWords('small', { name: 'for' })] }, /cannot call a way "for"/],
      [{ ways: [WORDS], atMost: 0 }, /`atMost`/],
      [{ ways: [WORDS], atMost: 2, need: 4 }, /`need` as a whole number from 2 to 3/],
      [{ ways: [WORDS], across: true }, /no way but the answer's own, words/],
    ]
    for (const [options, message] of cases) {
      assert.throws(() => agree(options), { code: 'INVALID_DEFINITION', message })
    }
  })
})
