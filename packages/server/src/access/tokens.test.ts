import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashToken, newToken, tokenUsers } from './tokens.ts'

const withHeader = (authorization?: string) => ({
  headers: new Headers(authorization === undefined ? {} : { authorization }),
})

test('each token is recognized as its own user, and anything else is refused', () => {
  const [ada, bob] = [newToken(), newToken()]
  const userOf = tokenUsers([
    { name: 'ada', sha256: hashToken(ada), agents: ['chat'] },
    { name: 'bob', sha256: hashToken(bob).toUpperCase(), isOperator: true },
  ])
  assert.deepEqual(userOf(withHeader(`Bearer ${ada}`)), { name: 'ada', agents: ['chat'] })
  assert.equal(userOf(withHeader(`bearer ${bob}`)).name, 'bob')
  const refused: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'no_token'],
    ['Bearer', 'no_token'],
    [`Basic ${ada}`, 'no_token'],
    [`Bearer ${ada}x`, 'wrong_token'],
    [`Bearer ${hashToken(ada)}`, 'wrong_token'],
    [`Bearer ${'x'.repeat(10_000)}`, 'no_token'],
  ]
  for (const [header, code] of refused) {
    assert.throws(() => userOf(withHeader(header)), { status: 401, code })
  }
})

test('a token that cannot work is refused with a sentence', () => {
  const sha256 = hashToken('x')
  const cases = [
    [{ name: 'Ada Lovelace', sha256 }, /cannot name a token/],
    [{ name: 'local', sha256 }, /name the token otherwise/],
    [{ name: 'ada', sha256: 'secret' }, /the token ada needs sha256/],
    [{ name: 'ada', sha256, usdPerDay: -1 }, /usdPerDay of the token ada is -1/],
  ] as const
  for (const [token, message] of cases) {
    assert.throws(() => tokenUsers([token]), { code: 'INVALID_CONFIG', message })
  }
  assert.throws(
    () =>
      tokenUsers([
        { name: 'a', sha256 },
        { name: 'a', sha256 },
      ]),
    /the same name/,
  )
})
