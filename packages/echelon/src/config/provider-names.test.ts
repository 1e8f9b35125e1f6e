import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { EchelonError } from '../core/value/error.ts'
import { configOf, type SourceTexts } from './in-tests.ts'
import type { LoadOptions } from '../compose/config.ts'

const KNOWN: LoadOptions = { providers: ['openai', 'offline', 'groq'] }
const SECRET = 'sk-proj-AAAAhunter2hunter2hunter2hunter2'

const problemsOf = async (
  texts: SourceTexts,
  options: LoadOptions = KNOWN,
): Promise<readonly unknown[]> => {
  const error: unknown = await configOf(texts, options).catch((it: unknown) => it)
  assert.ok(error instanceof EchelonError, String(error))
  return Object.values(error.details).flat()
}

suite('[R15.3] an unknown provider', () => {
  test('is reported with its place and the nearest name', async () => {
    const yaml = 'models:\n  small_model: opneai/x\nproviders:\n  opneai: {api_key: sk-1}'
    assert.deepEqual(await problemsOf({ yaml, env: { MODELS_BIG_MODEL: 'qroc/y' } }), [
      'config.yaml:2: models.small_model: no provider is called "opneai"; did you mean openai?',
      'config.yaml:4: providers.opneai.api_key: no provider is called "opneai"; did you mean openai?',
      'MODELS_BIG_MODEL: models.big_model: no provider is called "qroc"; known are openai, offline, groq, and every <key> whose package @ai-sdk/<key> is installed',
    ])
    assert.deepEqual(await problemsOf({ yaml: 'models: {ladder: [openai/a, gork/b]}' }), [
      'config.yaml:1: models.ladder: no provider is called "gork"; known are openai, offline, groq, and every <key> whose package @ai-sdk/<key> is installed',
    ])
  })

  test('is accepted if its package is installed', async () => {
    const isInstalled = (key: string): boolean => key === 'cohere'
    const yaml = 'models: {small_model: cohere/command-r}'
    const env = { COHERE_API_KEY: 'co-1' }
    const { providers } = await configOf({ yaml, env }, { ...KNOWN, isInstalled })
    assert.deepEqual(providers, { cohere: { apiKey: 'co-1' } })
  })

  test('causes only a warning in a variable, which may belong to another program', async () => {
    const { warnings } = await configOf({ env: { PROVIDERS_OPNEAI_STORE: 'true' } }, KNOWN)
    assert.deepEqual(warnings, [
      'PROVIDERS_OPNEAI_STORE: providers.opneai.store: no provider is called "opneai"; did you mean openai?',
    ])
  })

  test('is accepted if the program names it from its own registry', async () => {
    const yaml =
      'models: {small_model: mine/a, big_model: mine/b}\nproviders: {mine: {store: true}}'
    const { settings } = await configOf({ yaml }, { providers: ['mine'] })
    assert.equal(settings.models.small_model, 'mine/a')
  })
})

suite('[R15.4] a key pasted in the wrong place', () => {
  for (const [what, yaml] of [
    ['as an invalid model', `models: {small_model: "${SECRET} "}`],
    ['as the provider of a model', `models: {small_model: ${SECRET}/x}`],
    ['as a number', `budget: {max_seconds: ${SECRET}}`],
    ['in a list', `sampling: {stop: ${SECRET}}`],
    ['as a provider', `providers: {${SECRET}: {api_key: x}}`],
    ['as a provider with a wrong value', `providers: {${SECRET}: {store: x}}`],
    ['as a tool', `tools: {${SECRET}: {retries: x}}`],
    ['as a section', `tools: {${SECRET}: 5}`],
    ['as half a price', `providers: {${SECRET}: {input_usd_per_million: 1}}`],
  ] as const) {
    test(`${what} is not repeated`, async () => {
      const problems = await problemsOf({ yaml }, { ...KNOWN, tools: ['plotter'] })
      assert.doesNotMatch(problems.join(), /hunter2/)
    })
  }

  test('is not shown among the values', async () => {
    const yaml = `models: {ladder: [${SECRET}/x]}\ntools: {${SECRET}: {retries: 1}}`
    const { values } = await configOf({ yaml })
    assert.doesNotMatch(JSON.stringify(values), /hunter2/)
  })
})

test('half a price is reported with its line and the name of the other half', async () => {
  const yaml = 'providers:\n  openai:\n    output_usd_per_million: 1'
  assert.deepEqual(await problemsOf({ yaml }), [
    'config.yaml:3: providers.openai has one price of two; set input_usd_per_million too',
  ])
})
