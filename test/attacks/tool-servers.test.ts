import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  isJson,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../packages/echelon/src/core/value/json.ts'
import { validate } from '../../packages/echelon/src/core/schema/schema.ts'
import type { Tool, ToolContext } from '../../packages/echelon/src/core/tool/tool.ts'
import { httpCsvSource } from '../../packages/tools/src/stock/http-csv.ts'
import { stockTool } from '../../packages/tools/src/stock.ts'
import { connectMcp } from '@echelon/mcp'
import { openApiTools } from '@echelon/tools'
import { hostileServer, pour, pourPacked } from './hostile-http.ts'
import { placesIn, withAt } from './lying-model-server.ts'
import { tried } from './tried.ts'

const CONTEXT: ToolContext = {
  key: 'k',
  signal: new AbortController().signal,
  at: 0,
  timeZone: 'UTC',
  artifacts: { write: () => Promise.reject(new Error('no files here')) },
  progress: () => undefined,
}

/** The result of a use: a value, or the sentence of the error. */
type Ended = { readonly value: unknown } | { readonly message: string }

async function ended(use: () => unknown): Promise<Ended> {
  const begun = performance.now()
  let end: Ended
  try {
    end = { value: await use() }
  } catch (error) {
    assert.ok(error instanceof Error)
    assert.ok(['EchelonError', 'ToolError'].includes(error.name), `a raw error: ${String(error)}`)
    end = { message: error.message }
    assertSentence(error.message)
  }
  const ms = performance.now() - begun
  assert.ok(ms < 10_000, `it took ${Math.round(ms)} ms`)
  return end
}

function assertSentence(message: string): void {
  assert.ok(message.length < 2000, `${message.length} characters`)
  assert.doesNotMatch(message, /[\p{Cc}]/u)
  assert.doesNotMatch(
    message,
    /Cannot read|is not a function|not iterable|\[object|invalid_type|node_modules|call stack/i,
  )
}

async function calledWith(tool: Tool, input: Json): Promise<unknown> {
  const checked = await validate(tool.input, input)
  assert.ok(checked.ok)
  return await tool.run(checked.value, CONTEXT)
}

type Lie = (response: ServerResponse, body: string) => void

const sent =
  (
    change: (body: string) => string | Buffer = (body) => body,
    headers: Readonly<Record<string, string>> = {},
    status = 200,
  ): Lie =>
  (response, body) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(change(body))
  }

