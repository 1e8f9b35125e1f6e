import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { EchelonError } from '../core/value/error.ts'
import { nested } from '../core/setting/setting-tree.ts'
import { asText, configOf, heldAt, type SourceTexts, valuesFor } from './in-tests.ts'
import { KNOWN } from '../compose/config.ts'
import { describeOrigin } from './settings-source.ts'

const FIXED = KNOWN.all.filter(({ path }) => !path.includes('*'))
const OWN_MODELS = { 'models.small_model': 'x/small', 'models.big_model': 'x/big' }

type Chosen = Readonly<Record<string, unknown>>

/** Some settings with valid values. */
const some: fc.Arbitrary<Chosen> = fc
  .subarray([...FIXED])
  .chain((settings) =>
    fc.record(
      Object.fromEntries(
        settings.map((setting) => [setting.path, fc.constantFrom(...valuesFor(setting))]),
      ),
    ),
  )

const yamlOf = (chosen: Chosen): string =>
  JSON.stringify(
    nested(Object.entries(chosen).map(([path, value]) => ({ at: path.split('.'), value }))),
  )

const variableOf = (path: string): string => path.toUpperCase().replaceAll('.', '_')

const variablesOf = (chosen: Chosen): Record<string, string> =>
  Object.fromEntries(
    Object.entries(chosen).map(([path, value]) => [variableOf(path), asText(value)]),
  )

const refusalOf = async (texts: SourceTexts): Promise<readonly unknown[]> => {
  const error: unknown = await configOf(texts).catch((it: unknown) => it)
  assert.ok(error instanceof EchelonError && error.code === 'INVALID_CONFIG', String(error))
  return Object.values(error.details).flat()
}

