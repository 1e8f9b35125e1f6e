import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV4Message,
} from '@ai-sdk/provider'
import { createMistral as createV4 } from '@ai-sdk/mistral'
import { createMistral as createV2 } from 'mistral-v2'
import { createMistral as createV3 } from 'mistral-v3'
import { startModelServer } from '../../testing/local-model-server.ts'
import { asLanguageModel } from './language-model.ts'

const QUESTION: LanguageModelV4Message = {
  role: 'user',
  content: [{ type: 'text', text: 'how much is 6 * 7?' }],
}

suite('[C-4] models of packages of any age', () => {
  test('a v4 model is used as it is', () => {
    const model = createV4({ apiKey: 'k' })('mistral-small-latest')
    assert.equal(asLanguageModel(model), model)
  })

  test('a v2 model is rejected with its version and what to install', () => {
    const model = createV2({ apiKey: 'k' })('mistral-small-latest')
    assert.throws(() => asLanguageModel(model), {
      code: 'INVALID_DEFINITION',
      message:
        'a model of mistral.chat has version v2 of the model interface, and v4 or v3 is needed; install a later version of its package, such as with npm install @ai-sdk/mistral@latest',
    })
  })

  test('a v3 model answers, streams, calls tools and receives their results', async () => {
    const call = { tool: 'multiply', input: { a: 6, b: 7 } }
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [call] },
      { type: 'reply', text: ['4', '2'], usage: { input: 9, output: 2 } },
      { type: 'status', status: 429, headers: { 'retry-after': '3' } },
    ])
    const mistral = createV3({ apiKey: 'k', baseURL: server.baseUrl })
    const model = asLanguageModel(mistral('mistral-small-latest'))
    assert.equal(model.specificationVersion, 'v4')
    const first = await model.doGenerate({ prompt: [QUESTION], reasoning: 'low' })
    assert.deepEqual(first.finishReason, { unified: 'tool-calls', raw: 'tool_calls' })
    const [part] = first.content
    assert.ok(part?.type === 'tool-call')
    const { toolCallId, toolName } = part
    const { stream } = await model.doStream({
      prompt: [
        QUESTION,
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId, toolName, input: { a: 6, b: 7 } },
            { type: 'custom', kind: 'openai.compaction' },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: '42' } },
          ],
        },
      ],
    })
    let text = ''
    for await (const one of stream) if (one.type === 'text-delta') text += one.delta
    assert.equal(text, '42')
    assert.match(JSON.stringify(server.requests[1]?.body), /"role":"tool".*"42"/)
    await assert.rejects(async () => await model.doGenerate({ prompt: [QUESTION] }), {
      statusCode: 429,
    })
  })

  test('files are sent to a v3 model in its format, and read from its answers', async () => {
    const { model, asked } = recordingV3({ type: 'file', mediaType: 'image/png', data: 'iVBO' })
    const url = new URL('https://example.com/cat.png')
    const file = (data: Extract<FilePart, { type: 'file' }>['data']): FilePart => ({
      type: 'file',
      mediaType: 'image/png',
      data,
    })
    const content: FilePart[] = [
      file({ type: 'data', data: 'iVBO' }),
      file({ type: 'url', url }),
      file({ type: 'text', text: 'a note' }),
    ]
    const answer = await model.doGenerate({
      prompt: [{ role: 'user', content }, toolResult(url)],
    })
    assert.deepEqual(asked[0]?.prompt[0]?.content, [
      { type: 'file', mediaType: 'image/png', data: 'iVBO' },
      { type: 'file', mediaType: 'image/png', data: url },
      { type: 'text', text: 'a note' },
    ])
    assert.deepEqual(asked[0]?.prompt[1]?.content, [
      {
        ...RESULT,
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'two files' },
            { type: 'file-data', data: 'AQI=', mediaType: 'image/png', filename: 'a.png' },
            { type: 'file-url', url: url.href },
          ],
        },
      },
    ])
    const data = { type: 'data', data: 'iVBO' }
    assert.deepEqual(answer.content, [{ type: 'file', mediaType: 'image/png', data }])
    const named = file({ type: 'reference', reference: { openai: 'file-1' } })
    await assert.rejects(
      async () => await model.doGenerate({ prompt: [{ role: 'user', content: [named] }] }),
      { code: 'INVALID_INPUT', message: /give its bytes or its URL$/ },
    )
  })
})

type FilePart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number]

const RESULT = { type: 'tool-result', toolCallId: 'c', toolName: 'draw' } as const

const toolResult = (url: URL): LanguageModelV4Message => ({
  role: 'tool',
  content: [
    {
      ...RESULT,
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'two files' },
          {
            type: 'file',
            mediaType: 'image/png',
            filename: 'a.png',
            data: { type: 'data', data: new Uint8Array([1, 2]) },
          },
          { type: 'file', mediaType: 'image/png', data: { type: 'url', url } },
        ],
      },
    },
  ],
})

/** A v3 model that records its requests; no package of that version accepts and returns files. */
function recordingV3(answer: LanguageModelV3Content) {
  const asked: LanguageModelV3CallOptions[] = []
  const v3: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider: 'old',
    modelId: 'old',
    supportedUrls: {},
    doGenerate: (options) => {
      asked.push(options)
      return Promise.resolve({
        content: [answer],
        finishReason: { unified: 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 1, text: 1, reasoning: undefined },
        },
        warnings: [],
      })
    },
    doStream: () => Promise.reject(new Error('it does not stream')),
  }
  return { model: asLanguageModel(v3), asked }
}
