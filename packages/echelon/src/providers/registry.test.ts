import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect, promisify } from 'node:util'
import type { Provider, ProviderSettings } from '../core/model/model.ts'
import { asBound, scriptedModel } from '../testing/scripted-model.ts'
import { createRegistry, standardProviders } from './registry.ts'

interface Loaded {
  readonly modelId: string
  readonly settings: ProviderSettings
}

/** A provider that accepts any model and records its calls. */
function recordingProvider(key: string): { provider: Provider; loaded: Loaded[] } {
  const loaded: Loaded[] = []
  const provider: Provider = {
    key,
    summary: `the ${key} provider`,
    models: ['one', 'two'],
    load: (modelId, settings) => {
      loaded.push({ modelId, settings })
      return Promise.resolve(asBound(scriptedModel([], { modelId }), `${key}/${modelId}`))
    },
  }
  return { provider, loaded }
}

const never = (): Promise<Provider> => Promise.reject(new Error('this was not to be loaded'))

test('splits a name into a key and a model id, which may contain slashes', async () => {
  const { provider, loaded } = recordingProvider('local')
  const registry = createRegistry({ local: () => Promise.resolve(provider), other: never })
  const settings = { baseUrl: 'http://localhost:1/v1' }
  assert.equal((await registry.resolve('local/small')).id, 'local/small')
  assert.equal(
    (await registry.resolve('local/meta-llama/Llama-3', { local: settings })).id,
    'local/meta-llama/Llama-3',
  )
  assert.deepEqual(loaded, [
    { modelId: 'small', settings: {} },
    { modelId: 'meta-llama/Llama-3', settings },
  ])
})

test('a model knows the key it was loaded with, but does not print it', async () => {
  const { provider } = recordingProvider('local')
  const registry = createRegistry({ local: () => Promise.resolve(provider) })
  const bound = await registry.resolve('local/small', { local: { apiKey: 'sk-wrong' } })
  assert.deepEqual(bound.secrets?.(), ['sk-wrong'])
  assert.ok(!inspect(bound, { depth: null }).includes('sk-wrong'))
  assert.equal((await registry.resolve('local/small')).secrets, undefined)
})

test('rejects an unknown name with the nearest key and the known ones', async () => {
  const registry = createRegistry({ offline: never, 'openai-compatible': never })
  const refused: readonly (readonly [string, RegExp])[] = [
    ['ofline/small', /"ofline"; did you mean offline\? known: offline, openai-compatible$/],
    ['OpenAI/gpt-5', /did you mean openai-compatible\?/],
    ['toString/small', /"toString"; known/],
    ['offline', /provider\/model, such as offline\/<model>, not "offline"$/],
    ['openai-compatible/', /such as openai-compatible\/<model>/],
    ['/small', /provider\/model/],
    ['', /provider\/model/],
  ]
  for (const [name, message] of refused) {
    const error = { name: 'EchelonError', code: 'UNKNOWN_MODEL', message }
    await assert.rejects(async () => await registry.resolve(name), error, name)
  }
})

test('[C-4] names the install command for a key that could be a package', async () => {
  const registry = createRegistry({ offline: never })
  await assert.rejects(async () => await registry.resolve('zzz/small'), {
    code: 'MISSING_PACKAGE',
    message:
      'no provider is called zzz, and @ai-sdk/zzz is not installed; run: npm install @ai-sdk/zzz@latest; known are offline',
  })
  // Installed, but not a provider.
  await assert.rejects(async () => await registry.resolve('provider-utils/x'), {
    code: 'INVALID_CONFIG',
    message: /^@ai-sdk\/provider-utils makes no language models/,
  })
  for (const key of ['..', '%2e%2e', '@evil', 'a b', '-x', 'X', 'a'.repeat(60), 'openai@3']) {
    const refused = { code: 'UNKNOWN_MODEL' }
    await assert.rejects(async () => await registry.resolve(`${key}/small`), refused, key)
  }
})

test('[C-4] resolves and lists a provider registered by key at run time', async () => {
  const registry = createRegistry({})
  assert.deepEqual(await registry.list(), [])
  const { provider } = recordingProvider('mine')
  registry.register(provider)
  assert.deepEqual(await registry.list(), [
    { key: 'mine', summary: 'the mine provider', models: ['one', 'two'] },
  ])
  assert.equal((await registry.resolve('mine/one')).id, 'mine/one')
  assert.deepEqual(await createRegistry({}).list(), [], 'another registry knows nothing of it')
})

