import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { type Config, type ConfigInput, KNOWN } from '../../packages/echelon/src/compose/config.ts'
import { loadConfig } from '../../packages/echelon/src/config/load.ts'
import type { ProviderSettings } from '../../packages/echelon/src/core/model/model.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { createRegistry, type Registry } from '../../packages/echelon/src/providers/registry.ts'
import {
  asBound,
  type ScriptedModel,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { calc, MATH_TASK, planOf, TOOLS } from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const WRONG = planOf(calc('1 + 1'))

interface Asked {
  readonly registry: Registry
  readonly model: ScriptedModel
  /** The resolved names, with the settings that their provider got. */
  readonly loaded: (readonly [string, ProviderSettings])[]
}

/** Providers under every key that these tests name, all with the same model. */
function asked(...answers: readonly string[]): Asked {
  const model = scriptedModel(answers)
  const loaded: (readonly [string, ProviderSettings])[] = []
  const load = (key: string) => () =>
    Promise.resolve({
      key,
      summary: '',
      models: [],
      load(modelId: string, settings: ProviderSettings) {
        loaded.push([`${key}/${modelId}`, settings])
        return Promise.resolve(asBound(model, `${key}/${modelId}`))
      },
    })
  const keys = ['openai', 'mine', 'offline', 'other']
  const registry = createRegistry(Object.fromEntries(keys.map((key) => [key, load(key)])))
  return { registry, model, loaded }
}

/** A configuration from a folder of its own, with an empty file. */
function configFor(t: TestContext, call: ConfigInput): Promise<Config> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-decider-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'config.yaml')
  writeFileSync(file, '')
  return loadConfig(KNOWN, { file, env: {}, call: { run: { artifacts: folder }, ...call } })
}

suite('a decider of a configuration', () => {
  test('[DD-18] uses its sampling settings', async (t) => {
    const { registry, model } = asked(RIGHT)
    const sampling = {
      temperature: 0,
      top_p: 0.5,
      frequency_penalty: 1,
      presence_penalty: -1,
      stop: ['\n\n', 'END'],
    }
    const config = await configFor(t, { sampling, run: { seed: 11 } })
    const decider = await createDecider({ config, registry, tools: TOOLS })
    await decider.runCase(MATH_TASK)
    const [call] = model.calls
    assert.deepEqual(
      [call?.temperature, call?.topP, call?.frequencyPenalty, call?.presencePenalty],
      [0, 0.5, 1, -1],
    )
    assert.deepEqual([call?.stopSequences, call?.seed], [['\n\n', 'END'], 11])
  })

  test('[DD-10] uses its mode and seed, unless the run sets others', async (t) => {
    const { registry, model } = asked(...Array.from({ length: 9 }, () => WRONG))
    const config = await configFor(t, {
      run: { mode: 'fallback_only', seed: 11 },
      models: { ladder: ['mine/a'] },
      budget: { max_llm_calls_small: 1 },
      modes: { hrm_small_then_escalate: { budget: { max_llm_calls_small: 2 } } },
    })
    const decider = await createDecider({ config, registry, tools: TOOLS })
    const calls = async (options = {}): Promise<readonly unknown[]> => {
      const { counters } = await decider.runCase(MATH_TASK, options)
      return [counters.llm_calls_small, model.calls.at(-1)?.seed]
    }
    assert.deepEqual(await calls(), [1, 11])
    assert.deepEqual(await calls({ seed: 5, mode: 'hrm_small_then_escalate' }), [2, 5])
  })

  test('uses its limits and servers, and options take precedence', async (t) => {
    const { registry, loaded } = asked(RIGHT, RIGHT)
    const config = await configFor(t, {
      models: { small_model: 'mine/a', big_model: 'other/b' },
      providers: { mine: { base_url: 'http://localhost:1', api_key: 'k' }, other: { store: true } },
      limits: { max_input_chars: 3 },
    })
    const strict = await createDecider({ config, registry, tools: TOOLS })
    await assert.rejects(strict.runCase(MATH_TASK), { code: 'INVALID_INPUT' })
    const decider = await createDecider({
      config,
      registry,
      tools: TOOLS,
      settings: { limits: { max_input_chars: 50 } },
      providers: { mine: { apiKey: 'own' } },
    })
    assert.equal((await decider.runCase(MATH_TASK)).answer, '345')
    assert.deepEqual(loaded, [
      ['mine/a', { baseUrl: 'http://localhost:1', apiKey: 'own', reasoning: 'least' }],
      ['other/b', { store: true }],
    ])
  })
})

suite('[R1.1] the models of a decider', () => {
  const namesOf = async (options: Parameters<typeof createDecider>[0]): Promise<unknown> => {
    const { registry, loaded } = asked(RIGHT)
    await (await createDecider({ ...options, registry, tools: TOOLS })).runCase(MATH_TASK)
    return loaded.map(([name]) => name)
  }

  test('are the offline pair if none is named, and openai with a key', async (t) => {
    assert.deepEqual(await namesOf({}), ['offline/small', 'offline/big'])
    const keyed = ['openai/gpt-5-nano', 'openai/gpt-5']
    assert.deepEqual(await namesOf({ providers: { openai: { apiKey: 'sk' } } }), keyed)
    assert.deepEqual(await namesOf({ config: await configFor(t, {}) }), [
      'offline/small',
      'offline/big',
    ])
    const config = await configFor(t, { providers: { openai: { api_key: 'sk' } } })
    assert.deepEqual(await namesOf({ config }), keyed)
  })

  test('are those of the options, before those of the configuration', async (t) => {
    const config = await configFor(t, { models: { small_model: 'mine/a', big_model: 'mine/b' } })
    assert.deepEqual(await namesOf({ config }), ['mine/a', 'mine/b'])
    assert.deepEqual(await namesOf({ config, small: 'other/c' }), ['other/c', 'mine/b'])
    assert.deepEqual(await namesOf({ config, ladder: ['other/c'] }), ['other/c'])
    const ladder = await configFor(t, { models: { ladder: ['mine/a', 'mine/b', 'mine/c'] } })
    assert.deepEqual(await namesOf({ config: ladder, small: 'other/c' }), ['other/c'])
    assert.deepEqual(await namesOf({ settings: { models: { big_model: 'mine/b' } } }), ['mine/b'])
  })
})

test('an options key is not sent to an address from an unnamed file', async (t) => {
  const read = await configFor(t, {
    providers: { openai: { base_url: 'https://keys.example/v1' } },
  })
  assert.deepEqual(read.foundAddresses, [])
  const config = { ...read, foundAddresses: ['openai'] }
  const apiKey = 'sk-own'
  await assert.rejects(createDecider({ config, providers: { openai: { apiKey } } }), {
    code: 'INVALID_CONFIG',
    message: /^the address of openai comes from a file that was not named/,
  })
  const baseUrl = 'https://keys.example/v1'
  await createDecider({ config, providers: { openai: { apiKey, baseUrl } } })
})
