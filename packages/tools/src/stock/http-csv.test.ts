import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type HttpCsvOptions, httpCsvSource } from './http-csv.ts'

const CSV = 'Date,Close\n2018-05-09,3\n2018-05-11,1\n2018-05-10,2\n'
const never = new AbortController().signal

/** Starts a server for one test. Returns its URL without a path. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

const FLOOD = Buffer.alloc(64 * 1024, '1')

/** Writes until the connection is full or closed. */
function pour(response: ServerResponse): void {
  if (response.write(FLOOD) && !response.destroyed) pour(response)
}

const sourceAt = (origin: string, options: Partial<HttpCsvOptions> = {}) =>
  httpCsvSource({ url: `${origin}/{ticker}.csv?n={n}`, attribution: 'A test', ...options })

suite('prices over HTTP', () => {
  test('[DD-6] are the latest n days, ascending', async (t) => {
    const origin = await serve(t, (_, response) => response.end(CSV))
    assert.deepEqual(await sourceAt(origin).fetch('AAPL', 2, never), [
      { date: '2018-05-10', close: 2 },
      { date: '2018-05-11', close: 1 },
    ])
  })

  test('are requested by ticker and n, with the headers', async (t) => {
    const requested: unknown[] = []
    const origin = await serve(t, ({ url, headers }, response) => {
      requested.push(url, headers['x-key'])
      response.end(CSV)
    })
    const source = sourceAt(origin, { headers: { 'x-key': 'k' } })
    await source.fetch('^GSPC', 2, never)
    await source.fetch('EURUSD=X', 1, never)
    assert.deepEqual(requested, ['/%5EGSPC.csv?n=2', 'k', '/EURUSD%3DX.csv?n=1', 'k'])
  })

  test('are read from the named columns', async (t) => {
    const origin = await serve(t, (_, response) => response.end('day,last\n2018-05-11,7\n'))
    const source = sourceAt(origin, { columns: { date: 'day', close: 'last' } })
    assert.deepEqual(await source.fetch('AAPL', 1, never), [{ date: '2018-05-11', close: 7 }])
  })

  test('[DD-16] are not requested for an invalid ticker', async (t) => {
    let requested = 0
    const origin = await serve(t, (_, response) => {
      requested += 1
      response.end(CSV)
    })
    for (const ticker of [
      '',
      '../admin',
      'A/B',
      'A?x=1',
      'A#',
      '..',
      'A B',
      'A\r\nX: y',
      'A'.repeat(17),
    ]) {
      await assert.rejects(sourceAt(origin).fetch(ticker, 1, never), { code: 'INVALID_ARGS' })
    }
    assert.equal(requested, 0)
  })
})

