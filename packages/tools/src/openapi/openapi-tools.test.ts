import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { parse } from 'yaml'
import { EchelonError } from '../../../echelon/src/core/value/error.ts'
import type { Json, JsonObject } from '../../../echelon/src/core/value/json.ts'
import { jsonForm } from '../../../echelon/src/core/value/json-form.ts'
import { validate } from '../../../echelon/src/core/schema/schema.ts'
import { type Tool, type ToolContext, ToolError } from '../../../echelon/src/core/tool/tool.ts'
import { isPrivateHost } from './public-address.ts'
import { type OpenApiOptions, openApiTools } from './openapi-tools.ts'

const FILE = join(import.meta.dirname, '../../../../examples/openapi/shelter.yaml')
const TOKEN = ['tok', 'en-', '123456'].join('')

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A local server that records requests, and its URL. */
async function startServer(
  t: TestContext,
  answer: RequestListener,
): Promise<{ readonly baseUrl: string; readonly received: readonly Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    void textOf(request).then((body) => {
      received.push({ method, url, headers, body })
      return answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, received }
}

const respondWith =
  (value: Json, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(value))
  }

const CONTEXT: ToolContext = {
  key: 'k',
  signal: new AbortController().signal,
  at: 0,
  timeZone: 'UTC',
  artifacts: { write: () => Promise.reject(new Error('no files here')) },
  progress: () => undefined,
}

const toolNamed = (tools: readonly Tool[], name: string): Tool => {
  const tool = tools.find((one) => one.name === name)
  assert.ok(tool !== undefined, `there is no ${name} among ${tools.map((one) => one.name).join()}`)
  return tool
}

/** Calls as the runtime does, with arguments checked first. */
async function callTool(tool: Tool, input: Json, context = CONTEXT): Promise<Json> {
  const checked = await validate(tool.input, input)
  if (!checked.ok) throw new ToolError('INVALID_ARGS', checked.message)
  return jsonForm(await tool.run(checked.value, context))
}

const shelter = (options: Partial<OpenApiOptions> = {}): Promise<readonly Tool[]> =>
  openApiTools({ document: FILE, auth: { token: TOKEN }, ...options })

