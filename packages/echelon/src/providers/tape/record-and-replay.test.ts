import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { isRecord } from '../../core/value/json.ts'
import type { BoundModel } from '../../core/model/model.ts'
import { type ServerAnswer, startModelServer } from '../../testing/local-model-server.ts'
import { apiError, asBound, scriptedModel } from '../../testing/scripted-model.ts'
import { createRegistry, type SettingsByProvider, standardProviders } from '../registry.ts'
import { cleanedParts } from './cleaned-parts.ts'
import { toJson } from './json-form.ts'
import { recordingRegistry } from './recording-registry.ts'
import { startModelRecording } from './recording.ts'
import { replayingRegistry } from './replaying-registry.ts'
import { cleaner } from './secrets.ts'
import { type ModelTape, readModelTape } from './tape.ts'

// ---- a model on a tape ----

const asking = (text: string): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
})
const ASK = asking('how much is 6 * 7?')

type Use = (model: LanguageModelV4) => Promise<unknown>

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-tape-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'calls.jsonl')
}

/** Records a model while it is used, and returns the path of the tape. */
async function record(path: string, bound: BoundModel, use: Use): Promise<string> {
  const registry = createRegistry({
    scripted: () =>
      Promise.resolve({
        key: 'scripted',
        summary: '',
        models: [],
        load: () => Promise.resolve(bound),
      }),
  })
  const recording = startModelRecording(path)
  await use((await recordingRegistry(registry, recording).resolve('scripted/scripted')).model)
  assert.equal(recording.close(), undefined)
  return path
}

interface Replay {
  readonly model: LanguageModelV4
  readonly tape: ModelTape
}

async function replay(path: string, name = 'scripted/scripted'): Promise<Replay> {
  const tape = await readModelTape(path)
  return { tape, model: (await replayingRegistry(tape).resolve(name)).model }
}

/** The answer or error of a model, with the parts or the error of its stream. */
async function answerOf(
  model: LanguageModelV4,
  options = ASK,
): Promise<Partial<LanguageModelV4GenerateResult> & { readonly failure?: unknown }> {
  try {
    return await model.doGenerate(options)
  } catch (failure) {
    return { failure }
  }
}

const ask = async (model: LanguageModelV4, options = ASK): Promise<LanguageModelV4GenerateResult> =>
  await model.doGenerate(options)

async function streamOf(
  model: LanguageModelV4,
  options = ASK,
): Promise<{ readonly parts: LanguageModelV4StreamPart[]; readonly failure?: unknown }> {
  const parts: LanguageModelV4StreamPart[] = []
  try {
    for await (const part of (await model.doStream(options)).stream) parts.push(part)
    return { parts }
  } catch (failure) {
    return { parts, failure }
  }
}

/** Without undefined fields, which JSON omits. */
function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present)
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value ?? ''))
  if (!isRecord(value) || !isPlain) return value
  const kept = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(kept.map(([name, one]) => [name, present(one)]))
}

// ---- round trips ----

const text = fc.string({ unit: 'binary' })
const name = fc.oneof(text, fc.constantFrom('$date', '$$url', '$fileText', '$error', '__proto__'))
/** JSON has no -0. */
const json = fc.jsonValue().map((value): typeof value => JSON.parse(JSON.stringify(value)))
const options = { providerMetadata: fc.dictionary(text, fc.dictionary(name, json)) }
const tokens = fc.option(fc.nat(), { nil: undefined })
const date = fc.date({ noInvalidDate: true })

