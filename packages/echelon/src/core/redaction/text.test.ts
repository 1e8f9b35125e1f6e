import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { redactText } from './redaction.ts'

test('[R19.2] escapes before a match are not part of it and stay', () => {
  for (const [secret, left] of [
    ['0171 3920012', '[redacted:phone]'],
    ['4111111111111111', '[redacted:card]'],
    ['ann@example.org', '[redacted:email]'],
    ['sk-proj-abcdefghijkl', '[redacted:secret]'],
  ] as const) {
    for (const escape of ['\\n', '\\t', '\\r\\n', '\\\\n']) {
      assert.equal(redactText(`a${escape}${secret}${escape}b`), `a${escape}${left}${escape}b`)
    }
  }
})

test('[R19.2] percent-encoding does not hide a secret; harmless text stays encoded', () => {
  const secret = encodeURIComponent('call 0171 3920012 or ann@example.org')
  assert.equal(
    redactText(`https://example.org/?q=${secret}&n=2`),
    'https://example.org/?q=call%20[redacted:phone]%20or%20[redacted:email]&n=2',
  )
  for (const text of [
    'https://example.org/a%20b?c=%C3%BC',
    '20%40',
    '100%ab',
    '5%2B3',
    '%',
    '%zz%4',
  ])
    assert.equal(redactText(text), text)
})

test('any text can be redacted, and a second pass changes nothing', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '"',
      "'",
      '\\',
      '\\"',
      '{',
      '}',
      '[',
      ']',
      ':',
      '=',
      'token',
      'password',
      '<',
      '>',
      '%2',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const once = redactText(pieces.join(''))
      assert.equal(typeof once, 'string')
      assert.equal(redactText(once), once)
    }),
    { numRuns: 3000, seed: 11 },
  )
})
