import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { configOf } from './in-tests.ts'
import { checkProviders } from './providers.ts'

/** What JavaScript may hand over. */
const checkAny = (given: unknown): void => Reflect.apply(checkProviders, undefined, [given])

suite('[R15.4] what a program gives its providers is checked', () => {
  const price = { inputPerMillion: 1, outputPerMillion: 0 }

  test('and may be anything that they take', () => {
    checkAny({
      openai: { baseUrl: 'http://localhost:1/v1', apiKey: ' sk-1\n', api: 'chat', store: true },
      'my.own': { reasoning: 'low', price },
      blank: { baseUrl: '', apiKey: '', price: undefined },
      none: {},
    })
  })

  for (const [what, settings, message] of [
    [
      'a price that is no number',
      { price: { ...price, inputPerMillion: NaN } },
      /price must be two/,
    ],
    ['half a price', { price: { inputPerMillion: 1 } }, /x\.price must be two numbers/],
    ['a negative price', { price: { ...price, outputPerMillion: -1 } }, /x\.price must be two/],
    ['an endless price', { price: { ...price, outputPerMillion: Infinity } }, /must be two/],
    ['no price', { price: null }, /x\.price must be two numbers/],
    ['a slip', { api: 'respones' }, /^providers\.x\.api is "respones"; it must be auto or/],
    ['a wrong word', { reasoning: 'lots' }, /^providers\.x\.reasoning is "lots"; it must be least/],
    ['a word for yes', { store: 'yes' }, /store is "yes"; it must be true or false/],
    ['an address with a key', { baseUrl: 'http://h/?key=hunter2' }, /baseUrl must be an address/],
    ['a key with a line break', { apiKey: 'hunter2\nx' }, /apiKey must be a key without/],
    ['a name that is none', { base_url: 'http://h' }, /a name that is no setting|is no setting/],
    ['no object', 'sk-1', /^providers\.x must hold settings/],
  ] as const) {
    test(`and ${what} refused`, () => {
      assert.throws(
        () => checkAny({ x: settings }),
        (error) => {
          assert.ok(error instanceof Error && 'code' in error)
          assert.equal(error.code, 'INVALID_CONFIG')
          assert.match(error.message, message)
          assert.doesNotMatch(error.message, /hunter2/)
          return true
        },
      )
    })
  }
})

test('[R15.4] a key that no header can carry is refused where it is read', async () => {
  for (const key of ['sk-1\nsk-2', 'sk 1', 'schlüssel']) {
    const yaml = JSON.stringify({ providers: { openai: { api_key: key } } })
    await assert.rejects(configOf({ yaml }), {
      message:
        'config.yaml:1: providers.openai.api_key must be a key without blanks and line breaks inside, or null',
    })
    await assert.rejects(configOf({ env: { OPENAI_API_KEY: key } }), { code: 'INVALID_CONFIG' })
  }
  const { providers } = await configOf({ env: { OPENAI_API_KEY: ' sk-1\n' } })
  assert.equal(providers['openai']?.apiKey, 'sk-1')
})