const content = fc.oneof(
  fc.record({ type: fc.constant('text'), text, ...options }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: fc.constant('reasoning'), text }),
  fc.record({
    type: fc.constant('tool-call'),
    toolCallId: text,
    toolName: text,
    input: fc.json(),
  }),
  fc.record({
    type: fc.constant('file'),
    mediaType: fc.constant('image/png'),
    data: fc.oneof(
      fc.record({ type: fc.constant('data'), data: fc.oneof(text, fc.uint8Array()) }),
      fc.record({ type: fc.constant('url'), url: fc.webUrl().map((url) => new URL(url)) }),
    ),
  }),
)
const end = {
  finishReason: fc.record({
    unified: fc.constantFrom('stop', 'length', 'tool-calls'),
    raw: fc.option(text, { nil: undefined }),
  }),
  usage: fc.record({
    inputTokens: fc.record({
      total: tokens,
      noCache: tokens,
      cacheRead: tokens,
      cacheWrite: tokens,
    }),
    outputTokens: fc.record({ total: tokens, text: tokens, reasoning: tokens }),
  }),
}
const warnings = fc.array(fc.record({ type: fc.constant('other'), message: text }))
const response = fc.record({ id: text, timestamp: date, modelId: text }, { requiredKeys: [] })
const results: fc.Arbitrary<LanguageModelV4GenerateResult> = fc.record(
  { content: fc.array(content), ...end, ...options, response, warnings },
  { requiredKeys: ['content', 'finishReason', 'usage', 'warnings'] },
)
const piece = { id: text, delta: text }
const streamParts: fc.Arbitrary<LanguageModelV4StreamPart> = fc.oneof(
  fc.record({ type: fc.constant('stream-start'), warnings }),
  response.map((metadata) => ({ type: 'response-metadata', ...metadata }) as const),
  fc.record({ type: fc.constant('text-start'), id: text }),
  fc.record({ type: fc.constant('text-delta'), ...piece }),
  fc.record({ type: fc.constant('reasoning-delta'), ...piece }),
  fc.record({ type: fc.constant('error'), error: json }),
  fc.record({ type: fc.constant('finish'), ...end }),
  fc.constant({ type: 'ping' } as const),
)

/** A model with one answer, streamed or not. */
function giving(
  answer: LanguageModelV4GenerateResult,
  parts: readonly LanguageModelV4StreamPart[] = [],
): BoundModel {
  return asBound({
    ...scriptedModel([]),
    doGenerate: () => Promise.resolve(answer),
    doStream: () => Promise.resolve({ stream: ReadableStream.from(parts) }),
  })
}

suite('[C-34] a recording replays', () => {
  const clean = cleaner()

  test('every answer', async (t) => {
    const path = fileFor(t)
    await fc.assert(
      fc.asyncProperty(results, async (answer) => {
        const json = toJson(answer)
        fc.pre(JSON.stringify(clean(json)) === JSON.stringify(json))
        rmSync(path, { force: true })
        await record(path, giving(answer), answerOf)
        const { model, tape } = await replay(path)
        assert.deepEqual(await answerOf(model), present(answer))
        assert.deepEqual(tape.unused(), [])
      }),
    )
  })

  test('every stream', async (t) => {
    const path = fileFor(t)
    await fc.assert(
      fc.asyncProperty(fc.array(streamParts), async (parts) => {
        const json = parts.map((part) => toJson(part))
        fc.pre(JSON.stringify(cleanedParts(json, clean)) === JSON.stringify(json))
        rmSync(path, { force: true })
        await record(path, giving(EMPTY, parts), streamOf)
        const { model } = await replay(path)
        assert.deepEqual(await streamOf(model), { parts: present(parts) })
      }),
    )
  })

  test('answers of a real client, streamed or not, without the server', async (t) => {
    const reply: ServerAnswer = { type: 'reply', text: ['4', '2'], usage: { input: 12, output: 2 } }
    const calls: ServerAnswer = { type: 'reply', toolCalls: [{ tool: 'add', input: { a: 1 } }] }
    const server = await startModelServer([reply, calls, reply, calls])
    const name = 'openai-compatible/m'
    const settings = { 'openai-compatible': { baseUrl: server.baseUrl } }
    const path = fileFor(t)
    const recording = startModelRecording(path)
    const registry = recordingRegistry(createRegistry(standardProviders), recording)
    const { model } = await registry.resolve(name, settings)
    const whole = [await answerOf(model), await answerOf(model)]
    const streamed = [await streamOf(model), await streamOf(model)]
    recording.close()
    await server.close()
    const { model: again } = await replay(path, name)
    const bare = whole.map((answer) => {
      const { request: _, response, ...rest } = answer
      const { headers: _headers, body: _body, ...kept } = response ?? {}
      return { ...rest, response: kept }
    })
    assert.deepEqual([await answerOf(again), await answerOf(again)], present(bare))
    assert.deepEqual([await streamOf(again), await streamOf(again)], present(streamed))
    assert.deepEqual([again.provider, again.modelId], [model.provider, model.modelId])
  })
})