const isToolError =
  (code: ToolError['code'], message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof ToolError && error.code === code && message.test(error.message)

test('operations become tools with name, effect and approval', async () => {
  const tools = await shelter({ baseUrl: 'http://127.0.0.1:1' })
  assert.deepEqual(
    tools.map(({ name, does, needsApproval }) => [name, does, needsApproval]),
    [
      ['listAnimals', 'reads', false],
      ['take_in', 'acts', true],
      ['get_animals-animal', 'reads', false],
      ['changeAnimal', 'idempotent', true],
      ['giveAway', 'idempotent', true],
      ['page', 'reads', false],
      ['bookVisit', 'acts', true],
    ],
  )
  assert.equal(
    toolNamed(tools, 'listAnimals').description,
    'Lists the animals that are here (GET /animals)',
  )
  const { properties, required, definitions } = toolNamed(tools, 'changeAnimal').jsonSchema
  assert.deepEqual(required, ['path', 'body'])
  assert.deepEqual(properties, {
    path: {
      type: 'object',
      properties: { animal: { type: 'integer', description: "the animal's number" } },
      required: ['animal'],
    },
    body: { $ref: '#/definitions/Animal' },
  })
  // Read-only properties are left out.
  assert.doesNotMatch(JSON.stringify(definitions), /"number"/)
})

test('a request is built from the arguments, and the model reads status and body', async (t) => {
  const { baseUrl, received } = await startServer(t, respondWith([{ number: 1, name: 'Mo' }]))
  const tools = await shelter({ baseUrl })
  const query = { kind: 'cat', named: ['a&b', 'c d#'] }
  const answer = await callTool(toolNamed(tools, 'listAnimals'), {
    query,
    header: { 'X-Desk': 'north' },
  })
  assert.deepEqual(answer, { status: 200, body: [{ number: 1, name: 'Mo' }] })
  const [first] = received
  assert.equal(first?.method, 'GET')
  assert.equal(first?.url, '/v1/animals?kind=cat&named=a%26b&named=c%20d%23')
  assert.equal(first?.headers.authorization, `Bearer ${TOKEN}`)
  assert.equal(first?.headers['x-desk'], 'north')
  const animal = { name: 'Mo', kind: 'cat', note: null, friends: [{ name: 'Fee', kind: 'hen' }] }
  await callTool(toolNamed(tools, 'changeAnimal'), { path: { animal: 7 }, body: animal })
  const [, second] = received
  assert.deepEqual([second?.method, second?.url], ['PUT', '/v1/animals/7'])
  assert.deepEqual(JSON.parse(second?.body ?? ''), animal)
  assert.equal(second?.headers['content-type'], 'application/json')
})

test('objects and lists of the query are serialized as the document defines', async (t) => {
  const { baseUrl, received } = await startServer(t, respondWith({}))
  const types = { object: { type: 'object' }, list: { type: 'array', items: { type: 'string' } } }
  const parameters = [
    { name: 'plain', in: 'query', schema: types.object },
    { name: 'deep', in: 'query', style: 'deepObject', schema: types.object },
    { name: 'short', in: 'query', explode: false, schema: types.list },
    { name: 'free', in: 'query', allowReserved: true, schema: { type: 'string' } },
    { name: 'visit', in: 'cookie', schema: { type: 'string' } },
  ]
  const document = { openapi: '3.0.3', paths: { '/a': { get: { parameters } } } }
  const [tool] = await openApiTools({ document, baseUrl })
  assert.ok(tool !== undefined)
  const query = { plain: { a: '1&2' }, deep: { b: 'x y' }, short: ['p', 'q,r'], free: 'u&v=w' }
  await callTool(tool, { query, cookie: { visit: 'a; b=c' } })
  const [request] = received
  assert.equal(request?.url, '/v1/a?a=1%262&deep[b]=x%20y&short=p,q%2Cr&free=u%26v%3Dw')
  assert.equal(request?.headers.cookie, 'visit=a%3B%20b%3Dc')
  const odd = { query: { deep: { 'x]=1&admin': 'yes' } } }
  await assert.rejects(
    callTool(tool, odd),
    isToolError('INVALID_ARGS', /is not a valid parameter name/),
  )
})

test('forms, basic authentication and keys in the query are sent', async (t) => {
  const { baseUrl, received } = await startServer(t, (_, response) => response.writeHead(204).end())
  const auth = { desk: { user: 'ada', pass: 'p w' }, station: 'a&b=c' }
  const tools = await shelter({ baseUrl, auth })
  const formData = { visitor: 'Ada & Co', day: '2026-11-23' }
  assert.deepEqual(await callTool(toolNamed(tools, 'bookVisit'), { formData }), { status: 204 })
  await callTool(toolNamed(tools, 'page'), { path: { page: 'a b/c?d' } })
  const [form, page] = received
  assert.equal(form?.body, 'visitor=Ada+%26+Co&day=2026-11-23')
  assert.equal(form?.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(form?.headers.authorization, `Basic ${btoa('ada:p w')}`)
  assert.equal(page?.url, '/v1/pages/a%20b%2Fc%3Fd?station%20key=a%26b%3Dc')
  assert.equal(page?.headers.authorization, undefined)
})

test('arguments are checked against the schema and cannot change the path', async (t) => {
  const { baseUrl, received } = await startServer(t, respondWith({}))
  const tools = await shelter({ baseUrl })
  const wrong: readonly (readonly [string, Json, RegExp])[] = [
    ['listAnimals', { query: { kind: 'fox' } }, /query\.kind: /],
    ['changeAnimal', { path: { animal: 'x' }, body: { name: 'Mo', kind: 'cat' } }, /path\.animal/],
    ['changeAnimal', { path: { animal: 1 }, body: { kind: 'cat' } }, /body\.name/],
    ['changeAnimal', { path: { animal: 1 } }, /body/],
    ['giveAway', { path: { animal: 1 }, servers: [] }, /servers: is not a known property/],
    ['page', { path: { page: '..' } }, /would change the path/],
    ['page', { path: { page: '.' } }, /would change the path/],
    ['page', { path: { page: '' } }, /path\.page is empty/],
    ['listAnimals', { header: { 'X-Desk': 'a\r\nx: y' } }, /the header X-Desk cannot be sent/],
  ]
  for (const [name, input, message] of wrong) {
    await assert.rejects(
      callTool(toolNamed(tools, name), input),
      isToolError('INVALID_ARGS', message),
      name,
    )
  }
  assert.deepEqual(received, [])
  // A value with slashes stays one path segment.
  await callTool(toolNamed(tools, 'page'), { path: { page: '../../admin' } })
  await callTool(toolNamed(tools, 'page'), { path: { page: '//evil.example/' } })
  assert.deepEqual(
    received.map(({ url }) => url),
    ['/v1/pages/..%2F..%2Fadmin', '/v1/pages/%2F%2Fevil.example%2F'],
  )
})

test('no argument changes the path, the server or other parameters', async (t) => {
  const { baseUrl, received } = await startServer(t, respondWith({}))
  const tools = await shelter({ baseUrl })
  const [page, list, book] = [
    toolNamed(tools, 'page'),
    toolNamed(tools, 'listAnimals'),
    toolNamed(tools, 'bookVisit'),
  ]
  const bits = fc.constantFrom(
    '..',
    '/',
    '%2e',
    '\\',
    '?',
    '#',
    '&',
    '=',
    '@',
    ':',
    'a',
    ' ',
    'é',
    '\u0000',
  )
  const text = fc.array(bits, { maxLength: 6 }).map((all) => all.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 3 }), async (path, words) => {
      const before = received.length
      await callTool(page, { path: { page: path } }).catch((error: unknown) => {
        assert.ok(isToolError('INVALID_ARGS', /./)(error), String(error))
      })
      const requested = received[before]?.url
      if (requested !== undefined) {
        assert.match(requested, /^\/v1\/pages\/[^/?#]+$/)
        assert.equal(decodeURIComponent(requested.slice('/v1/pages/'.length)), path)
      }
      await callTool(list, { query: { named: words } })
      const { searchParams, pathname } = new URL(received.at(-1)?.url ?? '', baseUrl)
      assert.deepEqual(
        [pathname, [...searchParams.keys()].some((key) => key !== 'named')],
        ['/v1/animals', false],
      )
      assert.deepEqual(searchParams.getAll('named'), words)
      await callTool(book, { formData: { visitor: path, day: 'Monday' } })
      const sent = [...new URLSearchParams(received.at(-1)?.body)].filter(
        ([, value]) => value !== '',
      )
      const visitor = path === '' ? [] : [['visitor', path]]
      assert.deepEqual(sent, [...visitor, ['day', 'Monday']])
    }),
    { numRuns: 200, seed: 14 },
  )
})

test('an error holds status and the beginning of the body, with keys hidden', async (t) => {
  const payload = { error: `no animal for ${TOKEN}`, more: 'x'.repeat(5000) }
  const { baseUrl } = await startServer(t, respondWith(payload, 404))
  const tool = toolNamed(await shelter({ baseUrl }), 'giveAway')
  await assert.rejects(callTool(tool, { path: { animal: 1 } }), (error) => {
    assert.ok(
      isToolError(
        'INVALID_ARGS',
        /answered with status 404: \{"error":"no animal for \[hidden\]"/,
      )(error),
    )
    assert.ok(error instanceof Error && error.message.length < 1100)
    return true
  })
  const codes: Readonly<Record<number, ToolError['code']>> = {
    429: 'RATE_LIMIT',
    500: 'TOOL_ERROR',
    504: 'NET_TIMEOUT',
  }
  for (const [status, code] of Object.entries(codes)) {
    const server = await startServer(t, respondWith({}, Number(status)))
    const failing = toolNamed(await shelter({ baseUrl: server.baseUrl }), 'giveAway')
    await assert.rejects(
      callTool(failing, { path: { animal: 1 } }),
      isToolError(code, RegExp(status)),
    )
  }
})

test('only redirects of reads within the server are followed', async (t) => {
  const other = await startServer(t, respondWith('elsewhere'))
  const { baseUrl, received } = await startServer(t, (request, response) => {
    const isMoved = request.url?.startsWith('/v1/animals/9') === true
    const to = isMoved ? `${other.baseUrl}/x` : '/v1/pages/a'
    if (request.url === '/v1/pages/a') respondWith('here')(request, response)
    else response.writeHead(302, { location: to }).end()
  })
  const tools = await shelter({ baseUrl })
  const get = toolNamed(tools, 'get_animals-animal')
  assert.deepEqual(await callTool(get, { path: { animal: 1 } }), { status: 200, body: 'here' })
  await assert.rejects(
    callTool(get, { path: { animal: 9 } }),
    isToolError('TOOL_ERROR', /not followed/),
  )
  await assert.rejects(
    callTool(toolNamed(tools, 'giveAway'), { path: { animal: 1 } }),
    isToolError('TOOL_ERROR', /not followed/),
  )
  assert.equal(received.length, 4)
  assert.deepEqual(other.received, [])
})

test('responses are limited, must be text, and are aborted with the call', async (t) => {
  const big = await startServer(t, respondWith('x'.repeat(2000)))
  const small = await shelter({ baseUrl: big.baseUrl, maxBytes: 1000 })
  const input = { path: { page: 'a' } }
  await assert.rejects(callTool(toolNamed(small, 'page'), input), /sent more than 1000 bytes/)
  const image = await startServer(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  )
  const drawn = toolNamed(await shelter({ baseUrl: image.baseUrl }), 'page')
  await assert.rejects(callTool(drawn, input), /answered with image\/png, which is not text/)
  const broken = await startServer(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
  )
  const half = toolNamed(await shelter({ baseUrl: broken.baseUrl }), 'page')
  await assert.rejects(callTool(half, input), /answered with invalid JSON/)
  const controller = new AbortController()
  const silent = await startServer(t, () => controller.abort(new Error('given up')))
  const slow = toolNamed(await shelter({ baseUrl: silent.baseUrl }), 'page')
  await assert.rejects(callTool(slow, input, { ...CONTEXT, signal: controller.signal }), /given up/)
})

test('a write that broke off may have been executed; one that was not sent was not', async (t) => {
  const { baseUrl } = await startServer(t, (_, response) => response.destroy())
  const tools = await shelter({ baseUrl })
  const body = { name: 'Mo', kind: 'cat' }
  await assert.rejects(
    callTool(toolNamed(tools, 'take_in'), { body }).catch((error: unknown) => {
      assert.ok(error instanceof ToolError && error.mayHaveActed)
      throw error
    }),
    isToolError('NET_TIMEOUT', /the request may have been executed/),
  )
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const address = gone.address()
  assert.ok(address !== null && typeof address === 'object')
  gone.close()
  await once(gone, 'close')
  const unreachable = await shelter({ baseUrl: `http://127.0.0.1:${address.port}` })
  await assert.rejects(
    callTool(toolNamed(unreachable, 'take_in'), { body }),
    (error) =>
      isToolError('NET_TIMEOUT', /could not be reached/)(error) && !/may have/.test(String(error)),
  )
})

test('a write with an unreadable response is not a failure', async (t) => {
  const body = { name: 'Mo', kind: 'cat' }
  const takeIn = async (answer: RequestListener, maxBytes = 1000): Promise<Json> => {
    const { baseUrl } = await startServer(t, answer)
    return callTool(toolNamed(await shelter({ baseUrl, maxBytes }), 'take_in'), { body })
  }
  const host = '127\\.0\\.0\\.1:\\d+'
  const unread = async (answer: RequestListener, why: RegExp): Promise<void> => {
    const result = await takeIn(answer)
    assert.match(
      JSON.stringify(result),
      RegExp(`^\\{"status":201,"unread":"${host} ${why.source}"\\}$`),
    )
  }
  await unread(respondWith('x'.repeat(2000), 201), /sent more than 1000 bytes/)
  await unread(
    (_, response) => response.writeHead(201, { 'content-type': 'image/png' }).end('x'),
    /answered with image\/png, which is not text/,
  )
  const seeOther: RequestListener = (_, response) =>
    response.writeHead(303, { location: '/v1/animals/2' }).end()
  await assert.rejects(takeIn(seeOther), /not followed; the request may have been executed/)
  const elsewhere: RequestListener = (_, response) =>
    response.writeHead(307, { location: '/v1/animals/2' }).end()
  await assert.rejects(takeIn(elsewhere), /which is not followed$/)
  await assert.rejects(
    takeIn(respondWith({}, 502)),
    /status 502; the request may have been executed/,
  )
  await assert.rejects(takeIn(respondWith({}, 503)), /status 503: /)
})

test('a body is sent as it was approved', async (t) => {
  const { baseUrl, received } = await startServer(t, respondWith({}))
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
  const document = { openapi: '3.0.3', paths: { '/a': { post: { requestBody } } } }
  const [tool] = await openApiTools({ document, baseUrl })
  assert.ok(tool !== undefined)
  const body = { number: '12', yes: 'true', json: '{"a":1}', empty: {}, list: [{}, ''], no: null }
  await callTool(tool, { body })
  assert.deepEqual(JSON.parse(received[0]?.body ?? ''), body)
  assert.equal(received[0]?.headers['content-type'], 'application/json')
})

test('a model cannot choose its identity', async (t) => {
  const { baseUrl, received } = await startServer(t, respondWith({}))
  const header = { 'X-Desk': 'north', Authorization: 'Bearer another', 'X-Admin': 'yes' }
  await callTool(toolNamed(await shelter({ baseUrl }), 'listAnimals'), { header })
  const [request] = received
  assert.equal(request?.headers.authorization, `Bearer ${TOKEN}`)
  assert.deepEqual([request?.headers['x-desk'], request?.headers['x-admin']], ['north', undefined])
})

test('a key is hidden in every encoding and in every part of a response', async (t) => {
  const key = ['sec/', 'ret"key', '-1'].join('')
  const document: JsonObject = {
    openapi: '3.0.3',
    components: { securitySchemes: { k: { type: 'apiKey', in: 'query', name: 'k' } } },
    security: [{ k: [] }],
    paths: { '/a': { get: {} } },
  }
  const requested = async (answer: RequestListener, auth = key): Promise<unknown> => {
    const { baseUrl } = await startServer(t, answer)
    const [tool] = await openApiTools({ document, baseUrl, auth: { k: auth } })
    assert.ok(tool !== undefined)
    return callTool(tool, {}).catch(String)
  }
  const escaped = JSON.stringify(key).slice(1, -1)
  const texts = [escaped, escaped.replace('/', '\\/'), `\\u0073${escaped.slice(1)}`]
  for (const text of [...texts, encodeURIComponent(key)]) {
    for (const sent of [`{"a":"${text}"}`, `{"${text}":1}`]) {
      const result = await requested((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(sent)
      })
      assert.match(JSON.stringify(result), /\[hidden\]/, sent)
      assert.doesNotMatch(JSON.stringify(result), /ret.{0,3}key/, sent)
    }
  }
  const plain = key.replaceAll(/[^a-z]/g, '')
  const target = await requested(
    (_, response) => response.writeHead(302, { location: `http://${plain}.example/` }).end(),
    plain,
  )
  assert.match(String(target), /redirects to \[hidden\]\.example/)
  const type = await requested(
    (_, response) => response.writeHead(200, { 'content-type': `image/${plain}` }).end('x'),
    plain,
  )
  assert.match(String(type), /answered with image\/\[hidden\]/)
})

test('a remote document cannot choose where keys are sent', async (t) => {
  const document = { ...parse(readFileSync(FILE, 'utf8')), servers: [{ url: 'https://a.example' }] }
  const { baseUrl } = await startServer(t, respondWith(document))
  const [, host] = baseUrl.split('/').filter(Boolean)
  const auth = { token: TOKEN }
  await assert.rejects(
    openApiTools({ document: baseUrl, auth }),
    RegExp(`document at ${host} would send the keys of auth to a\\.example; .*baseUrl`),
  )
  assert.equal((await openApiTools({ document: baseUrl })).length, 7)
  assert.equal((await openApiTools({ document: baseUrl, auth, baseUrl })).length, 7)
  const secret = ['hunt', 'er-22'].join('')
  await assert.rejects(openApiTools({ document: `http://me:${secret}@${host}/api` }), (error) => {
    assert.match(String(error), /holds a user name or password/)
    return !String(error).includes(secret)
  })
})

test('a faulty or expensive document is rejected with one sentence', async () => {
  const baseUrl = 'http://127.0.0.1:1'
  const of = (schema: Json, schemas: JsonObject = {}): JsonObject => ({
    openapi: '3.0.3',
    components: { schemas },
    paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
  })
  const ref = (number: number): JsonObject => ({ $ref: `#/components/schemas/A${number}` })
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, index): [string, Json] => {
      const two = { a: ref(index + 1), b: ref(index + 1) }
      return [`A${index}`, { allOf: [{ type: 'object', properties: two }] }]
    }),
  )
  const faults: readonly (readonly [JsonObject, RegExp])[] = [
    [of(ref(0), { ...doubling, A60: { type: 'object' } }), /post \/a combines types \(allOf\)/],
    [of({ dependentSchemas: {} }), /post \/a cannot be described \(.*dependentSchemas/],
    [of({ $ref: 5 }), /post \/a cannot be described/],
    [of({ properties: 'x' }), /post \/a cannot be described/],
    [{ openapi: '3.0.3', paths: { '/a': { get: 5 } } }, /its operations cannot be described/],
  ]
  for (const [document, message] of faults) {
    await assert.rejects(openApiTools({ document, baseUrl }), (error) => {
      assert.ok(error instanceof EchelonError && error.code === 'INVALID_INPUT')
      assert.match(error.message, message)
      return true
    })
  }
  // Recursive types are valid, also when merged.
  const own = { allOf: [{ type: 'object', properties: { more: ref(0) } }, { required: ['more'] }] }
  assert.equal((await openApiTools({ document: of(ref(0), { A0: own }), baseUrl })).length, 1)
  const many = Array.from({ length: 30_000 }, (_, index): [string, Json] => [
    `/${index}`,
    { get: { operationId: 'same' } },
  ])
  const document = { openapi: '3.0.3', paths: Object.fromEntries(many) }
  const only = ['same_30000']
  assert.deepEqual(
    (await openApiTools({ document, baseUrl, only })).map(({ name }) => name),
    only,
  )
  await assert.rejects(openApiTools({ document, baseUrl, maxBytes: Number.NaN }), /maxBytes is NaN/)
})

