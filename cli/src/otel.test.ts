import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { z } from 'zod'
import { folderFor, runCommand } from './testing/run-command.ts'

const value = z.object({ stringValue: z.string().optional() })
const attributes = z.array(z.object({ key: z.string(), value }))
const spans = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
            }),
          ),
        }),
      ),
    }),
  ),
})
const figures = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(z.object({ metrics: z.array(z.object({ name: z.string() })) })),
    }),
  ),
})

/** A collector of OTLP/HTTP with JSON that keeps what it receives. */
async function collect() {
  const got = {
    spans: new Array<string>(),
    traces: new Set<string>(),
    parents: new Set<string | undefined>(),
    figures: new Set<string>(),
    service: '',
    text: '',
    paths: new Set<string | undefined>(),
  }
  const take = (path: string | undefined, body: unknown): void => {
    got.paths.add(path)
    got.text += JSON.stringify(body)
    if (path?.endsWith('/v1/traces') === true) {
      for (const { resource, scopeSpans } of spans.parse(body).resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === 'service.name')
        got.service = service?.value.stringValue ?? ''
        for (const { name, traceId, parentSpanId } of scopeSpans.flatMap((one) => one.spans)) {
          got.spans.push(name)
          got.traces.add(traceId)
          got.parents.add(parentSpanId)
        }
      }
    } else {
      const scopes = figures.parse(body).resourceMetrics.flatMap((one) => one.scopeMetrics)
      for (const { name } of scopes.flatMap(({ metrics }) => metrics)) got.figures.add(name)
    }
  }
  const server = createServer((request, response) => {
    void json(request).then(
      (body) => {
        take(request.url, body)
        return response.setHeader('content-type', 'application/json').end('{}')
      },
      () => response.writeHead(400).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}`,
    got,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const TASK = 'What is 15 * 23?'

suite('--otel', () => {
  test('[C-23, DD-27] decide sends spans and metrics to a collector, without text of the task', async (t) => {
    using collector = await collect()
    const { url, got } = collector
    const args = ['decide', TASK, '--no-records', '--json', `--otel=${url}/`]
    const ran = await runCommand(args, folderFor(t))
    assert.equal(ran.status, 0)
    assert.doesNotMatch(ran.stderr, /could be sent/)
    assert.deepEqual(
      got.spans.toSorted((a, b) => (a < b ? -1 : 1)),
      // One call from the plan, one from the verifier.
      ['chat small', 'execute_tool calculator', 'execute_tool calculator', 'invoke_agent decide'],
    )
    for (const name of ['gen_ai.client.token.usage', 'echelon.verdicts', 'process.cpu.time']) {
      assert.ok(got.figures.has(name), name)
    }
    assert.equal(got.service, 'echelon')
    assert.deepEqual(got.paths, new Set(['/v1/traces', '/v1/metrics']))
    assert.doesNotMatch(got.text, /15 \* 23/)
  })

  test('[DD-27] chat sends them to the collector in the environment', async (t) => {
    using collector = await collect()
    const more = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'desk' }
    const args = ['chat', TASK, '--model', 'offline/small', '--no-tools', '--otel']
    await runCommand(args, folderFor(t), { env: more })
    assert.ok(collector.got.spans.includes('invoke_agent chat'))
    assert.equal(collector.got.service, 'desk')
  })

  test('[DD-27] continues the trace of the calling job', async (t) => {
    using collector = await collect()
    const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    const more = { TRACEPARENT: `00-${trace}-${span}-01` }
    const args = ['decide', TASK, '--no-records', '--json', '--otel', collector.url]
    await runCommand(args, folderFor(t), { env: more })
    assert.ok(collector.got.spans.includes('invoke_agent decide'))
    assert.deepEqual(collector.got.traces, new Set([trace]))
    assert.ok(collector.got.parents.has(span))
  })

  test('[DD-27] eval sends a trace for each case', async (t) => {
    using collector = await collect()
    const folder = folderFor(t)
    const cases = ['2 + 3', '4 * 5'].map((sum, index) => ({
      id: `c${index}`,
      input: `What is ${sum}?`,
    }))
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
    const args = ['eval', 'cases.json', '--no-records', '--json', '--otel', collector.url]
    await runCommand(args, folder)
    const runs = collector.got.spans.filter((name) => name === 'invoke_agent decide')
    assert.equal(runs.length, 2)
  })

  test('[DD-27] an unreachable collector costs only one line on stderr', async (t) => {
    using gone = await collect()
    gone[Symbol.dispose]()
    const args = ['decide', TASK, '--no-records', '--json', '--otel', gone.url]
    const ran = await runCommand(args, folderFor(t))
    assert.equal(ran.status, 0)
    assert.match(ran.stdout, /"answer": "345"/)
    const lines = ran.stderr.split('\n').filter((line) => line.includes('could be sent'))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /^echelon: .*ECONNREFUSED 127\.0\.0\.1:\d+\)/)
    assert.ok(ran.stderr.split('\n').length <= 3, ran.stderr)
  })

  test('[DD-27] a refusal is one line with status and address', async (t) => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(404).end('<h1>There is nothing here</h1>')
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const host = `127.0.0.1:${address.port}`
    const more = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://me:hush@${host}?token=hush` }
    const begun = ['decide', TASK, '--no-records', '--json']
    for (const args of [[`--otel=http://${host}/`], ['--otel']]) {
      const ran = await runCommand([...begun, ...args], folderFor(t), { env: more })
      assert.equal(ran.status, 0)
      const lines = ran.stderr.split('\n').filter((line) => !line.startsWith('offline models'))
      assert.equal(lines.length, 2, ran.stderr)
      assert.match(
        lines[0] ?? '',
        /^echelon: not all .* \(404 Not Found from http:\/\/127\.0\.0\.1:\d+\/[\w/]*\); --otel needs a collector/,
      )
      assert.doesNotMatch(ran.stderr, /hush/)
    }
  })

  test('reports a task given in place of the address', async (t) => {
    const ran = await runCommand(['decide', '--otel', TASK], folderFor(t))
    assert.equal(ran.status, 2)
    assert.match(ran.stderr, /the URL of a collector, such as http:\/\/localhost:4318/)
  })
})
