import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createMistral } from '@ai-sdk/mistral'
import { createMistral as createV2 } from 'mistral-v2'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  createRegistry,
  registerProvider,
  type SettingsByProvider,
  standardProviders,
} from '../../packages/echelon/src/providers.ts'
import { readResult, readStream } from '../../packages/echelon/src/runtime/model/model-answer.ts'
import { toProblem } from '../../packages/echelon/src/runtime/model/provider-problem.ts'
import {
  type ServerAnswer,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'

const ASK = { prompt: [userMessage('how much is 6 * 7?')] }
const REPLY: ServerAnswer = { type: 'reply', text: ['4', '2'], usage: { input: 9, output: 2 } }

async function failureOf({ model, normalizeError }: BoundModel) {
  const call = async (): Promise<unknown> => await model.doGenerate(ASK)
  const error = await call().then(
    () => assert.fail('this was to fail'),
    (reason: unknown) => reason,
  )
  return toProblem(error, 1, normalizeError)
}

suite('[C-4] a key that nobody registered is that of a package of the AI SDK', () => {
  /** There is a preset of that name, but this registry was not given it. */
  const registry = createRegistry({})
  const resolve = async (name: string, settings: SettingsByProvider): Promise<BoundModel> =>
    await registry.resolve(name, settings)

  test('whose models answer, stream and fail like any other', async () => {
    await using server = await startModelServer([
      REPLY,
      REPLY,
      { type: 'status', status: 429, message: 'slow', headers: { 'retry-after': '2' } },
      { type: 'status', status: 400, message: 'gone', code: 'model_not_found' },
    ])
    const bound = await resolve('mistral/mistral-small-latest', {
      mistral: {
        baseUrl: server.baseUrl,
        apiKey: 'a-key',
        additional: { headers: { 'x-team': 'blue' } },
        sampling: { temperature: 0.3, topP: 0.5 },
        price: { inputPerMillion: 1, outputPerMillion: 2 },
      },
    })
    assert.equal(bound.id, 'mistral/mistral-small-latest')
    assert.equal(bound.price({ input: 1e6, output: 1e6 }), 3)
    const whole = readResult(await bound.model.doGenerate({ ...ASK, topP: 0.9 }))
    const { stream } = await bound.model.doStream(ASK)
    const streamed = await readStream(stream, () => undefined)
    assert.deepEqual([whole.text, streamed.text], ['42', '42'])
    assert.deepEqual(whole.usage, { input: 9, output: 2 })
    const [{ headers, body } = assert.fail('nothing was asked'), second] = server.requests
    assert.equal(headers.authorization, 'Bearer a-key')
    assert.equal(headers['x-team'], 'blue')
    assert.deepEqual([body['temperature'], body['top_p']], [0.3, 0.9])
    assert.deepEqual([second?.body['temperature'], second?.body['top_p']], [0.3, 0.5])
    const slow = await failureOf(bound)
    assert.deepEqual([slow.code, slow.retryAfterMs], ['rate-limit', 2000])
    assert.equal((await failureOf(bound)).code, 'not-found')
  })

  test('which reads its key from its own variable, or reports it missing when it is called', async (t) => {
    await using server = await startModelServer([REPLY])
    const settings = { mistral: { baseUrl: server.baseUrl } }
    const before = process.env['MISTRAL_API_KEY']
    t.after(() => {
      if (before === undefined) delete process.env['MISTRAL_API_KEY']
      else process.env['MISTRAL_API_KEY'] = before
    })
    delete process.env['MISTRAL_API_KEY']
    const bound = await resolve('mistral/mistral-small-latest', settings)
    const problem = await failureOf(bound)
    assert.deepEqual([problem.code, problem.retryable], ['auth', false])
    assert.match(problem.message, /MISTRAL_API_KEY/)
    process.env['MISTRAL_API_KEY'] = 'from-the-package'
    await bound.model.doGenerate(ASK)
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer from-the-package')
  })

  test('and gets no unsupported requests', async () => {
    for (const settings of [{ api: 'chat' }, { store: true }] as const) {
      await assert.rejects(async () => await resolve('mistral/m', { mistral: settings }), {
        code: 'INVALID_CONFIG',
      })
    }
  })
})

suite('[C-4] a provider is registered for the whole process', () => {
  const acme = {
    key: 'acme',
    summary: 'models of Acme',
    models: ['acme-1'],
    create: createMistral,
    normalizeError: (error: unknown) =>
      error instanceof Error && 'responseBody' in error && /anvil/.test(String(error.responseBody))
        ? ({ message: 'wait for the anvil', type: 'unavailable' } as const)
        : undefined,
  }
  const before = createRegistry(standardProviders)

  test("by a module in the AI SDK's terms, found by every registry", async () => {
    registerProvider(acme)
    const after = createRegistry({})
    assert.deepEqual(after.keys(), ['acme'])
    assert.deepEqual(before.keys(), [...Object.keys(standardProviders), 'acme'])
    const listed = { key: 'acme', summary: 'models of Acme', models: ['acme-1'] }
    assert.deepEqual(await after.list(), [listed])
    assert.deepEqual((await before.list()).at(-1), listed)
    await using server = await startModelServer([
      REPLY,
      { type: 'status', status: 400, message: 'the anvil fell' },
    ])
    const settings = { acme: { baseUrl: server.baseUrl, apiKey: 'k' } }
    const bound = await before.resolve('acme-1', settings)
    assert.equal(bound.id, 'acme/acme-1')
    assert.equal(readResult(await bound.model.doGenerate(ASK)).text, '42')
    const { code, message, retryable } = await failureOf(bound)
    assert.deepEqual([code, message, retryable], ['unavailable', 'wait for the anvil', true])
  })

  test('or as an Echelon provider, whose error normalizer its models get', async () => {
    const normalizeError = () => ({ message: 'no', type: 'quota' }) as const
    registerProvider({
      key: 'ours',
      summary: 'models of ours',
      models: [],
      normalizeError,
      load: (modelId) => Promise.resolve(asBound(scriptedModel([]), `ours/${modelId}`)),
    })
    assert.equal((await before.resolve('ours/x')).normalizeError, normalizeError)
  })

  test('once per key; a registry may have its own', async () => {
    assert.throws(() => registerProvider(acme), { code: 'INVALID_CONFIG', message: /already/ })
    assert.throws(() => registerProvider({ ...acme, key: 'A/b' }), { code: 'INVALID_CONFIG' })
    const own = createRegistry({})
    own.register({ ...acme, summary: 'my own Acme' })
    assert.deepEqual(
      (await own.list()).map(({ key, summary }) => `${key}: ${summary}`),
      ['acme: my own Acme', 'ours: models of ours'],
    )
  })

  test('and an outdated package is rejected when one of its models is loaded', async () => {
    const own = createRegistry({})
    own.register({ key: 'old', create: createV2 })
    await assert.rejects(async () => await own.resolve('old/m', { old: { apiKey: 'k' } }), {
      code: 'INVALID_DEFINITION',
      message: /version v2 .* npm install @ai-sdk\/mistral@latest$/,
    })
  })
})

test('[C-4] the keys are known at once, without loading anything', () => {
  const never = () => assert.fail('this was not to be loaded')
  assert.deepEqual(createRegistry({ one: never, two: never }).keys().slice(0, 2), ['one', 'two'])
})

test('[C-5] the same model with the same settings is loaded once, and again after each change', async () => {
  let loads = 0
  const registry = createRegistry({})
  registry.register({
    key: 'counted',
    summary: '',
    models: [],
    load: (modelId) => {
      loads++
      return Promise.resolve(asBound(scriptedModel([]), `counted/${modelId}`))
    },
  })
  const at = async (modelId: string, settings: object): Promise<BoundModel> =>
    await registry.resolve(`counted/${modelId}`, { counted: settings })
  const first = await at('a', { apiKey: 'k' })
  assert.equal(await at('a', { apiKey: 'k' }), first)
  const others = [
    await at('b', { apiKey: 'k' }),
    await at('a', { apiKey: 'l' }),
    await at('a', { apiKey: 'k', additional: { organization: 'o' } }),
    await at('a', { apiKey: 'k', sampling: { seed: 1 } }),
    await at('a', {}),
  ]
  assert.equal(new Set([first, ...others]).size, 6)
  assert.equal(loads, 6)
  // Settings that cannot be compared are loaded each time.
  const additional = { fetch: globalThis.fetch }
  assert.notEqual(await at('a', { additional }), await at('a', { additional }))
  // The first one is dropped after many others.
  for (let one = 0; one < 100; one++) await at('many', { apiKey: String(one) })
  assert.notEqual(await at('a', { apiKey: 'k' }), first)
})
