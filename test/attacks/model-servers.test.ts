import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { createAgent, defineTool } from '../../packages/echelon/src/chat.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { isJsonObject, type Json } from '../../packages/echelon/src/core/value/json.ts'
import { createRegistry, standardProviders } from '../../packages/echelon/src/providers/registry.ts'
import type { ServerReply } from '../../packages/echelon/src/testing/wire/script.ts'
import { hostileServer } from './hostile-http.ts'
import { changed, type Lie, LyingServer, placesIn, sent, withAt } from './lying-model-server.ts'
import { tried } from './tried.ts'

/** Real packages, each with another wire format. */
const FAMILIES = [
  { model: 'openai/gpt-4.1-nano', api: 'chat' },
  { model: 'openai/gpt-5-nano', api: 'responses' },
  { model: 'openai-compatible/m' },
  { model: 'anthropic/claude-haiku-4-5' },
  { model: 'google/gemini-2.5-flash' },
] as const
type Family = (typeof FAMILIES)[number]

const LIMITS = { money: 0.5, tokens: 50_000, tools: 100 } as const

interface Ended {
  readonly text: string | undefined
  readonly message: string | undefined
  readonly made: readonly string[]
  readonly spent: Readonly<Record<string, number>>
  readonly ms: number
}

async function ended(
  family: Family,
  server: { readonly baseUrl: string },
  streams: boolean,
): Promise<Ended> {
  const key = family.model.slice(0, family.model.indexOf('/'))
  const settings = {
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    price: { inputPerMillion: 1, outputPerMillion: 10 },
    ...('api' in family && { api: family.api }),
  }
  const model = await createRegistry(standardProviders).resolve(family.model, { [key]: settings })
  const made: string[] = []
  const note = defineTool({
    name: 'note',
    description: 'keeps a note',
    does: 'reads',
    input: z.object({ text: z.string() }),
    run: ({ text }) => {
      made.push(text)
      return 'kept'
    },
  })
  const agent = createAgent({
    model,
    tools: [note],
    limits: LIMITS,
    maxTokens: 400,
    maxIterations: 3,
    maxCallsPerStep: 5,
    errorHandling: { retries: 1, baseMs: 1 },
    modelTimeouts: { answerMs: 600, pauseMs: 600 },
  })
  const begun = performance.now()
  const run = agent.run('please answer with fine words')
  let [text, message]: [string | undefined, string | undefined] = [undefined, undefined]
  try {
    if (streams) for await (const _ of run);
    ;({ text } = await run.result)
  } catch (error) {
    assert.ok(error instanceof EchelonError, `a raw error: ${String(error)}`)
    ;({ message } = error)
  }
  return { text, message, made, spent: run.spent, ms: performance.now() - begun }
}

/** Conditions of every end, whatever the server did. */
function assertHeld({ text, message, made, spent, ms }: Ended): void {
  assert.ok(ms < 10_000, `it took ${Math.round(ms)} ms`)
  for (const [counter, amount] of Object.entries(spent)) {
    assert.ok(Number.isFinite(amount) && amount >= 0, `${counter} is ${amount}`)
  }
  for (const [counter, limit] of Object.entries(LIMITS)) {
    assert.ok((spent[counter] ?? 0) <= limit, `${counter} is ${spent[counter]}`)
  }
  const calls = spent['calls.main'] ?? 0
  assert.ok(calls > 0 && calls <= 6, `${calls} calls`)
  assert.ok(made.length <= 15, `${made.length} tool calls were made`)
  if (message !== undefined) assertSentence(message)
  else assert.ok(text !== undefined && (spent['tokens'] ?? 0) > 0 && (spent['money'] ?? 0) > 0)
}

function assertSentence(message: string): void {
  assert.ok(message.length < 600, `${message.length} characters: ${message.slice(0, 200)}`)
  assert.doesNotMatch(message, /[\p{Cc}]/u)
  assert.doesNotMatch(
    message,
    /Type validation|Value: |Cannot read|is not a function|not iterable|undefined|\[object|invalid_type|node_modules/i,
  )
}

const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
const usageTo = (count: Json): Lie =>
  changed((data) => {
    const counts = placesIn(data).filter(
      (path) => /token/i.test(path.at(-1) ?? '') && typeof valueAt(data, path) === 'number',
    )
    return counts.reduce<Json | undefined>(
      (now, path) => (now === undefined ? now : withAt(now, path, count)),
      data,
    )
  })

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((now, key) => {
    if (Array.isArray(now)) return now[Number(key)]
    return now !== undefined && isJsonObject(now) ? now[key] : undefined
  }, value)
}

const raw = (
  body: string | Buffer,
  headers?: Readonly<Record<string, string>>,
  status?: number,
): Lie => sent(() => body, { ...(headers && { headers }), ...(status && { status }) })