test('a document may name one server, which must be public', async () => {
  const document: JsonObject = parse(readFileSync(FILE, 'utf8'))
  const at = (url: string, more: JsonObject = {}): Promise<readonly Tool[]> =>
    openApiTools({ document: { ...document, servers: [{ url }], ...more } })
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]', '10.1.2.3', '0x7f.1']) {
    await assert.rejects(at(`http://${host}/v1`), /which is not public; if you trust it/, host)
  }
  assert.equal(
    (
      await openApiTools({
        document: { ...document, servers: [{ url: 'http://10.0.0.1' }] },
        allowPrivate: true,
      })
    ).length,
    7,
  )
  const elsewhere = {
    '/x': { get: { servers: [{ url: 'https://other.example' }], responses: {} } },
  }
  await assert.rejects(
    at('https://a.example', { paths: elsewhere }),
    /to https:\/\/other\.example and to/,
  )
  await assert.rejects(at('/v1'), /is not an HTTP URL; give baseUrl/)
  await assert.rejects(at('https://u:p@a.example'), /holds a user name or password/)
  const hosts = ['::ffff:127.0.0.1', 'fd00::1', 'x.internal', '93.184.215.14', '2606:2800::1']
  assert.deepEqual(await Promise.all(hosts.map(isPrivateHost)), [true, true, true, false, false])
  // IPv4 addresses within IPv6, and names that end in a dot.
  const hidden = ['[::7f00:1]', '[2002:7f00:1::]', '64:ff9b:1::7f00:1', '[::ffff:a9fe:a9fe]']
  for (const host of [...hidden, 'fec0::1', 'localhost.', 'x.internal.']) {
    assert.equal(await isPrivateHost(host), true, host)
  }
})

