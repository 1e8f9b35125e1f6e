import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysCovered, heading } from './wording.ts'

const days = (...dates: readonly string[]) => dates.map((date) => ({ date, close: 1 }))

test('the days covered repeat no year', () => {
  assert.equal(
    daysCovered(days('2018-03-29', '2018-04-02', '2018-05-11')),
    'March 29 to May 11, 2018 (3 trading days)',
  )
  assert.equal(
    daysCovered(days('2017-12-28', '2018-01-02')),
    'December 28, 2017 to January 2, 2018 (2 trading days)',
  )
  assert.equal(daysCovered(days('2018-05-11')), 'May 11, 2018 (1 trading day)')
  const many = Array.from({ length: 1260 }, () => '2018-05-11')
  assert.match(daysCovered(days(...many)), /\(1,260 trading days\)$/)
})

test('the heading is the title, or names what is drawn', () => {
  assert.equal(heading({ title: ' AAPL\n\u2028and more ', ma7: [] }), 'AAPL and more')
  assert.equal(heading({ title: 'Ünïcødé Ж Ω €', ma7: [] }), 'Ünïcødé Ж Ω €')
  for (const title of [null, ' \t', '株価', 'AAPL \u{1f4c8}']) {
    assert.equal(heading({ title, ma7: [null] }), 'Closing price')
    assert.equal(heading({ title, ma7: [null, 3] }), 'Closing price and 7-day average')
  }
})
