import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BARS, type Measured, isMet } from './agent/bars.ts'
import { exceeding, guarded, limitsOf } from './agent/guard.ts'
import { median, ratio } from './agent/measure.ts'
import { readOptions } from './agent/options.ts'
import { digits, printTable } from './agent/table.ts'

const turn: Measured = { bar: 'turn', echelon: 2, ai: 50, bare: 0.1, toAi: 0.04, toBare: 20 }
const late: Measured = { bar: 'growth', echelon: 1.4 }

describe('[C-33] evaluation of measured times', () => {
  test('the median is the middle value, or the mean of the two middle values', () => {
    assert.equal(median([9, 1, 5]), 5)
    assert.equal(median([4, 1, 3, 2]), 2.5)
    assert.ok(Number.isNaN(median([])))
  })

  test('a ratio is the median of the ratios per round, so that a slow round affects both sides', () => {
    assert.equal(ratio([1, 20, 3], [2, 40, 6]), 0.5)
    assert.equal(ratio([1, 2, 9], [2, 4]), 0.5)
  })

  test('a relative bar is compared with the ratio to the peer, any other with the figure', () => {
    assert.equal(isMet(BARS.turn, turn), true)
    assert.equal(isMet(BARS.turn, { ...turn, toAi: 0.051 }), false)
    assert.equal(isMet(BARS.turn, { bar: 'turn', echelon: 0 }), undefined)
    assert.equal(isMet(BARS.growth, late), false)
    assert.equal(isMet(BARS['state-update-eight'], late), undefined)
  })

  test('the table has one aligned line per bar, with the factor of a missed one', () => {
    const lines = printTable(['turn', 'growth', 'switch'], [late, turn]).split('\n')
    assert.equal(lines.length, 4)
    const [head = '', first = '', second = '', third = ''] = lines
    assert.match(first, /^one turn +2\.00 µs +50\.0 µs +0\.10 µs +0\.0400 +<= 0\.05 x ai +yes$/)
    assert.match(second, /1\.40 x +<= 1\.10 x +no, 1\.27 x the bar$/)
    assert.match(third, /^provider switch, once loaded +- .*not measured$/)
    const met = head.indexOf('met')
    assert.ok([first, second, third].every((line) => line[met - 1] === ' ' && line[met] !== ' '))
  })

  test('rounds figures to significant digits', () => {
    assert.deepEqual([1234.5, 12.34, 1.234, 0.01234].map(digits), [
      '1,235',
      '12.3',
      '1.23',
      '0.0123',
    ])
  })

  test('refuses an unknown option', () => {
    assert.throws(() => readOptions(['--onyl', 'turn']), TypeError)
    assert.deepEqual(readOptions(['--only', 'turn', '--json']).only, 'turn')
  })
})

describe('[C-33] the guard', () => {
  test('compares ratios, and times as ratios to the bare loop or the peer', () => {
    assert.equal(guarded(turn), 20)
    assert.equal(guarded(late), 1.4)
    assert.equal(guarded({ ...turn, bar: 'given', toAi: 0.2 }), 0.2)
  })

  test('sets limits 30 % above the measured figures, and finds figures above them', () => {
    const limits = limitsOf([turn, late])
    assert.deepEqual(limits, {
      turn: { measured: 20, most: 26 },
      growth: { measured: 1.4, most: 1.82 },
    })
    assert.deepEqual(exceeding([turn, late], limits), [])
    const slower = { ...turn, toBare: 26.1 }
    assert.deepEqual(exceeding([slower, late], limits), [slower])
  })

  test('a figure without a limit, or that is not a number, fails', () => {
    assert.deepEqual(exceeding([turn], {}), [turn])
    const broken = { ...turn, toBare: NaN }
    assert.deepEqual(exceeding([broken], limitsOf([turn])), [broken])
  })
})
