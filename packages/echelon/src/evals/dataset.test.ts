import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { EchelonError } from '../core/value/error.ts'
import { readDataset } from './dataset.ts'

const read = (...rows: readonly object[]): ReturnType<typeof readDataset> =>
  readDataset(JSON.stringify(rows))

test('[R16.1] a case needs an id and an input, and other fields have defaults', () => {
  assert.deepEqual(read({ id: 'a-1', input: 'What is 1 + 1?', expected_tools: ['calculator'] }), [
    {
      id: 'a-1',
      input: 'What is 1 + 1?',
      expected_tools: ['calculator'],
      gold_answer: null,
      expect: 'answered',
      category: 'other',
      easy: true,
      today: null,
      timezone: null,
    },
  ])
})

test('a case with one tool is easy, unless it says otherwise or is to be refused', () => {
  const one = { input: 'x', expected_tools: ['calculator'] }
  const cases = read(
    { id: 'a', ...one },
    { id: 'b', ...one, easy: false },
    { id: 'c', ...one, expect: 'refused' },
    { id: 'd', input: 'x', expected_tools: ['calculator', 'plotter'] },
    { id: 'e', input: 'x' },
  )
  assert.deepEqual(
    cases.map(({ easy }) => easy),
    [true, false, false, false, false],
  )
})

const BAD: readonly (readonly [string, string, RegExp])[] = [
  ['no JSON', '[{', /the data set is not JSON: /],
  ['no array', '{}', /must be a JSON array/],
  ['no cases', '[]', /holds no cases/],
  ['a case that is not an object', '[1]', /case 1 is not an object/],
  ['no id', '[{"input":"x"}]', /case 1 needs an id/],
  ['an id that leaves its folder', '[{"id":"../x","input":"x"}]', /case 1 needs an id/],
  ['two of one id', '[{"id":"a","input":"x"},{"id":"A","input":"y"}]', /two cases have the id A/],
  ['no input', '[{"id":"a"}]', /case a has no input/],
  ['an input that is not a text', '[{"id":"a","input":7}]', /case a: input must be a text/],
  ['tools that are no list', '[{"id":"a","input":"x","expected_tools":"y"}]', /must be a list/],
  ['an unknown end', '[{"id":"a","input":"x","expect":"no"}]', /answered or refused, not "no"/],
  ['an unknown field', '[{"id":"a","input":"x","gold_anser":"y"}]', /did you mean gold_answer\?/],
]

for (const [what, text, says] of BAD) {
  test(`[R16.1] ${what} is reported in one sentence`, () => {
    const isClear = (error: unknown): boolean =>
      error instanceof EchelonError && error.code === 'INVALID_INPUT' && says.test(error.message)
    assert.throws(() => readDataset(text), isClear)
  })
}

test('[DD-14, R16.5] the data set contains the documented cases and at least 150 more', () => {
  const cases = readDataset(
    readFileSync(join(import.meta.dirname, '../../../../datasets/decide.json'), 'utf8'),
  )
  const documented = [
    ['What is 15 * 23?', '345', 'calculator'],
    ['What day of the week is September 8, 2025?', 'Monday, September 8, 2025', 'calendar'],
    [
      'Show me last 30 days closing price for AAPL and plot it with 7-day moving average',
      null,
      'data_fetch_stock numeric_analysis plotter',
    ],
  ]
  for (const [input, gold, tools] of documented) {
    const found = cases.find((each) => each.input === input)
    assert.deepEqual([found?.gold_answer, found?.expected_tools.join(' ')], [gold, tools])
  }
  assert.ok(cases.length >= 153, `${cases.length} cases`)
  const refused = cases.filter(({ expect }) => expect === 'refused')
  assert.ok(refused.some(({ category }) => category === 'hostile'))
  assert.ok(refused.some(({ category }) => category === 'impossible'))
})