const MUCH = Buffer.alloc(64 * 1024, 'a')
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`

/** For any server that answers with a body. */
const LIES: Readonly<Record<string, Lie>> = {
  nothing: sent(() => ''),
  'a page': sent(() => '<!doctype html><h1>no</h1>', { 'content-type': 'text/html' }),
  'a page that calls itself JSON': sent(() => '<!doctype html><h1>no</h1>'),
  null: sent(() => 'null'),
  'an empty list': sent(() => '[]'),
  'an empty object': sent(() => '{}'),
  'half of it': sent((body) => body.slice(0, body.length / 2)),
  'it twice': sent((body) => body + body),
  'a byte order mark': sent((body) => `\uFEFF${body}`),
  'UTF-16': sent((body) => Buffer.from(body, 'utf16le')),
  'NUL bytes': sent((body) => `${body}\u0000`),
  'nests 50,000 deep': sent(() => DEEP),
  'packed by name only': sent((body) => body, { 'content-encoding': 'gzip' }),
  'packed twice': sent((body) => gzipSync(gzipSync(body)), { 'content-encoding': 'gzip' }),
  'another content type': sent((body) => body, { 'content-type': 'image/png' }),
  'an invalid stream': sent((body) => body, { 'content-type': 'text/event-stream' }),
  'status 204': sent(() => '', {}, 204),
  'status 404 with a page': sent(() => `<h1>${'no '.repeat(100_000)}</h1>`, {}, 404),
  'status 500 with control characters': sent(() => 'a\u001b[2J\nb\u0000', {}, 500),
  'a redirect to a file': sent(() => '', { location: 'file:///etc/passwd' }, 307),
  'a redirect to itself': sent(() => '', { location: '?' }, 308),
  'a broken connection': (response) => response.destroy(),
  silence: () => undefined,
  'a drop at a time': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  'an endless answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    pour(response, MUCH)
  },
  'an endless error': (response) => {
    response.writeHead(500, { 'content-type': 'application/json' })
    pour(response, MUCH)
  },
  'an endless part of a stream': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"')
    pour(response, MUCH)
  },
  'a packed bomb': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    pourPacked(response, MUCH)
  },
}

const cases = Object.entries(LIES).map(([name, lie]) => ({ name, lie }))
const named = ({ name }: { readonly name: string }): string => name

const VALUES: readonly (Json | undefined)[] = [undefined, null, 7, 'a', [], {}, [null], { a: [] }]

/** An honest MCP server's answers by method. */
const RESULTS: Readonly<Record<string, JsonObject>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'lying', version: '1' },
  },
  'tools/list': {
    tools: [
      {
        name: 'look',
        description: 'looks',
        inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
        annotations: { readOnlyHint: true },
      },
    ],
  },
  'tools/call': { content: [{ type: 'text', text: 'seen' }] },
}

/** Connects to a server that lies about one request, and calls its tool. */
async function throughMcp(
  stage: string,
  lie: Lie,
  change: (result: Json) => Json | undefined = (one) => one,
): Promise<void> {
  await using server = await hostileServer(
    async (response, request) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const asked = requests.shift()
      const method = typeof asked?.['method'] === 'string' ? asked['method'] : ''
      if (asked?.['id'] === undefined) return response.writeHead(202).end()
      const result = RESULTS[method] ?? {}
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: asked['id'],
        result: method === stage ? change(result) : result,
      })
      return (method === stage ? lie : sent())(response, body)
    },
    async (request) => {
      const body: unknown = await json(request).catch(() => undefined)
      requests.push(isJson(body) && isJsonObject(body) ? body : {})
    },
  )
  const requests: JsonObject[] = []
  const options = {
    connectTimeoutMs: 500,
    timeoutMs: 500,
    reconnect: { retries: 0, baseMs: 1, factor: 1, jitter: 0 },
  }
  await ended(async () => {
    const connection = await connectMcp({ name: 'lying', url: `${server.origin}/mcp` }, options)
    try {
      const [tool] = connection.tools
      return tool === undefined ? undefined : await calledWith(tool, { at: 'a' })
    } finally {
      await connection.close()
    }
  })
}

const DOCUMENT: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'shop', version: '1' },
  servers: [{ url: 'http://shop.example' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'pets',
        summary: 'lists pets',
        parameters: [{ name: 'kind', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
}

suite('tool servers that lie', () => {
  test('an MCP server that lies at any stage ends in time with one sentence', async (t) => {
    await tried(t, {
      cases: cases.flatMap((one) =>
        Object.keys(RESULTS).map((stage) => ({ ...one, stage, name: `${stage}: ${one.name}` })),
      ),
      named,
      fast: 14,
      hold: async ({ stage, lie }) => await throughMcp(stage, lie),
    })
  })

  test('a value of another type anywhere in an MCP answer ends with one sentence', async (t) => {
    const all = Object.entries(RESULTS).flatMap(([stage, result]) =>
      placesIn(result).flatMap((place) =>
        VALUES.map((value) => ({
          stage,
          place,
          value,
          name: `${stage} ${place.join('.')} = ${JSON.stringify(value)}`,
        })),
      ),
    )
    await tried(t, {
      cases: all,
      named,
      fast: 12,
      hold: async ({ stage, place, value }) =>
        await throughMcp(stage, sent(), (result) => withAt(result, place, value)),
    })
  })

  test('a lying OpenAPI server ends in time with one sentence', async (t) => {
    await tried(t, {
      cases,
      named,
      async hold({ lie }) {
        await using server = await hostileServer((response) => lie(response, '[{"name":"Rex"}]'))
        const [tool] = await openApiTools({ document: DOCUMENT, baseUrl: server.origin })
        assert.ok(tool !== undefined)
        const signal = AbortSignal.timeout(700)
        await ended(async () => {
          try {
            return await tool.run({ kind: 'dog' }, { ...CONTEXT, signal })
          } catch (error) {
            // The runtime reports this for an aborted tool.
            if (signal.aborted && error === signal.reason) return 'given up'
            throw error
          }
        })
      },
    })
  })

  test('an OpenAPI document of another form ends with one sentence', async (t) => {
    const all = placesIn(DOCUMENT).flatMap((place) =>
      VALUES.map((value) => ({
        place,
        value,
        name: `${place.join('.')} = ${JSON.stringify(value)}`,
      })),
    )
    await tried(t, {
      cases: all,
      named,
      async hold({ place, value }) {
        const document = withAt(DOCUMENT, place, value)
        if (document === undefined || !isJsonObject(document)) return
        await ended(async () => await openApiTools({ document, baseUrl: 'http://127.0.0.1:9' }))
      },
    })
  })

  test('a lying price source ends in time with one sentence', async (t) => {
    await tried(t, {
      cases,
      named,
      async hold({ lie }) {
        const csv = 'date,close\n2026-01-02,3\n2026-01-05,4\n'
        await using server = await hostileServer((response) => lie(response, csv))
        const url = `${server.origin}/{ticker}.csv`
        const source = httpCsvSource({ url, attribution: 'nobody', timeoutMs: 700 })
        await ended(async () => await calledWith(stockTool(source), { ticker: 'ABC', n: 2 }))
      },
    })
  })
})