const EMPTY: LanguageModelV4GenerateResult = {
  content: [],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
  warnings: [],
}

// ---- failures ----

suite('a failure replays', () => {
  test('as an error that callers treat like the original', async (t) => {
    const headers = { 'retry-after': '7', 'set-cookie': 'a=b' }
    const error = apiError(429, { code: 'insufficient_quota', message: 'no', headers })
    const model = asBound(scriptedModel([{ error }, { error }]))
    const path = await record(fileFor(t), model, async (one) => {
      assert.deepEqual(await answerOf(one), { failure: error })
      assert.deepEqual(await streamOf(one), { parts: [], failure: error })
    })
    const again = (await replay(path)).model
    for (const { failure } of [await answerOf(again), await streamOf(again)]) {
      assert.ok(failure instanceof Error && isRecord(failure))
      assert.deepEqual(Object.fromEntries(Object.entries(failure)), {
        name: 'AI_APICallError',
        message: 'no',
        statusCode: 429,
        isRetryable: true,
        responseHeaders: { 'retry-after': '7' },
        data: error.data,
        responseBody: error.responseBody,
      })
    }
  })

  test('as a stream that fails at the same part, or contains an error part', async (t) => {
    const error = apiError(undefined, { message: 'the line is cut' })
    const script = [
      { error, after: ['4'] },
      { error, after: ['4'], as: 'part' },
    ] as const
    const path = await record(fileFor(t), asBound(scriptedModel(script)), async (one) => {
      await streamOf(one)
      await streamOf(one)
    })
    const again = (await replay(path)).model
    const cut = await streamOf(again)
    assert.deepEqual(
      cut.parts.map(({ type }) => type),
      ['stream-start', 'text-start', 'text-delta'],
    )
    assert.ok(cut.failure instanceof Error && cut.failure.message === 'the line is cut')
    const warned = await streamOf(again)
    const part = warned.parts.find(({ type }) => type === 'error')
    assert.ok(part?.type === 'error' && part.error instanceof Error)
    assert.deepEqual([part.error.message, warned.failure], ['the line is cut', undefined])
  })

  test('as a canceled stream, with the parts that were read', async (t) => {
    const model = asBound(scriptedModel([{ text: ['a', 'b', 'c'] }]))
    const path = await record(fileFor(t), model, async (one) => {
      for await (const part of (await one.doStream(ASK)).stream) {
        if (part.type === 'text-delta' && part.delta === 'b') break
      }
    })
    const { parts } = await streamOf((await replay(path)).model)
    assert.deepEqual(
      parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])),
      ['a', 'b'],
    )
  })

  test('as a timeout for an aborted call, with the parts received so far', async (t) => {
    const stop = new AbortController()
    const never: LanguageModelV4 = {
      ...scriptedModel([]),
      doGenerate: () => new Promise(() => undefined),
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream({
            start: (controller) => controller.enqueue({ type: 'text-start', id: '1' }),
          }),
        }),
    }
    const path = await record(fileFor(t), asBound(never), async (one) => {
      const options = { ...ASK, abortSignal: stop.signal }
      void one.doGenerate(options)
      const reader = (await one.doStream(options)).stream.getReader()
      await reader.read()
      stop.abort()
    })
    const { model, tape } = await replay(path)
    const late = { name: 'TimeoutError', message: 'scripted/scripted did not answer in time' }
    await assert.rejects(ask(model), late)
    const { parts, failure } = await streamOf(model)
    assert.deepEqual(parts, [{ type: 'text-start', id: '1' }])
    assert.ok(failure instanceof Error)
    assert.deepEqual({ name: failure.name, message: failure.message }, late)
    assert.deepEqual(tape.unused(), [])
    // Recorded as aborted, it ended in the middle of its run, so no later call is on the tape.
    await assert.rejects(ask(model), {
      code: 'UNRECORDED_CALL',
      message: /\(call 1\); the last of them was aborted, and its run may have ended there;/,
    })
  })
})