/** Lies about the answer as a whole. */
const LIES: Readonly<Record<string, Lie>> = {
  'nothing at all': raw(''),
  'a page': raw('<!doctype html><h1>502</h1>', { 'content-type': 'text/html' }),
  'a page that calls itself JSON': raw('<!doctype html><h1>502</h1>'),
  'another content type': sent((body) => body, { headers: { 'content-type': 'image/png' } }),
  'no content type': sent((body) => body, { headers: { 'content-type': '' } }),
  null: raw('null'),
  'a number': raw('1e400'),
  'a text': raw('"fine words"'),
  'an empty list': raw('[]'),
  'an empty object': raw('{}'),
  'data: null': raw('data: null\n\ndata: []\n\ndata: 3\n\ndata: "a"\n\n'),
  'half of it': sent((body) => body.slice(0, body.length / 2)),
  'all but the end': sent((body) => body.slice(0, -12)),
  'it twice': sent((body) => body + body),
  'a byte order mark': sent((body) => `\uFEFF${body}`),
  'UTF-16': sent((body) => Buffer.from(body, 'utf16le')),
  'bytes that are no UTF-8': sent((body) =>
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(body)]),
  ),
  'NUL bytes': sent((body) => body.replaceAll('words', '\u0000\u0000')),
  'NUL bytes escaped': sent((body) => body.replaceAll('words', String.raw`\u0000\u001b[2J`)),
  'nests 50,000 deep': raw(deep),
  'nests deep inside': sent((body) => body.replace(/"(?:fine |fine words)"/, deep)),
  'packed by name only': sent((body) => body, { headers: { 'content-encoding': 'gzip' } }),
  'packed twice': sent((body) => gzipSync(gzipSync(body)), {
    headers: { 'content-encoding': 'gzip' },
  }),
  'an unknown packing': sent((body) => body, { headers: { 'content-encoding': 'zstd, x' } }),
  'a longer length': sent((body) => body, { headers: { 'content-length': '99999' } }),
  'a shorter length': (response, answer) => {
    response.strictContentLength = false
    sent((body) => body, { headers: { 'content-length': '40' } })(response, answer)
  },
  'status 204': raw('', {}, 204),
  'status 206': sent((body) => body, { status: 206 }),
  'status 299': sent((body) => body, { status: 299 }),
  'status 304': raw('', {}, 304),
  'status 418': sent((body) => body, { status: 418 }),
  'status 599': sent((body) => body, { status: 599 }),
  'status 999': sent((body) => body, { status: 999 }),
  'an error of a megabyte': raw(
    JSON.stringify({ error: { message: 'word '.repeat(200_000), type: 3 } }),
    {},
    400,
  ),
  'an error with control characters': raw(
    JSON.stringify({ error: { message: 'a\u001b[2J\nb\u202ec\u0000' } }),
    {},
    400,
  ),
  'an error of another shape': raw(
    JSON.stringify({ error: [{ message: {} }], message: null }),
    {},
    400,
  ),
  'an error in a success': raw(JSON.stringify({ error: { message: 'no', code: {} } })),
  'a wait of a year': raw('{}', { 'retry-after': '31536000' }, 429),
  'a negative wait': raw('{}', { 'retry-after': '-5', 'retry-after-ms': 'NaN' }, 429),
  'a redirect to a file': raw('', { location: 'file:///etc/passwd' }, 307),
  'a redirect to nowhere': raw('', { location: 'http://' }, 302),
  'a redirect to itself': raw('', { location: '?' }, 308),
  'headers of 60 KB': sent((body) => body, { headers: { 'x-much': 'a'.repeat(60_000) } }),
  'a broken connection': (response) => response.destroy(),
  'half, and a broken connection': (response, answer) => {
    response.writeHead(200, {
      'content-type': answer.streams ? 'text/event-stream' : 'application/json',
    })
    response.write('data: {"', () => response.destroy())
  },
  silence: () => undefined,
  'a drop at a time': (response, answer) => {
    response.writeHead(200, {
      'content-type': answer.streams ? 'text/event-stream' : 'application/json',
    })
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  'a comment at a time': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write(': still here\n\n'), 50)
    response.on('close', () => clearInterval(timer))
  },
  'no end of the stream': sent((body) =>
    body.slice(0, body.lastIndexOf('data:', body.length - 20)),
  ),
  'the end first': (response, answer) =>
    sent()(response, { ...answer, events: answer.events.toReversed() }),
  'negative usage': usageTo(-1_000_000),
  'usage of null': usageTo(null),
  'usage in fractions': usageTo(0.25),
  'usage as text': usageTo('12'),
  'no usage counted': usageTo(0),
  'absurd usage': usageTo(1e15),
  'usage near the top': usageTo(19_000_000),
  'usage in a list': usageTo([1]),
}

