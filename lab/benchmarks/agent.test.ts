import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BARS, type Measured, isMet } from './agent/bars.ts'
import { exceeding, guarded, limitsOf } from './agent/guard.ts'
import { median, ratio } from './agent/measure.ts'
import { readOptions } from './agent/options.ts'
import { digits, printTable } from './agent/table.ts'

const turn: Measured = { bar: 'turn', echelon: 2, ai: 50, bare: 0.1, toAi: 0.04, toBare: 20 }
const late: Measured = { bar: 'growth', echelon: 1.4 }

describe('[C-33] what the benchmark makes of its times', () => {
  test('a median is the middle one, or the mean of the two in the middle', () => {
    assert.equal(median([9, 1, 5]), 5)
    assert.equal(median([4, 1, 3, 2]), 2.5)
    assert.ok(Number.isNaN(median([])))
  })

  test('a ratio is the median of the ratios of each round, so that a slow round weighs on both', () => {
    assert.equal(ratio([1, 20, 3], [2, 40, 6]), 0.5)
    assert.equal(ratio([1, 2, 9], [2, 4]), 0.5)
  })

  test('a bar is met by the ratio to the peer where it is a share of the peer, else by the figure', () => {
    assert.equal(isMet(BARS.turn, turn), true)
    assert.equal(isMet(BARS.turn, { ...turn, toAi: 0.051 }), false)
    assert.equal(isMet(BARS.turn, { bar: 'turn', echelon: 0 }), undefined)
    assert.equal(isMet(BARS.growth, late), false)
    assert.equal(isMet(BARS['state-update-eight'], late), undefined)
  })

  test('the table has a line for each bar, aligned, and says by how much one is missed', () => {
    const lines = printTable(['turn', 'growth', 'switch'], [late, turn]).split('\n')
    assert.equal(lines.length, 4)
    const [head = '', first = '', second = '', third = ''] = lines
    assert.match(first, /^one turn +2\.00 µs +50\.0 µs +0\.10 µs +0\.0400 +<= 0\.05 x ai +yes$/)
    assert.match(second, /1\.40 x +<= 1\.10 x +no, 1\.27 x the bar$/)
    assert.match(third, /^provider switch, once loaded +- .*not measured$/)
    const met = head.indexOf('met')
    assert.ok([first, second, third].every((line) => line[met - 1] === ' ' && line[met] !== ' '))
  })

  test('figures have the digits that say something', () => {
    assert.deepEqual([1234.5, 12.34, 1.234, 0.01234].map(digits), [
      '1,235',
      '12.3',
      '1.23',
      '0.0123',
    ])
  })

  test('an option that does not exist is refused', () => {
    assert.throws(() => readOptions(['--onyl', 'turn']), TypeError)
    assert.deepEqual(readOptions(['--only', 'turn', '--json']).only, 'turn')
  })
})

describe('[C-33] the guard', () => {
  test('holds ratios, and ratios to the bare loop, or to the peer, where a figure is a time', () => {
    assert.equal(guarded(turn), 20)
    assert.equal(guarded(late), 1.4)
    assert.equal(guarded({ ...turn, bar: 'given', toAi: 0.2 }), 0.2)
  })

  test('has limits 30 % above what was measured, and finds what exceeds them', () => {
    const limits = limitsOf([turn, late])
    assert.deepEqual(limits, {
      turn: { measured: 20, most: 26 },
      growth: { measured: 1.4, most: 1.82 },
    })
    assert.deepEqual(exceeding([turn, late], limits), [])
    const slower = { ...turn, toBare: 26.1 }
    assert.deepEqual(exceeding([slower, late], limits), [slower])
  })

  test('what has no limit, or is no number, exceeds it', () => {
    assert.deepEqual(exceeding([turn], {}), [turn])
    const broken = { ...turn, toBare: NaN }
    assert.deepEqual(exceeding([broken], limitsOf([turn])), [broken])
  })
})