// ---- which answer ----

suite('an answer is found', () => {
  test('for equal requests in the order in which they began', async (t) => {
    const script = [{ text: 'first', delayMs: 30 }, 'second', 'third'] as const
    const path = await record(fileFor(t), asBound(scriptedModel(script)), async (one) => {
      await Promise.all([answerOf(one), answerOf(one), answerOf(one)])
    })
    const numbers = readFileSync(path, 'utf8').match(/"kind":"call","n":\d/g)
    assert.equal(numbers?.at(-1), '"kind":"call","n":1')
    const { model } = await replay(path)
    const texts = (await Promise.all([answerOf(model), answerOf(model), answerOf(model)])).map(
      (answer) =>
        JSON.stringify(answer)
          .match(/first|second|third/)
          ?.at(0),
    )
    assert.deepEqual(texts, ['first', 'second', 'third'])
  })

  test('whatever the order of fields, secret headers and the signal', async (t) => {
    const { signal } = new AbortController()
    const path = await record(fileFor(t), asBound(scriptedModel(['42'])), async (one) => {
      const headers = { authorization: 'Bearer abc', 'X-Goog-Api-Key': 'opaque', 'x-beta': 'on' }
      await answerOf(one, { ...ASK, seed: 4, topP: 1, headers, abortSignal: signal })
    })
    const written = readFileSync(path, 'utf8')
    assert.ok(written.includes('"headers":{"x-beta":"on"}'))
    assert.ok(!/abc|opaque/.test(written))
    const { model } = await replay(path)
    const options = { headers: { 'x-beta': 'on' }, topP: 1, seed: 4, ...ASK }
    assert.ok('content' in (await model.doGenerate(options)))
  })

  test('for a file in the prompt by its digest, without writing the file', async (t) => {
    const withFile = (data: Uint8Array | string): LanguageModelV4CallOptions => ({
      prompt: [
        {
          role: 'user',
          content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data } }],
        },
      ],
    })
    const script = ['bytes', 'base64']
    const path = await record(fileFor(t), asBound(scriptedModel(script)), async (one) => {
      await answerOf(one, withFile(Uint8Array.of(1, 2, 3)))
      await answerOf(one, withFile('cGFzc3BvcnQ='))
    })
    assert.ok(!readFileSync(path, 'utf8').includes('cGFzc3BvcnQ='))
    const { model } = await replay(path)
    await model.doGenerate(withFile('cGFzc3BvcnQ='))
    await model.doGenerate(withFile(Uint8Array.of(1, 2, 3)))
    await assert.rejects(ask(model, withFile(Uint8Array.of(1, 2, 4))), {
      message: /prompt\[0\]\.content\[0\]\.data\.data\.sha256/,
    })
  })

  test('and not used up by a call aborted before it begins', async (t) => {
    const path = await record(fileFor(t), asBound(scriptedModel(['42'])), answerOf)
    const { model, tape } = await replay(path)
    const options = { ...ASK, abortSignal: AbortSignal.abort() }
    await assert.rejects(ask(model, options), { name: 'AbortError' })
    await assert.rejects(async () => await model.doStream(options), { name: 'AbortError' })
    assert.deepEqual(tape.unused(), [{ model: 'scripted/scripted', n: 1 }])
  })

  test('on a tape whose request was edited by hand', async (t) => {
    const path = await record(fileFor(t), asBound(scriptedModel(['42'])), answerOf)
    writeFileSync(path, readFileSync(path, 'utf8').replace('how much is 6', 'what is 6'))
    assert.ok('content' in (await (await replay(path)).model.doGenerate(asking('what is 6 * 7?'))))
  })
})