test('a name that resolves to this machine at the time of a call is not called', async (t) => {
  const { baseUrl, received } = await startServer(t, respondWith({}))
  const target = { to: '93.184.215.14' }
  t.mock.method(dns, 'lookup', () => Promise.resolve([{ address: target.to, family: 4 }]))
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const url = baseUrl.replace('127.0.0.1', 'shelter.example')
  const document = { openapi: '3.0.3', servers: [{ url }], paths: { '/a': { get: {} } } }
  const [tool] = await openApiTools({ document })
  assert.ok(tool !== undefined)
  target.to = '127.0.0.1'
  await assert.rejects(callTool(tool, {}), /shelter\.example:\d+, which is not public/)
  assert.deepEqual(received, [])
})

test('paths of a document cannot change the server', async (t) => {
  const other = await startServer(t, respondWith({}))
  const { baseUrl, received } = await startServer(t, respondWith({}))
  const { host } = new URL(other.baseUrl)
  for (const path of [`@${host}/x`, `:k@${host}/x`]) {
    const document = { openapi: '3.0.3', paths: { [path]: { get: {} } } }
    const [tool] = await openApiTools({ document, baseUrl: new URL(baseUrl).origin })
    assert.ok(tool !== undefined)
    await assert.rejects(callTool(tool, {}), isToolError('INVALID_ARGS', /would change the server/))
  }
  assert.deepEqual([received, other.received], [[], []])
})

