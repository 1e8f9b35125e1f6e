import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import {
  type Answering,
  type HostileServer,
  hostileServer,
  pour,
  pourPacked,
  rawServer,
} from './hostile-http.ts'
import { tried } from './tried.ts'

const CLIENT = join(import.meta.dirname, 'endless-client.ts')

interface Ended {
  readonly code?: string
  readonly message?: string
  readonly reason?: string
  /** Of the processor. */
  readonly ms: number
  readonly peakMb: number
}

/** Runs the request in a separate process, whose memory is measured. */
function ended(server: HostileServer, way: 'stream' | 'whole'): Promise<Ended> {
  const args = [
    '--conditions=echelon-source',
    CLIENT,
    'openai-compatible',
    `${server.origin}/v1`,
    way,
  ]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { timeout: 120_000 }, (_, stdout, stderr) => {
      try {
        const value: Ended = JSON.parse(stdout)
        resolve(value)
      } catch {
        reject(new Error(`no end: ${stderr.slice(-2000)}`))
      }
    })
  })
}

const open =
  (type: string, status = 200, more: Readonly<Record<string, string>> = {}) =>
  (response: Parameters<Answering>[0]): Parameters<Answering>[0] => {
    response.writeHead(status, { 'content-type': type, ...more })
    return response
  }

const json = open('application/json')
const failing = open('application/json', 500)
const events = open('text/event-stream')
const packed = open('application/json', 200, { 'content-encoding': 'gzip' })
const packedEvents = open('text/event-stream', 200, { 'content-encoding': 'gzip' })

const MUCH = Buffer.alloc(64 * 1024, 'a')
const EVENT = `data: ${JSON.stringify({
  id: 'a',
  choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }],
})}\n\n`

interface Case {
  readonly name: string
  readonly way: 'stream' | 'whole'
  readonly server: () => Promise<HostileServer>
  readonly says?: RegExp
}

const TOO_LONG = /more than \d+ (?:MB|events)/

const CASES: readonly Case[] = [
  {
    name: 'an endless answer',
    way: 'whole',
    server: () =>
      hostileServer((response) => {
        json(response).write('{"choices":[{"message":{"role":"assistant","content":"')
        pour(response, MUCH)
      }),
    says: TOO_LONG,
  },
  {
    name: 'an endless error',
    way: 'whole',
    server: () => hostileServer((response) => pour(failing(response), MUCH)),
    says: /Internal Server Error/,
  },
  {
    name: 'an endless stream without a line break',
    way: 'stream',
    server: () =>
      hostileServer((response) => {
        events(response).write('data: {"choices":[{"delta":{"content":"')
        pour(response, MUCH)
      }),
    says: TOO_LONG,
  },
  {
    name: 'an endless stream of tiny parts',
    way: 'stream',
    server: () => hostileServer((response) => pour(events(response), EVENT.repeat(500))),
    says: TOO_LONG,
  },
  {
    name: 'an endless stream of comments',
    way: 'stream',
    server: () => hostileServer((response) => pour(events(response), ': ping\n\n'.repeat(500))),
    says: TOO_LONG,
  },
  {
    name: 'an endless stream of data lines without an end of the event',
    way: 'stream',
    server: () => hostileServer((response) => pour(events(response), 'data: a\n'.repeat(500))),
    says: TOO_LONG,
  },
  {
    name: 'a packed bomb',
    way: 'whole',
    server: () => hostileServer((response) => pourPacked(packed(response), MUCH)),
    says: TOO_LONG,
  },
  {
    name: 'a packed stream',
    way: 'stream',
    server: () =>
      hostileServer((response) =>
        pourPacked(packedEvents(response), Buffer.from(EVENT.repeat(2000))),
      ),
    says: TOO_LONG,
  },
  {
    name: 'an endless stream where an answer was asked for',
    way: 'whole',
    server: () => hostileServer((response) => pour(events(response), EVENT.repeat(500))),
    says: TOO_LONG,
  },
  {
    name: 'endless headers',
    way: 'whole',
    server: () =>
      rawServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        pour(socket, `x-a: ${'a'.repeat(1000)}\r\n`.repeat(20))
      }),
  },
]

suite('bodies without an end', () => {
  test('each ends in bounded time and memory with one sentence', async (t) => {
    await tried(t, {
      cases: CASES,
      named: ({ name }) => name,
      fast: 3,
      async hold({ server, way, says }) {
        await using hostile = await server()
        const end = await ended(hostile, way)
        assert.equal(end.code, 'MODEL_FAILED', JSON.stringify(end))
        assert.ok(end.peakMb < 600, `it took ${end.peakMb} MB`)
        assert.ok(end.ms < 30_000, `it took ${end.ms} ms of the processor`)
        assert.ok(!(end.message ?? '').includes('\n'), end.message)
        if (says !== undefined) assert.match(end.message ?? '', says)
      },
    })
  })
})
