import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { configOf } from './in-tests.ts'
import { checkProviders } from './providers.ts'

/** Passes any value, as JavaScript callers can. */
const checkAny = (given: unknown): void => Reflect.apply(checkProviders, undefined, [given])

suite('[R15.4] provider settings of a program are checked', () => {
  const price = { inputPerMillion: 1, outputPerMillion: 0 }

  test('and every valid form is accepted', () => {
    checkAny({
      openai: { baseUrl: 'http://localhost:1/v1', apiKey: ' sk-1\n', api: 'chat', store: true },
      'my.own': { reasoning: 'low', price },
      words: {
        sampling: { temperature: 0, topP: 1, stop: ['\n'], seed: 7, presencePenalty: -2 },
        additional: { organization: 'o', fetch: globalThis.fetch },
      },
      blank: { baseUrl: '', apiKey: '', price: undefined },
      none: {},
    })
  })

  for (const [what, settings, message] of [
    [
      'a price that is not a number',
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
    ['an invalid name', { base_url: 'http://h' }, /a name that is not a setting|is not a setting/],
    ['a word of sampling', { sampling: { temprature: 1 } }, /x\.sampling .* must be an object of/],
    ['too much of it', { sampling: { temperature: 3 } }, /temperature \(a number from 0 to 2\)/],
    ['a key by another way', { additional: { apiKey: 'hunter2' } }, /additional must be names/],
    ['an address by another way', { additional: { baseURL: 'hunter2' } }, /without apiKey and/],
    ['a text for names', { additional: 'hunter2' }, /additional must be names and values/],
    ['no object', 'sk-1', /^providers\.x must hold settings/],
  ] as const) {
    test(`and ${what} rejected`, () => {
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

test('[R15.4] a key that no header can carry is rejected when it is read', async () => {
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

suite('[C-16] provider settings in a configuration', () => {
  test('reach the provider from file, environment and call', async () => {
    const yaml = `providers:
  openai:
    base_url: http://localhost:1/v1
    sampling: {temperature: 0.3, stop: [END]}
    additional: {organization: org-1, headers: {x-team: blue}}
  cohere:
    additional: null
`
    const env = {
      OPENAI_API_KEY: 'sk-1',
      PROVIDERS_OPENAI_SAMPLING_TOP_P: '0.5',
      PROVIDERS_COHERE_SAMPLING_SEED: '7',
      PROVIDERS_GROQ_ADDITIONAL: '{"headers":{"x-team":"red"}}',
    }
    const call = { providers: { openai: { sampling: { temperature: 0.4, top_p: null } } } }
    const { providers } = await configOf({ yaml, env, isNamed: true }, { call })
    assert.deepEqual(providers, {
      openai: {
        baseUrl: 'http://localhost:1/v1',
        apiKey: 'sk-1',
        sampling: { temperature: 0.4, stop: ['END'] },
        additional: { organization: 'org-1', headers: { 'x-team': 'blue' } },
      },
      cohere: { sampling: { seed: 7 } },
      groq: { additional: { headers: { 'x-team': 'red' } } },
    })
  })

  test('are rejected if invalid, without being quoted', async () => {
    for (const [settings, message] of [
      ['sampling: {temperature: 3}', /sampling\.temperature is 3; it must be a number from 0 to 2/],
      [
        'sampling: {temprature: 1}',
        /temprature is not a setting; did you mean temperature\?|no setting/,
      ],
      ['additional: {baseURL: https://hunter2.example}', /without apiKey and baseURL/],
      ['additional: {apiKey: hunter2}', /without apiKey and baseURL/],
      ['additional: hunter2', /additional must be names and values/],
    ] as const) {
      await assert.rejects(
        configOf({ yaml: `providers:\n  openai:\n    ${settings}` }),
        (error) => {
          assert.ok(error instanceof Error)
          assert.match(error.message, message)
          assert.doesNotMatch(error.message, /hunter2/)
          return true
        },
      )
    }
  })

  test('are shown by name only', async () => {
    const yaml = 'providers: {openai: {additional: {headers: {authorization: hunter2, n: [1]}}}}'
    const { values } = await configOf({ yaml })
    const shown = values.find(({ path }) => path === 'providers.openai.additional')
    assert.deepEqual(shown?.value, { headers: { authorization: '…', n: [1] } })
  })
})
