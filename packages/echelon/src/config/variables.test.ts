import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { configOf } from './in-tests.ts'
import type { LoadOptions } from '../compose/config.ts'

type Variables = Readonly<Record<string, string>>

const keysWith = async (env: Variables, options: LoadOptions = {}): Promise<unknown> => {
  const { providers } = await configOf({ env }, options)
  return Object.fromEntries(Object.entries(providers).map(([key, one]) => [key, one.apiKey]))
}

const warningsOf = async (env: Variables, options: LoadOptions = {}): Promise<unknown> =>
  (await configOf({ env, yaml: 'models: {small_model: a/b, big_model: a/c}' }, options)).warnings

suite('keys and addresses of providers', () => {
  test('come from the customary variables', async () => {
    const env = {
      OPENAI_API_KEY: 'o',
      ANTHROPIC_API_KEY: 'a',
      GOOGLE_GENERATIVE_AI_API_KEY: 'g',
      ECHELON_API_KEY: 'e',
      OPENAI_COMPATIBLE_BASE_URL: 'http://localhost:1/v1',
    }
    const { providers } = await configOf({ env })
    assert.deepEqual(providers, {
      openai: { apiKey: 'o' },
      anthropic: { apiKey: 'a' },
      google: { apiKey: 'g' },
      'openai-compatible': { apiKey: 'e', baseUrl: 'http://localhost:1/v1' },
    })
    assert.deepEqual(await keysWith({ GEMINI_API_KEY: 'm' }), { google: 'm' })
    assert.deepEqual(await keysWith({ GEMINI_API_KEY: 'm', GOOGLE_GENERATIVE_AI_API_KEY: 'g' }), {
      google: 'g',
    })
  })

  test('are read only for providers that are named', async () => {
    const env = { GROQ_API_KEY: 'q', DATADOG_API_KEY: 'd', MY_OWN_API_KEY: 'm' }
    assert.deepEqual(await keysWith(env), {})
    assert.deepEqual(await keysWith(env, { providers: ['groq'] }), { groq: 'q' })
    assert.deepEqual(await keysWith({ ...env, MODELS_SMALL_MODEL: 'groq/llama' }), { groq: 'q' })
    assert.deepEqual(await keysWith(env, { call: { models: { ladder: ['my-own/x'] } } }), {
      'my-own': 'm',
    })
    const { providers } = await configOf({ env, yaml: 'providers: {groq: {api: chat}}' })
    assert.deepEqual(providers, { groq: { api: 'chat', apiKey: 'q' } })
  })

  test('have our own variables too, which are stronger, for every setting', async () => {
    assert.deepEqual(await keysWith({ OPENAI_API_KEY: 'o', PROVIDERS_OPENAI_API_KEY: 'p' }), {
      openai: 'p',
    })
    const { providers } = await configOf({
      env: {
        PROVIDERS_MY_OWN_INPUT_USD_PER_MILLION: '1',
        PROVIDERS_MY_OWN_OUTPUT_USD_PER_MILLION: '2',
        PROVIDERS_MY_OWN_STORE: 'true',
        PROVIDERS_MY_OWN_API: 'chat',
      },
    })
    assert.deepEqual(providers, {
      'my-own': { api: 'chat', store: true, price: { inputPerMillion: 1, outputPerMillion: 2 } },
    })
  })

  test('are absent if a customary variable is empty', async () => {
    const yaml = 'providers: {openai: {api_key: sk-file}}'
    for (const OPENAI_API_KEY of ['', '  ']) {
      const { providers } = await configOf({ yaml, env: { OPENAI_API_KEY } })
      assert.equal(providers['openai']?.apiKey, 'sk-file')
    }
  })
})

suite('variables of tools and modes', () => {
  test('[DD-10] contain a name', async () => {
    const env = {
      TOOLS_DATA_FETCH_STOCK_RETRIES: '5',
      MODES_FALLBACK_ONLY_BUDGET_MAX_SECONDS: '7',
      MODES_HRM_SMALL_THEN_ESCALATE_ACT_MAX_STEPS: '2',
    }
    const { settings } = await configOf({ env })
    assert.deepEqual(settings.tools, { data_fetch_stock: { retries: 5 } })
    assert.deepEqual(settings.modes, {
      fallback_only: { budget: { max_seconds: 7 } },
      hrm_small_then_escalate: { act: { max_steps: 2 } },
    })
  })

  test('set the tool with that spelling, and none if several match', async () => {
    const env = { TOOLS_MY_TOOL_RETRIES: '5' }
    const { settings } = await configOf({ env }, { tools: ['myTool', 'My-Tool'] })
    assert.deepEqual(settings.tools, { 'My-Tool': { retries: 5 } })
    assert.deepEqual(await warningsOf(env, { tools: ['my-tool', 'my_tool'] }), [
      'TOOLS_MY_TOOL_RETRIES may mean my-tool or my_tool; set it in the file instead',
    ])
  })
})