test('documents load from a URL, a file or an object, and invalid ones are rejected with the reason', async (t) => {
  const yaml = readFileSync(FILE, 'utf8')
  const { baseUrl } = await startServer(t, (_, response) => response.end(yaml))
  const [first] = await openApiTools({ document: `${baseUrl}/api.yaml`, baseUrl })
  assert.equal(first?.name, 'listAnimals')
  const refuses = (document: string | JsonObject, message: RegExp): Promise<void> =>
    assert.rejects(openApiTools({ document, baseUrl }), (error) => {
      assert.ok(error instanceof EchelonError && error.code === 'INVALID_INPUT')
      assert.match(error.message, message)
      return true
    })
  await refuses({ swagger: '2.0', paths: {} }, /version Swagger 2\.0; OpenAPI 3/)
  await refuses({ openapi: '3.0.0' }, /has no paths/)
  await refuses(join(import.meta.dirname, 'nowhere.json'), /nowhere\.json cannot be read/)
  await refuses(import.meta.filename, /is neither JSON nor YAML|is not a JSON object/)
  const missing = await startServer(t, respondWith({}, 404))
  await refuses(missing.baseUrl, /answered with status 404/)
})

test('only selects operations, and unusable ones are reported', async () => {
  const baseUrl = 'http://127.0.0.1:1'
  const names = async (options: Partial<OpenApiOptions>): Promise<readonly string[]> =>
    (await shelter({ baseUrl, ...options })).map(({ name }) => name)
  assert.deepEqual(await names({ only: ['page'] }), ['page'])
  assert.deepEqual(await names({ only: ({ path }) => path === '/visits', prefix: 's_' }), [
    's_bookVisit',
  ])
  await assert.rejects(names({ only: ['pages'] }), /only names pages, .* did you mean page\?/)
  await assert.rejects(
    names({ auth: { key: 'x' } }),
    /auth is given for key, .*token, desk, station/,
  )
  const upload = { requestBody: { content: { 'multipart/form-data': { schema: {} } } } }
  const parameters = [{ name: 'x', in: 'query', schema: { $ref: 'other.yaml#/X' } }]
  const document: JsonObject = {
    openapi: '3.0.3',
    paths: { '/a': { post: upload, get: { parameters } }, '/b': { get: {} } },
  }
  await assert.rejects(
    openApiTools({ document, baseUrl }),
    /post \/a takes a body of type multipart.*leave it out with only/,
  )
  const problems: string[] = []
  const rest = await openApiTools({ document, baseUrl, onProblem: (one) => problems.push(one) })
  assert.deepEqual(
    rest.map(({ name }) => name),
    ['get_b'],
  )
  assert.match(problems.join(), /post \/a takes .*get \/a refers to other\.yaml#\/X, which/)
})