test('rejects a taken or invalid key', async () => {
  const registry = createRegistry({ offline: never })
  for (const key of ['offline', '', 'a/b', 'Upper', ' blank']) {
    const { provider } = recordingProvider(key)
    assert.throws(() => registry.register(provider), { code: 'INVALID_CONFIG' }, key)
  }
})

test('lists the other providers when one module cannot be loaded', async () => {
  const { provider } = recordingProvider('good')
  const registry = createRegistry({ bad: never, good: () => Promise.resolve(provider) })
  const [bad, good] = await registry.list()
  assert.match(bad?.summary ?? '', /cannot be loaded: this was not to be loaded/)
  assert.equal(good?.summary, 'the good provider')
})

test('passes on a provider’s statements about a model', async () => {
  const registry = createRegistry(standardProviders)
  const error = { code: 'INVALID_CONFIG', message: /--base-url/ }
  await assert.rejects(async () => await registry.resolve('openai-compatible/small'), error)
})

test('lists the standard providers under their own keys', async () => {
  for (const [key, load] of Object.entries(standardProviders)) {
    assert.equal((await load()).key, key)
  }
  const listed = await createRegistry(standardProviders).list()
  assert.deepEqual(
    listed.map(({ key }) => key),
    Object.keys(standardProviders),
  )
  for (const { summary } of listed) assert.doesNotMatch(summary, /cannot be loaded|\n/)
})

test('[C-4] lists providers without their packages, and names the missing package on use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'echelon-registry-'))
  try {
    for (const name of ['core', 'compose/demonstration.ts', 'providers']) {
      await cp(join(import.meta.dirname, '..', name), join(folder, name), { recursive: true })
    }
    const script = `
      const url = ${JSON.stringify(pathToFileURL(join(folder, 'providers/registry.ts')).href)}
      const { createRegistry, standardProviders } = await import(url)
      const registry = createRegistry(standardProviders)
      const listed = await registry.list()
      const settings = { baseUrl: 'http://localhost:1/v1' }
      const error = await registry.resolve('openai-compatible/small', { 'openai-compatible': settings }).catch((it) => it)
      console.log(JSON.stringify({ listed, code: error.code, message: error.message }))
    `
    const args = ['--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
    const { listed, code, message } = JSON.parse(stdout)
    const server = listed.find(({ key }: { key: string }) => key === 'openai-compatible')
    assert.match(server.summary, /Ollama/)
    assert.equal(code, 'MISSING_PACKAGE')
    assert.match(message, /run: npm install @ai-sdk\/openai-compatible@3$/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('resolves a name without a slash that exactly one provider lists', async () => {
  const { provider: first, loaded } = recordingProvider('first')
  const second: Provider = { ...recordingProvider('second').provider, models: ['two', 'three'] }
  const registry = createRegistry({
    first: () => Promise.resolve(first),
    second: () => Promise.resolve(second),
    broken: never,
  })
  const settings = { baseUrl: 'http://localhost:1/v1' }
  assert.equal((await registry.resolve('one', { first: settings })).id, 'first/one')
  assert.deepEqual(loaded, [{ modelId: 'one', settings }])
  assert.equal((await registry.resolve('three')).id, 'second/three')
  await assert.rejects(async () => await registry.resolve('two'), {
    code: 'UNKNOWN_MODEL',
    message: /"two"; write first\/two or second\/two$/,
  })
  await assert.rejects(async () => await registry.resolve('four'), {
    code: 'UNKNOWN_MODEL',
    message: /provider\/model, such as first\/<model>, not "four"$/,
  })
})

test('resolves a bare OpenAI model name with the standard providers', async () => {
  const settings = { openai: { apiKey: 'key' } }
  const { id } = await createRegistry(standardProviders).resolve('gpt-5-nano', settings)
  assert.equal(id, 'openai/gpt-5-nano')
})

test('loads a provider once per registry, and again after a failure', async () => {
  const { provider } = recordingProvider('late')
  let loads = 0
  const late = (): Promise<Provider> =>
    ++loads === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve(provider)
  const registry = createRegistry({ late })
  await assert.rejects(async () => await registry.resolve('late/one'), /not yet/)
  await registry.resolve('late/one')
  await registry.resolve('late/two')
  assert.equal(loads, 2)
})