suite('a request that was not recorded', () => {
  const LONG = `Today is Sunday.\nTask:\n${'word '.repeat(40)}and then six\nThat is all.`
  const recorded = async (t: TestContext): Promise<LanguageModelV4> => {
    const script = ['one', 'two', 'three']
    const path = await record(fileFor(t), asBound(scriptedModel(script)), async (one) => {
      await answerOf(one, { ...asking('what day was yesterday?'), temperature: 0.1 })
      await answerOf(one, { ...asking(LONG), temperature: 0.1, seed: 42 })
      await streamOf(one, asking('streamed'))
    })
    return (await replay(path)).model
  }

  test('[C-34] fails with the first difference from the nearest request', async (t) => {
    const model = await recorded(t)
    const options = { ...asking(LONG.replace('six', 'seven')), temperature: 0.1, seed: 42 }
    await assert.rejects(ask(model, options), (error: Error) => {
      assert.match(error.message, /calls\.jsonl holds no answer to this request of scripted\/scr/)
      const [, where, before, now, ...more] = error.message.split('\n')
      assert.match(error.message, /the nearest is call 2, which differs in\n/)
      assert.equal(where, '  prompt[0].content[0].text, line 3')
      assert.match(before ?? '', /^ {4}recorded ….{22,26}six"$/)
      assert.match(now ?? '', /^ {4}asked {4}….{22,26}seven"$/)
      assert.deepEqual(more, [])
      return true
    })
  })

  test('fails with the settings that differ', async (t) => {
    const model = await recorded(t)
    const near = { ...asking(LONG), temperature: 0.1, seed: 42 }
    const rows: readonly (readonly [LanguageModelV4CallOptions, string])[] = [
      [{ ...near, seed: 43 }, '  seed\n    recorded 42\n    asked    43'],
      [{ ...near, temperature: 0.7 }, '  temperature\n    recorded 0.1\n    asked    0.7'],
      [{ ...near, topK: 5 }, '  topK\n    recorded nothing\n    asked    5'],
    ]
    for (const [options, says] of rows) {
      await assert.rejects(ask(model, options), (error: Error) => {
        assert.equal(error.message.split('\n').slice(1).join('\n'), says)
        return true
      })
    }
  })

  test('differs when the answer was streamed', async (t) => {
    const model = await recorded(t)
    await assert.rejects(ask(model, asking('streamed')), {
      code: 'UNRECORDED_CALL',
      message: /call 3, which differs in\n {2}stream\n {4}recorded true\n {4}asked {4}false$/,
    })
  })

  test('shows a few of many differences, without terminal control characters', async (t) => {
    const model = await recorded(t)
    const many = { seed: 1, topK: 2, topP: 3, temperature: 4, maxOutputTokens: 5 }
    const options = { ...asking('what day was \u202eyesterday\u009b?'), ...many }
    await assert.rejects(ask(model, options), (error: Error) => {
      assert.match(error.message, /\n {2}and 2 more$/)
      assert.doesNotMatch(error.message, /[\u202e\u009b]/)
      return true
    })
  })

  test('differs when provider settings change the request', async (t) => {
    await using server = await startModelServer([{ type: 'reply', text: ['one'] }])
    const at = { baseUrl: server.baseUrl, apiKey: 'test-key-12345' }
    const path = fileFor(t)
    const recording = startModelRecording(path)
    const registry = recordingRegistry(createRegistry(standardProviders), recording)
    const name = 'openai/gpt-5'
    await ask((await registry.resolve(name, { openai: at })).model)
    recording.close()
    const replaying = replayingRegistry(await readModelTape(path))
    const high = await replaying.resolve(name, { openai: { reasoning: 'high', store: true } })
    await assert.rejects(ask(high.model), {
      code: 'UNRECORDED_CALL',
      message:
        /is call 1, which differs in\n {2}settings\n {4}recorded nothing\n {4}asked {4}\{"store":true,"reasoning":"high"\}$/,
    })
    // Default values and the server's address are not part of the request.
    const usual = { api: 'auto', store: false, reasoning: 'least' } as const
    await ask((await replaying.resolve(name, { openai: usual, google: { store: true } })).model)
  })

  test('fails when its answers are used up, with their numbers', async (t) => {
    const path = await record(fileFor(t), asBound(scriptedModel(['1', '2'])), async (one) => {
      await answerOf(one)
      await answerOf(one)
    })
    const { model } = await replay(path)
    await Promise.all([answerOf(model), answerOf(model)])
    await assert.rejects(ask(model), {
      code: 'UNRECORDED_CALL',
      message: `every answer of ${path} to this request of scripted/scripted has been used (call 1, 2); record a run that makes as many calls`,
    })
  })

  test('reports a model without recorded calls, and rejects an unknown model', async (t) => {
    const path = fileFor(t)
    const recording = startModelRecording(path)
    const registry = recordingRegistry(createRegistry(standardProviders), recording)
    await registry.resolve('offline/big')
    await answerOf((await registry.resolve('offline/small')).model)
    recording.close()
    const { model, tape } = await replay(path, 'offline/big')
    await assert.rejects(ask(model), {
      code: 'UNRECORDED_CALL',
      message: /It holds no call of this model; record again$/,
    })
    const replaying = replayingRegistry(tape)
    await assert.rejects(replaying.resolve('offline/bog'), {
      code: 'UNKNOWN_MODEL',
      message: `the recording ${path} has no model offline/bog; did you mean offline/big? it holds offline/big, offline/small; use the models of the recorded run, for example with --small and --big`,
    })
    assert.deepEqual(await replaying.list(), [
      { key: 'offline', summary: 'recorded calls', models: ['big', 'small'] },
    ])
    const provider = { key: 'x', summary: '', models: [], load: () => Promise.reject(new Error()) }
    assert.throws(() => replaying.register(provider), { code: 'INVALID_CONFIG' })
  })
})

// ---- secrets ----

suite('[C-34, DD-11] no secret reaches a tape', () => {
  const SECRETS = {
    email: 'ada@example.org',
    key: 'sk-proj-1234567890abcdefghij',
    card: '4111 1111 1111 1111',
    opaque: 'correct-horse-battery',
    password: 'hunter2hunter2',
  }
  const { email, key, card, opaque, password } = SECRETS

  const assertClean = (path: string): void => {
    const written = readFileSync(path, 'utf8')
    for (const [kind, secret] of Object.entries(SECRETS)) {
      assert.ok(!written.includes(secret), `${kind} is on the tape`)
    }
  }

  test('from prompt, headers, answer, error, settings or tools, over a real client', async (t) => {
    const text = `to ${email}, with ${key}, card ${card}, and your key ${opaque}`
    await using server = await startModelServer([
      { type: 'reply', text: [text] },
      { type: 'reply', toolCalls: [{ tool: 'send', input: { to: email, password } }] },
      { type: 'status', status: 401, message: `no such key: ${opaque}`, headers: { 'x-a': key } },
      // Split into pieces that are not secrets by themselves.
      { type: 'reply', text: ['correct-horse', '-battery and sk-proj-1234', '567890abcdefghij.'] },
      { type: 'error', after: ['ada@', 'example.org'] },
      { type: 'reset', after: ['x'] },
    ])
    const settings: SettingsByProvider = {
      'openai-compatible': { baseUrl: server.baseUrl, apiKey: opaque },
    }
    const path = fileFor(t)
    const recording = startModelRecording(path)
    const registry = recordingRegistry(createRegistry(standardProviders), recording)
    const { model } = await registry.resolve('openai-compatible/m', settings)
    const options: LanguageModelV4CallOptions = {
      prompt: [
        { role: 'system', content: `You mail from ${email}.` },
        { role: 'user', content: [{ type: 'text', text: `password: ${password}, ${opaque}` }] },
      ],
      headers: { authorization: `Bearer ${opaque}`, 'x-note': key, 'X-Api-Key': opaque },
      providerOptions: { 'openai-compatible': { user: email, password } },
      tools: [{ type: 'function', name: 'send', description: key, inputSchema: {} }],
    }
    const answers = [await answerOf(model, options), await answerOf(model, options)]
    const failed = await answerOf(model, options)
    const streams = [
      await streamOf(model, options),
      await streamOf(model, options),
      await streamOf(model, options),
    ]
    recording.close()
    server.assertComplete()
    assert.ok(JSON.stringify(answers).includes(card), 'the run itself hears everything')
    assert.ok(JSON.stringify(streams[0]).includes('567890'))
    assertClean(path)
    assert.equal((await readModelTape(path)).calls.length, 6)

    assert.ok(failed.failure instanceof Error && failed.failure.message.includes(opaque))

    // A replay has no key, so it cannot match a prompt that contains one.
    const { model: again } = await replay(path, 'openai-compatible/m')
    await assert.rejects(ask(again, options), {
      code: 'UNRECORDED_CALL',
      message: /recorded .*\[redacted:secret\]/,
    })
  })

  test('while a request with personal data still finds its answer, with the data hidden', async (t) => {
    const script = [`I mailed ${email}.`, { text: ['I mailed ada@', 'example', '.org at 4.'] }]
    const path = await record(fileFor(t), asBound(scriptedModel(script)), async (one) => {
      await answerOf(one, asking(`mail ${email}`))
      await streamOf(one, asking(`mail ${email}`))
    })
    assertClean(path)
    const { model } = await replay(path)
    const { content } = await model.doGenerate(asking(`mail ${email}`))
    assert.deepEqual(content, [{ type: 'text', text: 'I mailed [redacted:email].' }])
    const { parts } = await streamOf(model, asking(`mail ${email}`))
    assert.deepEqual(
      parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])),
      ['I mailed [redacted:email] at 4.', '', ''],
    )
  })

  test('and raw stream chunks are not written', async (t) => {
    const parts: readonly LanguageModelV4StreamPart[] = [
      { type: 'raw', rawValue: { delta: 'sk-proj-1234' } },
      { type: 'text-delta', id: '1', delta: 'ollama' },
      { type: 'finish', ...EMPTY },
    ]
    const path = await record(fileFor(t), giving(EMPTY, parts), streamOf)
    assert.deepEqual(
      (await streamOf((await replay(path)).model)).parts.map(({ type }) => type),
      ['text-delta', 'finish'],
    )
  })

  test('while a file in an answer keeps its bytes', async (t) => {
    const bytes = Buffer.from(`/AKIA${'A1b2'.repeat(8)}`, 'base64')
    const parts = [bytes, `/AKIA${'A1b2'.repeat(8)}`].map((data) => ({
      type: 'file' as const,
      mediaType: 'image/png',
      data: { type: 'data' as const, data: typeof data === 'string' ? data : new Uint8Array(data) },
    }))
    const path = await record(fileFor(t), giving({ ...EMPTY, content: parts }), answerOf)
    const { content } = await (await replay(path)).model.doGenerate(ASK)
    assert.deepEqual(content, parts)
  })
})

