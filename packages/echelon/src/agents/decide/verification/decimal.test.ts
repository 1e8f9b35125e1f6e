import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { canonicalDecimal } from './decimal.ts'

test('[DD-8] equal numbers have one canonical form', () => {
  const rows: readonly [spelling: string, texts: readonly string[]][] = [
    ['345', ['345', '345.0', '+345', '0345', ' 345 ', '345.', '$345.00', '€345']],
    ['-12.5', ['-12.5', '-12.50', '-012.500', '-$12.50']],
    ['1234567.89', ['1,234,567.89', '$1,234,567.890']],
    ['0', ['0', '-0', '0.000', '+0.0', '000']],
    ['0.1', ['0.1', '00.10']],
  ]
  for (const [spelling, texts] of rows) {
    for (const text of texts) assert.equal(canonicalDecimal(text), spelling, text)
  }
})

test('[DD-8] text with commas or blanks that would change the number is not a number', () => {
  for (const text of ['1,5', '1 5', '12,34', '1,2345', ',5', '1 234']) {
    assert.equal(canonicalDecimal(text), undefined, text)
  }
})

test('[DD-8] different numbers never share a form, however close they are', () => {
  const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String)
  fc.assert(
    fc.property(digits, digits, fc.stringMatching(/^\d{0,6}$/), (a, b, fraction) => {
      const same = canonicalDecimal(`${a}.${fraction}`) === canonicalDecimal(`${b}.${fraction}`)
      const isZero = Number(fraction) === 0
      assert.equal(same, a === b || (isZero && Number(a) === 0 && Number(b) === 0))
    }),
  )
  assert.notEqual(canonicalDecimal('0.30000000000000004'), canonicalDecimal('0.30000000000000000'))
})

test('text that is not a number has no form', () => {
  for (const text of ['', 'x', '1e5', '1/3', '12 apples', '1.2.3', '--1', 'Infinity', '.']) {
    assert.equal(canonicalDecimal(text), undefined, text)
  }
})
