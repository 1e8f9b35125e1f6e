import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { IS_WHOLE } from '../share.ts'
import { BEFORE, EACH_BEFORE, SEED } from './before.ts'
import { GRAMMARS } from './grammars.ts'
import { ISSUE_EXAMPLES } from './issue-examples.ts'
import { judge, verdictOf } from './judge.ts'
import { lineOf, tableOf } from './report.ts'
import { itemOf, type Tally, tallyOf } from './tally.ts'

/** Questions of each kind. */
const EACH = IS_WHOLE ? 180 : 20
/** Failures of each kind shown in a message. */
const SHOWN = 3

const failuresOf = (tallies: readonly Tally[], verdict: 'wrong' | 'ambiguous'): readonly string[] =>
  tallies.flatMap(({ failures }) =>
    failures
      .filter((failure) => failure.verdict === verdict)
      .slice(0, SHOWN)
      .map(lineOf),
  )

suite('questions written to be misread', () => {
  const tallies = tallyOf(
    GRAMMARS.filter(({ control }) => !control),
    SEED,
    EACH,
  )

  test('[DD-8] verify no wrong answer', (t) => {
    t.diagnostic(`\n${tableOf(tallies)}`)
    deepEqual(failuresOf(tallies, 'wrong'), [])
  })

  test('[DD-8] verify no answer where two readings are sensible', () => {
    deepEqual(failuresOf(tallies, 'ambiguous'), [])
  })

  for (const item of ISSUE_EXAMPLES) {
    test(`[DD-8] reported: ${item.text}`, () => {
      const { verdict, accepted } = judge(item)
      ok(verdict === 'right' || verdict === 'unchecked', lineOf({ ...item, verdict, accepted }))
    })
  }
})

suite('plain questions', () => {
  const tallies = tallyOf(
    GRAMMARS.filter(({ control }) => control === true),
    SEED,
    EACH_BEFORE,
  )

  test('[DD-8] verify no wrong answer', () => {
    deepEqual([...failuresOf(tallies, 'wrong'), ...failuresOf(tallies, 'ambiguous')], [])
  })

  for (const { kind, tried, counts } of tallies) {
    test(`[DD-8] are verified at least as often as before: ${kind}`, (t) => {
      const before = BEFORE[kind]
      ok(before !== undefined, `no figure of before for "${kind}"`)
      t.diagnostic(`${kind}: ${counts.right} of ${tried} verified, before ${before}`)
      ok(counts.right >= before, `${counts.right} of ${tried} are verified, ${before} were before`)
    })
  }
})

suite('the generator', () => {
  const items = GRAMMARS.flatMap((grammar) =>
    Array.from({ length: 40 }, (_, nth) => itemOf(grammar, { seed: 3, nth })),
  )

  test('has many kinds, each with its own name', () => {
    ok(GRAMMARS.length >= 100, `${GRAMMARS.length} kinds`)
    equal(new Set(GRAMMARS.map(({ kind }) => kind)).size, GRAMMARS.length)
  })

  test('makes the same questions from the same seed and others from another', () => {
    const [grammar] = GRAMMARS
    ok(grammar !== undefined)
    const textOf = (seed: number): string => itemOf(grammar, { seed, nth: 5 }).text
    equal(textOf(1), textOf(1))
    notEqual(textOf(1), textOf(2))
  })

  test('changes only the numbers of a wording', () => {
    const wordsOf = (text: string): string => text.replaceAll(/\$?[\d,.]+/g, '#')
    const grammar = GRAMMARS.find(({ kind }) => kind === 'price each')
    ok(grammar !== undefined)
    const [one, other] = [1, 2].map((numbers) => itemOf(grammar, { seed: 1, nth: 5, numbers }).text)
    ok(one !== undefined && other !== undefined)
    notEqual(one, other)
    equal(wordsOf(one), wordsOf(other))
  })

  test('writes whole sentences', () => {
    const broken = items.filter(({ text }) => {
      const hole = /undefined|NaN|\[object|\$\{| {2}|\ba [aeio]\w+ (?:costs|that)/.test(text)
      return hole || text !== text.trim() || text === ''
    })
    deepEqual(
      broken.map(({ text }) => text),
      [],
    )
  })

  test('gives every question with a reading a finite number or a date', () => {
    for (const { text, reading } of items) {
      if (reading.type === 'value') ok(Number.isFinite(reading.value), text)
      if (reading.type === 'date') ok(/^\d{4}-\d\d-\d\d$/.test(reading.iso), text)
    }
  })

  test('makes mostly different questions', () => {
    const different = new Set(items.map(({ text }) => text)).size
    ok(different > 0.9 * items.length, `${different} of ${items.length} are different`)
  })
})

suite('the judge', () => {
  const ambiguous = { type: 'ambiguous', why: 'two readings' } as const

  test('counts an answer that could not be verified as not checked', () => {
    equal(verdictOf({ type: 'value', value: 5 }, []), 'unchecked')
    equal(verdictOf(ambiguous, []), 'unchecked')
  })

  test('counts a right answer as right, to the last digits of a division', () => {
    equal(verdictOf({ type: 'value', value: 10 / 3 }, ['3.33333333333333333333333']), 'right')
    equal(verdictOf({ type: 'date', iso: '2025-03-03' }, ['2025-03-03']), 'right')
  })

  test('counts one wrong answer among right ones as wrong', () => {
    equal(verdictOf({ type: 'value', value: 5 }, ['5', '6']), 'wrong')
    equal(verdictOf({ type: 'value', value: 5 }, ['5.0001']), 'wrong')
    equal(verdictOf({ type: 'date', iso: '2025-03-03' }, ['2025-03-08']), 'wrong')
    equal(verdictOf({ type: 'value', value: 5 }, ['2025-03-08']), 'wrong')
    equal(verdictOf({ type: 'value', value: 5 }, ['30 rows of AAPL']), 'wrong')
  })

  test('counts any answer to an ambiguous question as a failure', () => {
    equal(verdictOf(ambiguous, ['55']), 'ambiguous')
  })

  test('counts what a plain question verifies', () => {
    const item = { text: 'What is 15 * 23?', reading: { type: 'value', value: 345 } } as const
    deepEqual(judge(item), { verdict: 'right', accepted: ['345'] })
    equal(judge({ ...item, reading: { type: 'value', value: 346 } }).verdict, 'wrong')
  })
})