// ---- damage ----

suite('a damaged tape', () => {
  const recorded = (t: TestContext): Promise<string> =>
    record(fileFor(t), asBound(scriptedModel(['one', 'two'])), async (one) => {
      await answerOf(one)
      await streamOf(one)
    })
  const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

  test('names the invalid line or call', async (t) => {
    const path = await recorded(t)
    const lines = linesOf(path)
    const call = lines.findIndex((line) => line.includes('"call"')) + 1
    const swapped = (from: string, to: string): string => {
      const line = lines[call - 1] ?? ''
      assert.ok(line.includes(from), from)
      return line.replace(from, to)
    }
    const damages: readonly (readonly [string, string])[] = [
      ['not JSON', 'no JSON'],
      ['another kind', '{"kind":"note"}'],
      ['no outcome', '{"kind":"call","n":1,"model":"a/b","stream":false,"request":{}}'],
      ['no text', swapped('"text":"one"', '"text":1')],
      ['no usage', swapped('"inputTokens"', '"tokens"')],
      ['fewer tokens than none', swapped('"total":5', '"total":-5')],
      ['half a token', swapped('"total":10', '"total":0.5')],
      ['tokens in words', swapped('"total":5', '"total":"5"')],
      ['an invalid warning', swapped('"warnings":[]', '"warnings":[null]')],
      ['a warning of nothing', swapped('"warnings":[]', '"warnings":[{"type":"unsupported"}]')],
      ['an unknown finish reason', swapped('"unified":"stop"', '"unified":"done"')],
      ['a price below nothing', '{"kind":"price","model":"a/b","input":1,"output":2,"usd":-3}'],
      ['an answer to a stream', swapped('"stream":false', '"stream":true')],
      ['an invalid price', '{"kind":"price","model":"a/b","input":1,"output":2,"usd":"3"}'],
      ['a model without a name', '{"kind":"model","id":"a/b"}'],
    ]
    for (const [what, line] of damages) {
      writeFileSync(path, [...lines.slice(0, call - 1), line, ...lines.slice(call), ''].join('\n'))
      await assert.rejects(
        readModelTape(path),
        {
          code: 'INVALID_INPUT',
          message: `${path} cannot be replayed: line ${call} is not a valid line of a recording; record it again with --record-models`,
        },
        what,
      )
    }
  })

  test('is valid with blank lines, which count as lines', async (t) => {
    const path = await recorded(t)
    const lines = linesOf(path)
    writeFileSync(path, [...lines.flatMap((line) => [line, ' ']), '', ''].join('\n'))
    const { warning, calls } = await readModelTape(path)
    assert.deepEqual([warning, calls.length], [undefined, 2])
    appendFileSync(path, '{}\n')
    await assert.rejects(readModelTape(path), {
      message: new RegExp(`line ${2 * lines.length + 2} is not a valid line`),
    })
  })

  test('is distinguished from an empty file, another file and another version', async (t) => {
    const path = fileFor(t)
    const rows: readonly (readonly [string, RegExp])[] = [
      ['', /cannot be replayed: it is empty, since nothing was recorded; record it again/],
      ['{"kind":"mod', /line 1 is not the beginning of a recording/],
      ['hello\nworld\n', /line 1 is not the beginning of a recording/],
      ['{"kind":"model-tape","version":2}\n', /line 1 names version 2, and version 1 is known/],
      ['{"kind":"recording","version":3}\n', /line 1 names version 3, and version 2 is known/],
      [
        '{"kind":"run-recording","version":1,"about":null}\n',
        /holds whole runs; replay it with echelon replay$/,
      ],
    ]
    for (const [content, message] of rows) {
      writeFileSync(path, content)
      await assert.rejects(readModelTape(path), { code: 'INVALID_INPUT', message })
    }
    await assert.rejects(readModelTape(`${path}.not-there`), {
      code: 'INVALID_INPUT',
      message: /cannot be read \(ENOENT.*; name a file that --record-models wrote$/,
    })
  })

  test('of version 1 can still be read', async (t) => {
    const path = await recorded(t)
    const [header = '', ...rest] = linesOf(path)
    assert.equal(header, '{"kind":"recording","version":2,"holds":"models","about":null}')
    const { calls } = await readModelTape(path)
    writeFileSync(path, ['{"kind":"model-tape","version":1}', ...rest].join('\n'))
    assert.deepEqual((await readModelTape(path)).calls, calls)
  })

  test('with an incomplete last line is used up to that line', async (t) => {
    const path = await recorded(t)
    const whole = readFileSync(path, 'utf8')
    appendFileSync(path, '{"kind":"call","n":3,"mod')
    const { warning, calls } = await readModelTape(path)
    assert.equal(calls.length, 2)
    assert.equal(
      warning,
      `line ${linesOf(path).length} of ${path} is not complete, since its recording was interrupted; the lines before it are used`,
    )
    writeFileSync(path, whole.trimEnd())
    const unbroken = await readModelTape(path)
    assert.deepEqual([unbroken.warning, unbroken.calls.length], [undefined, 2])
  })

  test('is read with a warning or rejected with a message, wherever the damage is', async (t) => {
    const path = await recorded(t)
    const whole = readFileSync(path)
    const place = fc.nat({ max: whole.length - 1 })
    await fc.assert(
      fc.asyncProperty(place, fc.nat({ max: 255 }), fc.boolean(), async (at, byte, isCut) => {
        const damaged = isCut ? whole.subarray(0, at) : whole.with(at, byte)
        writeFileSync(path, damaged)
        const problem: unknown = await readModelTape(path).then(
          () => null,
          (error: unknown) => error,
        )
        if (problem === null) return
        assert.ok(isRecord(problem) && problem['code'] === 'INVALID_INPUT', `after ${at} ${byte}`)
      }),
    )
  })
})