suite('a failing price service', () => {
  const statuses = {
    404: 'INVALID_ARGS',
    429: 'RATE_LIMIT',
    503: 'RATE_LIMIT',
    504: 'NET_TIMEOUT',
    500: 'TOOL_ERROR',
    204: 'TOOL_ERROR',
  }
  for (const [status, code] of Object.entries(statuses)) {
    test(`status ${status} is ${code}`, async (t) => {
      const origin = await serve(t, (_, response) => response.writeHead(Number(status)).end())
      await assert.rejects(sourceAt(origin).fetch('AAPL', 1, never), { name: 'ToolError', code })
    })
  }

  test('a response that is late, from the start or during the body, is NET_TIMEOUT', async (t) => {
    const origin = await serve(t, ({ url }, response) => {
      if (url?.startsWith('/HALF')) response.write('date,close\n')
    })
    const source = sourceAt(origin, { timeoutMs: 60 })
    for (const ticker of ['NONE', 'HALF']) {
      const failure = { code: 'NET_TIMEOUT', message: /did not answer within 0.06 s/ }
      await assert.rejects(source.fetch(ticker, 1, never), failure)
    }
  })

  test('a closed connection or an unreachable host is NET_TIMEOUT', async (t) => {
    const origin = await serve(t, ({ socket }, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('date,close\n')
      setTimeout(() => socket.destroy(), 20)
    })
    const failure = { code: 'NET_TIMEOUT', message: /could not be reached/ }
    await assert.rejects(sourceAt(origin).fetch('AAPL', 1, never), failure)
    await assert.rejects(sourceAt('http://127.0.0.1:1').fetch('AAPL', 1, never), failure)
  })

  test('[DD-16] an endless body, compressed or not, is cut off', async (t) => {
    const packed = gzipSync(Buffer.alloc(8 * 1024 * 1024, '1'))
    const cutOff = Promise.withResolvers<void>()
    const origin = await serve(t, ({ url }, response) => {
      if (url?.startsWith('/ZIP')) {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
      } else {
        pour(response)
        response.on('drain', () => pour(response)).on('close', cutOff.resolve)
      }
    })
    const failure = { code: 'TOOL_ERROR', message: /more than 5242880 bytes/ }
    await assert.rejects(sourceAt(origin).fetch('ZIP', 1, never), failure)
    await assert.rejects(sourceAt(origin).fetch('FLOOD', 1, never), failure)
    await cutOff.promise
  })

  test('[DD-16] redirects are followed within the origin only', async (t) => {
    const reached: unknown[] = []
    const other = await serve(t, ({ headers }, response) => {
      reached.push(headers['x-key'])
      response.end(CSV)
    })
    const origin = await serve(t, ({ url }, response) => {
      if (url?.startsWith('/HERE')) response.writeHead(302, { location: '/moved' }).end()
      else if (url === '/moved') response.end(CSV)
      else if (url?.startsWith('/LOOP')) response.writeHead(302, { location: url }).end()
      else if (url?.startsWith('/FILE')) response.writeHead(302, { location: 'file:///etc' }).end()
      else response.writeHead(302, { location: `${other}/AAPL.csv` }).end()
    })
    const source = sourceAt(origin, { headers: { 'x-key': 'secret' } })
    assert.equal((await source.fetch('HERE', 3, never)).length, 3)
    for (const [ticker, message] of [
      ['AWAY', /is not followed/],
      ['FILE', /is not followed/],
      ['LOOP', /more than 3 times/],
    ] as const) {
      await assert.rejects(source.fetch(ticker, 1, never), { code: 'TOOL_ERROR', message })
    }
    assert.deepEqual(reached, [])
  })

  test('errors do not reveal a key in the URL', async (t) => {
    const origin = await serve(t, (_, response) => response.writeHead(500).end())
    const source = sourceAt(origin, { url: `${origin}/{ticker}?key=secret` })
    const hidden = (error: Error): boolean => !error.message.includes('secret')
    await assert.rejects(source.fetch('AAPL', 1, never), hidden)
  })

  test('a canceled run stops the request', async (t) => {
    const origin = await serve(t, () => undefined)
    const stop = new AbortController()
    const fetching = sourceAt(origin).fetch('AAPL', 1, stop.signal)
    stop.abort(new Error('enough'))
    await assert.rejects(fetching, { message: 'enough' })
  })
})

test('an invalid URL is refused at once', () => {
  const urls = [
    'https://stocks.example/AAPL.csv',
    'stocks.example/{ticker}',
    'ftp://stocks.example/{ticker}',
    'file:///data/{ticker}.csv',
    'https://{ticker}.example/',
    'https://stocks.example.{ticker}/',
    'https://me:secret@stocks.example/{ticker}',
  ]
  for (const url of urls) {
    const refusal = { name: 'EchelonError', code: 'INVALID_CONFIG' }
    assert.throws(() => httpCsvSource({ url, attribution: '' }), refusal, url)
  }
  const headers = { 'x-key': 'two\nlines' }
  assert.throws(() => sourceAt('https://stocks.example', { headers }), { code: 'INVALID_CONFIG' })
})