suite('the strongest source', () => {
  test('[R15.1, R15.5, DD-17] decides a value, whatever the others say, and is named', async () => {
    await fc.assert(
      fc.asyncProperty(some, some, some, some, some, async (...sources) => {
        const [yaml, named, dotenv, env, call] = sources
        const config = await configOf(
          {
            yaml: yamlOf({ ...OWN_MODELS, ...yaml }),
            named: yamlOf(named),
            dotenv: variablesOf(dotenv),
            env: variablesOf(env),
          },
          { call: JSON.parse(yamlOf(call)) },
        )
        const shown = new Map(config.values.map((one) => [one.path, one]))
        for (const { path, default: byDefault } of FIXED) {
          const sources = [{ ...OWN_MODELS, ...yaml }, named, dotenv, env, call]
          const origins = [
            'config.yaml:1',
            'config.test.yaml:1',
            `${variableOf(path)} in .env`,
            variableOf(path),
            'call',
          ]
          const strongest = sources.findLastIndex((source) => Object.hasOwn(source, path))
          const expected =
            strongest === -1
              ? byDefault
              : Object.entries(sources[strongest] ?? {}).find(([key]) => key === path)?.[1]
          assert.deepEqual(heldAt(config, path), expected, path)
          if (expected === undefined) continue
          const { value, origin } = shown.get(path) ?? {}
          assert.deepEqual(value, expected, path)
          assert.equal(origin && describeOrigin(origin), origins[strongest] ?? 'default', path)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('[R15.2] of a number is a variable, for every numeric setting', async () => {
    const numbers = FIXED.filter(({ kind }) => /number/.test(kind.words))
    assert.ok(numbers.length >= 45, `${numbers.length}`)
    for (const setting of numbers) {
      const value = valuesFor(setting).find((one) => typeof one === 'number')
      const variable = variableOf(setting.path)
      const config = await configOf({
        yaml: yamlOf(OWN_MODELS),
        env: { [variable]: String(value) },
      })
      assert.equal(heldAt(config, setting.path), value, setting.path)
      const [problem] = await refusalOf({ env: { [variable]: 'many' } })
      assert.match(
        String(problem),
        new RegExp(`^${variable} is "many"; it must be a (?:whole )?number`),
      )
    }
  })
})

suite('a configuration without sources', () => {
  test('[R15.5, R17.4] has the documented values and no warnings', async () => {
    const { settings, warnings, gates, records, run, providers } = await configOf({})
    assert.deepEqual(
      { ...settings, models: KNOWN.table.read([], []).settings.models },
      KNOWN.table.read([], []).settings,
    )
    assert.deepEqual(warnings, [])
    assert.deepEqual(providers, {})
    assert.deepEqual(run, {
      mode: 'hrm_small_then_escalate',
      seed: null,
      artifacts: 'artifacts',
    })
    assert.deepEqual(records, {
      enable_token_cost: true,
      records_folder: '.echelon',
      cost_alert_usd: null,
      store_file: '.echelon/echelon.db',
    })
    assert.deepEqual(gates, {
      min_success_rate: 0.95,
      max_escalation_rate: 0.15,
      min_success_rate_without_gold: 0.75,
      max_escalation_rate_without_gold: 0.3,
      max_wrong_accept_rate: 0,
      max_plan_schema_error_rate: 0.02,
      max_p95_latency_seconds: 2,
      max_mean_cost_usd: null,
      max_success_drop: 0,
      max_escalation_rise: 0.02,
      max_latency_ratio: 3,
      max_cost_ratio: 1.2,
    })
  })

  test('is frozen in every part', async () => {
    const config = await configOf({ env: { OPENAI_API_KEY: 'sk-1' } })
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      assert.ok(Object.isFrozen(value))
      Object.values(value).forEach(visit)
    }
    visit(config)
  })
})

suite('[R1.1] the models', () => {
  const modelsWith = async (texts: SourceTexts): Promise<readonly unknown[]> => {
    const { settings, values } = await configOf(texts)
    const { origin } = values.find(({ path }) => path === 'models.small_model') ?? {}
    const { small_model, ladder } = settings.models
    return [small_model, ladder, origin && describeOrigin(origin)]
  }

  test('are OpenAI’s if there is a key, wherever it comes from', async () => {
    const nano = ['openai/gpt-5-nano', null, 'default']
    assert.deepEqual(await modelsWith({ env: { OPENAI_API_KEY: 'sk-1' } }), nano)
    assert.deepEqual(await modelsWith({ dotenv: { OPENAI_API_KEY: 'sk-1' } }), nano)
    assert.deepEqual(await modelsWith({ yaml: 'providers: {openai: {api_key: sk-1}}' }), nano)
    const cancelled = {
      yaml: 'providers: {openai: {api_key: sk-1}}',
      named: 'providers: {openai: {api_key: null}}',
    }
    assert.equal((await modelsWith(cancelled))[0], 'offline/small')
  })

  test('are the offline ones without a key, and the configuration says why', async () => {
    const offline = ['offline/small', null, 'default: no OPENAI_API_KEY is set']
    assert.deepEqual(await modelsWith({}), offline)
    assert.deepEqual(await modelsWith({ env: { OPENAI_API_KEY: ' ', GROQ_API_KEY: 'x' } }), offline)
  })

  test('are the single named one, and a named ladder overrides other names', async () => {
    const alone = ['x/y', ['x/y'], 'MODELS_SMALL_MODEL']
    const env = { MODELS_SMALL_MODEL: 'x/y' }
    assert.deepEqual(await modelsWith({ env }), alone)
    assert.deepEqual(await modelsWith({ env, yaml: 'models: {ladder: null}' }), alone)
    const { settings, warnings } = await configOf({ env, yaml: 'models: {ladder: [a/b]}' })
    assert.deepEqual(settings.models.ladder, ['a/b'])
    assert.deepEqual(warnings, [
      'models.small_model (MODELS_SMALL_MODEL) is not used: models.ladder (config.yaml:1) overrides it',
    ])
  })
})

suite('all problems', () => {
  test('[R15.3, R15.4] are reported at once, each with its place and the nearest name', async () => {
    const problems = await refusalOf({
      yaml: 'budget:\n  max_second: 5\n  max_tokens: -1\n\nact:\n  max_steps: [1]\n',
      named: 'colour: red\n',
      dotenv: { LIMITS_MAX_CALL_SECONDS: '0' },
      env: { FLAGS_PARALLEL_TOOLS: 'perhaps' },
    })
    assert.deepEqual(problems, [
      'config.yaml:2: budget.max_second is not a setting; did you mean max_seconds?',
      'config.yaml:3: budget.max_tokens is -1; it must be a whole number of at least 0, or null',
      'config.yaml:6: act.max_steps is [1]; it must be a whole number of at least 0, or null',
      `config.test.yaml:1: colour is not a setting; the configuration has ${[...new Set(KNOWN.all.map(({ path }) => path.split('.')[0]))].join(', ')}`,
      '.env: LIMITS_MAX_CALL_SECONDS is 0; it must be a number of at least 0.001',
      'FLAGS_PARALLEL_TOOLS is "perhaps"; it must be true or false',
    ])
  })

  test('[R15.3] include every unknown key in any section', async () => {
    const sections = [...new Set(FIXED.map(({ path }) => path.split('.').slice(0, -1).join('.')))]
    const known = new Set(FIXED.map(({ path }) => path))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sections),
        fc.stringMatching(/^[a-z_]{1,12}$/),
        async (section, key) => {
          fc.pre(!known.has(`${section}.${key}`))
          fc.pre(![...known].some((path) => path.startsWith(`${section}.${key}.`)))
          const [problem] = await refusalOf({ yaml: yamlOf({ [`${section}.${key}`]: 1 }) })
          assert.match(
            String(problem),
            new RegExp(`^config.yaml:1: ${section}.${key} is not a setting; `),
          )
        },
      ),
    )
  })

  test('[R15.4] include every value of the wrong kind in every setting', async () => {
    const wrong: readonly unknown[] = [{}, [[]], -99, 'no such thing?', '', [1], true, 0.777]
    for (const setting of FIXED) {
      const unfit = wrong.filter((value) => !setting.kind.fits(value))
      assert.ok(unfit.length > 4, setting.path)
      for (const value of unfit) {
        const [problem] = await refusalOf({
          yaml: yamlOf({ ...OWN_MODELS, [setting.path]: value }),
        })
        assert.match(String(problem), new RegExp(`^config.yaml:1: ${setting.path}.* must `))
      }
    }
  })

  test('include conflicts: rounds of a mode, half a price, an unknown tool', async () => {
    const [rounds] = await refusalOf({ yaml: 'run: {mode: fallback_only}\nact: {max_steps: 2}' })
    assert.equal(rounds, 'act.max_steps is 2; in fallback_only it may be 0 or 1')
    const [price] = await refusalOf({ yaml: 'providers: {x: {input_usd_per_million: 1}}' })
    assert.equal(
      price,
      'config.yaml:1: providers.x has one price of two; set output_usd_per_million too',
    )
    await assert.rejects(
      configOf({ yaml: 'tools:\n  ploter:\n    retries: 1' }, { tools: ['plotter'] }),
      { message: 'config.yaml:3: tools.ploter is not a tool; did you mean plotter?' },
    )
  })

  test('fit one line with the first problem and the number of others', async () => {
    await assert.rejects(configOf({ env: { ACT_MAX_STEPS: 'x', RUN_SEED: 'x' } }), {
      code: 'INVALID_CONFIG',
      message: /^RUN_SEED is "x"; it must be a whole number, or null \(and 1 more\)$/,
    })
  })
})

suite('a provider', () => {
  test('has the settings of its section, in the registry’s form', async () => {
    const { providers } = await configOf({
      yaml: `providers:
  mine.v2:
    base_url: http://localhost:1/v1
    api_key: abc
    api: chat
    store: true
    reasoning: low
    input_usd_per_million: 1
    output_usd_per_million: 2
  empty:
    api_key: null
`,
    })
    assert.deepEqual(providers, {
      'mine.v2': {
        baseUrl: 'http://localhost:1/v1',
        apiKey: 'abc',
        api: 'chat',
        store: true,
        reasoning: 'low',
        price: { inputPerMillion: 1, outputPerMillion: 2 },
      },
      empty: {},
    })
  })

  test('never has an address quoted that may hold a secret', async () => {
    for (const address of ['http://user:hunter2@h/v1', 'hunter2', 'http://h/v1?key=hunter2']) {
      const [problem] = await refusalOf({ env: { OPENAI_BASE_URL: address } })
      assert.match(String(problem), /^OPENAI_BASE_URL must be an address such as /)
      assert.doesNotMatch(String(problem), /hunter2/)
    }
  })
})
