import assert from 'node:assert/strict'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { z } from 'zod'
import { modelEmbedder } from '@echelon/knowledge'
import { embedderContract } from '../../packages/echelon/src/testing/contract/embedder-contract.ts'
import { batchesOf } from '../../packages/knowledge/src/embedders/batches.ts'

interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly input: readonly string[]
  readonly dimensions: unknown
}

const BODY = z.object({ input: z.array(z.string()), dimensions: z.number().optional() })

/** An embeddings server: vectors of the counts of three letters, or an error status. */
async function serverFor(
  t: Pick<TestContext, 'after'>,
  statuses: readonly number[] = [],
): Promise<{ readonly baseUrl: string; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input, dimensions } = BODY.parse(await json(request))
    const status = statuses[asked.length] ?? 200
    asked.push({ path: request.url ?? '', headers: request.headers, input, dimensions })
    response.writeHead(status, { 'content-type': 'application/json' })
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: ['a', 'e', 'o'].map((letter) => 1 + text.split(letter).length),
    }))
    const usage = { prompt_tokens: 3, total_tokens: 3 }
    const failure = { error: { message: `no, ${status}`, type: 'x', code: null } }
    response.end(JSON.stringify(status === 200 ? { object: 'list', data, usage } : failure))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return { baseUrl: `http://127.0.0.1:${port}/v1`, asked }
}

const KEY = ['sk', 'made-up'].join('-')
const RETRY = { retries: 2, baseMs: 1, factor: 1, jitter: 0 }

test('[C-18] an OpenAI model by name, over a real connection: path, key and texts', async (t) => {
  const { baseUrl, asked } = await serverFor(t)
  const embedder = await modelEmbedder('openai/text-embedding-3-small', {
    providers: { openai: { baseUrl, apiKey: KEY } },
  })
  assert.deepEqual([embedder.id, embedder.dimensions], ['openai/text-embedding-3-small/3', 3])
  const vectors = await embedder.embed(['one', 'two'])
  assert.equal(vectors.length, 2)
  assert.deepEqual(
    asked.map(({ input }) => input),
    [['dimensions'], ['one', 'two']],
  )
  assert.equal(asked[1]?.path, '/v1/embeddings')
  assert.equal(asked[1]?.headers.authorization, `Bearer ${KEY}`)
})

test('[C-18] a local model by name needs no key; requested dimensions are sent', async (t) => {
  const { baseUrl, asked } = await serverFor(t)
  const embedder = await modelEmbedder('ollama/nomic-embed-text', {
    providers: { ollama: { baseUrl } },
    dimensions: 3,
  })
  assert.equal(asked.length, 0)
  await embedder.embed(['one'])
  assert.deepEqual([asked[0]?.dimensions, asked[0]?.headers.authorization], [3, undefined])
})

for (const [nth, { name }] of embedderContract(() =>
  Promise.reject(new Error('unused')),
).entries()) {
  test(`[C-18] [C-26] a model as an embedder: ${name}`, async (t) => {
    const { baseUrl } = await serverFor(t)
    const open = () =>
      modelEmbedder('openai/m', { providers: { openai: { baseUrl, apiKey: KEY } } })
    await embedderContract(open)[nth]?.holds()
  })
}

test('a transient failure is retried, a permanent one is reported at once with what to do', async (t) => {
  const { baseUrl, asked } = await serverFor(t, [200, 503, 429, 200, 401])
  const embedder = await modelEmbedder('openai/m', {
    providers: { openai: { baseUrl, apiKey: KEY } },
    retry: RETRY,
  })
  assert.equal((await embedder.embed(['one'])).length, 1)
  assert.equal(asked.length, 4)
  await assert.rejects(embedder.embed(['two']), {
    code: 'SERVER_UNREACHABLE',
    message: 'openai.embedding m could not embed: no, 401; check its key and base URL',
  })
  assert.equal(asked.length, 5)
})

test('an abort ends the wait between two attempts', async (t) => {
  const { baseUrl, asked } = await serverFor(t, [200, 503, 503, 503])
  const embedder = await modelEmbedder('openai/m', {
    providers: { openai: { baseUrl, apiKey: KEY } },
    retry: { ...RETRY, baseMs: 60_000 },
  })
  const controller = new AbortController()
  const embedding = embedder.embed(['one'], controller.signal)
  while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  controller.abort(new Error('enough'))
  await assert.rejects(embedding, /enough/)
})

test('a provider without such models or without a key is rejected with what to do', async () => {
  await assert.rejects(modelEmbedder('anthropic/claude', { providers: { anthropic: {} } }), {
    code: 'UNKNOWN_MODEL',
    message: /^no embedding models of anthropic are known by name; name one of openai, ollama/,
  })
  await assert.rejects(modelEmbedder('openai/m', { providers: { openai: {} } }), {
    code: 'MISSING_KEY',
  })
})

test("batches respect the model's and the server's limits", () => {
  assert.deepEqual([...batchesOf(['a', 'b', 'c'], 2)], [['a', 'b'], ['c']])
  const long = 'x'.repeat(300_000)
  assert.deepEqual(
    [...batchesOf([long, long, 'y'], 10)].map((batch) => batch.length),
    [1, 2],
  )
  assert.deepEqual([...batchesOf([], 10)], [])
})

test('an unanswered call fails after its time limit, which it names', async (t) => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const { port } = z.object({ port: z.number() }).parse(silent.address())
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const options = { providers: { openai: { baseUrl, apiKey: KEY } }, timeoutMs: 50, retry: RETRY }
  await assert.rejects(
    modelEmbedder('openai/text-embedding-3-small', options),
    /could not embed: no answer within 0\.05 s, the limit of timeoutMs/,
  )
})