const call = (tool: string, input: Json) => ({ tool, input })

/** Lies within a well-formed answer. */
const REPLIES: Readonly<Record<string, Partial<ServerReply>>> = {
  'a tool that was not offered': { toolCalls: [call('shell', { command: 'rm' })] },
  'a tool of JavaScript': { toolCalls: [call('constructor', {}), call('__proto__', {})] },
  'a tool without a name': { toolCalls: [call('', {})] },
  'a tool with a long name': { toolCalls: [call('n'.repeat(100_000), {})] },
  'arguments of another shape': { toolCalls: [call('note', { text: 5 }), call('note', [])] },
  '1,000 calls': {
    toolCalls: Array.from({ length: 1000 }, (_, index) => call('note', { text: `${index}` })),
  },
  'one giant argument': { toolCalls: [call('note', { text: 'a'.repeat(2_000_000) })] },
  'a giant text': { text: ['a'.repeat(2_000_000)] },
  '20,000 pieces': { text: Array.from({ length: 20_000 }, () => 'a') },
  'calls, and an end without': { toolCalls: [call('note', { text: 'a' })], finishReason: 'stop' },
  'an end of calls, without any': { text: [], finishReason: 'tool-calls' },
  'an end of calls, with text alone': { finishReason: 'tool-calls' },
  'a filtered end with calls': {
    toolCalls: [call('note', { text: 'a' })],
    finishReason: 'content-filter',
  },
  'no text': { text: [] },
  'invalid usage': { usage: null },
}

const server = await new LyingServer().listen()
after(async () => await server[Symbol.asyncDispose]())

const HONEST: ServerReply = {
  type: 'reply',
  text: ['fine ', 'words'],
  usage: { input: 20, output: 4 },
}

async function held(
  family: Family,
  streams: boolean,
  { lie = sent(), reply = {} }: { lie?: Lie; reply?: Partial<ServerReply> },
): Promise<Ended> {
  server.lie = lie
  server.reply = { ...HONEST, ...reply }
  const end = await ended(family, server, streams)
  assertHeld(end)
  return end
}

/** One server for each family, streamed or not. */
const cross = <Value>(values: Readonly<Record<string, Value>>) =>
  Object.entries(values).flatMap(([name, value]) =>
    FAMILIES.flatMap((family) =>
      [true, false].map((streams) => ({ name, value, family, streams })),
    ),
  )

const named = ({
  name,
  family,
  streams,
}: {
  name: string
  family: Family
  streams: boolean
}): string => `${family.model}${streams ? ', streamed' : ''}: ${name}`

suite('model servers that lie', () => {
  test('each lie about an answer ends in time, within the budget, with one sentence', async (t) => {
    await tried(t, {
      cases: cross(LIES),
      named,
      fast: 15,
      hold: async ({ value, family, streams }) =>
        void (await held(family, streams, { lie: value })),
    })
  })

  test('each lie within an answer ends in time, without a forbidden call', async (t) => {
    await tried(t, {
      cases: cross(REPLIES),
      named,
      hold: async ({ value, family, streams }) =>
        void (await held(family, streams, { reply: value })),
    })
  })

  test('a value of another type anywhere in an answer ends with one sentence', async (t) => {
    const values: readonly (Json | undefined)[] = [
      undefined,
      null,
      7,
      -1,
      'a',
      true,
      [],
      {},
      [null],
      { a: [] },
    ]
    const cases = FAMILIES.flatMap((family) =>
      [true, false].flatMap((streams) =>
        Array.from({ length: 40 }, (_, place) => place).flatMap((place) =>
          values.map((value, index) => ({
            family,
            streams,
            place,
            value,
            name: `value ${index} at place ${place}`,
          })),
        ),
      ),
    )
    await tried(t, {
      cases,
      named,
      fast: 20,
      async hold({ family, streams, place, value }) {
        const lie = changed((data) => {
          const places = placesIn(data)
          return places.length > place ? withAt(data, places[place] ?? [], value) : data
        })
        await held(family, streams, { lie, reply: { toolCalls: [call('note', { text: 'b' })] } })
      },
    })
  })

  test('a redirect sends neither key nor conversation to another host', async (t) => {
    await tried(t, {
      cases: cross({ 301: 301, 302: 302, 303: 303, 307: 307, 308: 308 }),
      named,
      async hold({ value, family, streams }) {
        await using other = await hostileServer((response) => response.end('{}'))
        const lie: Lie = (response) => response.writeHead(value, { location: other.origin }).end()
        const { message } = await held(family, streams, { lie })
        assert.equal(other.asked.count, 0)
        assert.match(message ?? '', /redirects to http:.*, which is not followed/)
      },
    })
  })
})