suite('a misspelled variable', () => {
  test('causes a warning with the right name', async () => {
    assert.deepEqual(await warningsOf({ BUDGET_MAX_SECOND: '5' }), [
      'BUDGET_MAX_SECOND is not a setting; did you mean BUDGET_MAX_SECONDS?',
    ])
    assert.deepEqual(await warningsOf({ CI_GATES_MIN_SUCESS_RATE: '1', MODELS_SMALL: 'x' }), [
      'CI_GATES_MIN_SUCESS_RATE is not a setting; did you mean CI_GATES_MIN_SUCCESS_RATE?',
      'MODELS_SMALL is not a setting; did you mean MODELS_SMALL_MODEL?',
    ])
  })

  test('causes one also if it contains the name of a provider or a tool', async () => {
    const env = { PROVIDERS_OPENAI_APIKEY: 'sk-1', TOOLS_PLOTTER_RETRY: '1' }
    assert.deepEqual(await warningsOf(env, { tools: ['plotter'] }), [
      'PROVIDERS_OPENAI_APIKEY is not a setting; did you mean PROVIDERS_OPENAI_API_KEY?',
      'TOOLS_PLOTTER_RETRY is not a setting; did you mean TOOLS_PLOTTER_RETRIES?',
    ])
  })

  test('causes one if the typo is in the prefix or the program’s name precedes it', async () => {
    const env = { BUDGT_MAX_SECONDS: '1', ECHELON_BUDGET_MAX_SECONDS: '1', ECHELON_RUN_SEED: '1' }
    assert.deepEqual(await warningsOf(env), [
      'BUDGT_MAX_SECONDS is not a setting; did you mean BUDGET_MAX_SECONDS?',
      'ECHELON_BUDGET_MAX_SECONDS is not a setting; did you mean BUDGET_MAX_SECONDS?',
      'ECHELON_RUN_SEED is not a setting; did you mean RUN_SEED?',
    ])
  })

  test('is not one that a command reads itself, such as the token of a server', async () => {
    const env = {
      ECHELON_DATABASE: 'postgres://db/echelon',
      ECHELON_ENV: 'test',
      ECHELON_RELEASE: '1',
      ECHELON_SERVER_TOKEN: 'a-token-of-an-operator',
      ECHELON_WORKER: 'one',
    }
    assert.deepEqual(await warningsOf(env), [])
    assert.deepEqual(await warningsOf({ ECHELON_SERVER_TOKENZ: 'x' }), [
      'ECHELON_SERVER_TOKENZ is not a setting; did you mean SERVER_TOKENS?',
    ])
  })

  test('is ignored if it is less similar or starts differently', async () => {
    const env = {
      RUN_AS_USER: '1',
      TOOLS_DIR: '/x',
      TELEMETRY_DISABLED: '1',
      MAX_SECONDS: '5',
      PATH: '/',
      ECHELON_ENV: '',
      GROQ_API_KEY: 'q',
      NODE_ENV: 'test',
    }
    assert.deepEqual(await warningsOf(env), [])
  })
})

suite('an empty variable', () => {
  test('[R15.2] does not count as a value and lifts no limit, unlike null', async () => {
    const yaml = 'budget: {max_cost_usd: 0.5, max_seconds: 7}\nsampling: {stop: [x]}'
    const names = ['BUDGET_MAX_COST_USD', 'BUDGET_MAX_SECONDS', 'SAMPLING_STOP', 'RUN_MODE']
    for (const nothing of ['', '  ']) {
      const env = Object.fromEntries(names.map((name) => [name, nothing]))
      const { settings } = await configOf({ yaml, env, dotenv: env })
      const { max_cost_usd, max_seconds } = settings.budget
      assert.deepEqual([max_cost_usd, max_seconds, settings.sampling.stop], [0.5, 7, ['x']])
    }
    const env = { BUDGET_MAX_COST_USD: 'null', TELEMETRY_RECORDS_FOLDER: 'null' }
    const { settings, records } = await configOf({ yaml, env })
    assert.deepEqual([settings.budget.max_cost_usd, records.records_folder], [null, null])
  })

  test('hides no value of a weaker source', async () => {
    const { settings } = await configOf({
      dotenv: { BUDGET_MAX_TOKENS: '5', SAMPLING_STOP: 'a, b' },
      env: { BUDGET_MAX_TOKENS: '', SAMPLING_STOP: '' },
    })
    assert.deepEqual([settings.budget.max_tokens, settings.sampling.stop], [5, ['a', 'b']])
  })

  test('is not an empty list, unlike a single comma', async () => {
    const { settings } = await configOf({
      yaml: 'sampling: {stop: [x]}',
      env: { SAMPLING_STOP: ',' },
    })
    assert.deepEqual(settings.sampling.stop, [])
  })
})
