import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { createDecider } from 'echelon'
import { serveDecider } from '@echelon/server'
import { standardTools } from '@echelon/tools'
import { z } from 'zod'
import { IS_WHOLE } from '../share.ts'
import { decider, scripted, serving } from './served.ts'

const documentShape = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        responses: z.record(
          z.string(),
          z.looseObject({
            content: z.record(z.string(), z.object({ schema: z.looseObject({}) })),
          }),
        ),
      }),
    ),
  ),
})

async function contract(url: string) {
  const document = documentShape.parse(await (await fetch(`${url}/openapi.json`)).json())
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ ...document, $id: 'api:' })
  const check = (method: string, path: string, status: number, body: unknown): void => {
    const answer = document.paths[path]?.[method]?.responses[String(status)]
    assert.ok(answer, `${method} ${path} ${status} is not in the document`)
    const { schema } = answer.content['application/json'] ?? {}
    if (schema === undefined) return
    const absolute: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api:#/'))
    assert.ok(typeof absolute === 'object' && absolute !== null)
    const fits = ajv.compile(absolute)
    assert.ok(fits(body), `${method} ${path} ${status}: ${ajv.errorsText(fits.errors)}`)
  }
  return { document, check }
}

test('every answer is as the OpenAPI document says, and each route of it is there', async (t) => {
  const { url } = await serving(t, async (store) => [
    scripted(store, ['One.', 'Two.']),
    await decider(store),
  ])
  const { document, check } = await contract(url)
  const call = async (
    method: string,
    path: string,
    { at = path, body }: { at?: string; body?: unknown } = {},
  ) => {
    const answer = await fetch(url + at, {
      method: method.toUpperCase(),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    check(method, path, answer.status, isJson ? JSON.parse(text) : undefined)
    return isJson ? z.looseObject({ id: z.string().optional() }).parse(JSON.parse(text)) : {}
  }
  const body = { agent: 'chat', input: 'Hi', session: 's' }
  const { id = '' } = await call('post', '/runs', { body })
  await call('get', '/runs/{id}/events', { at: `/runs/${id}/events` })
  await call('get', '/runs/{id}', { at: `/runs/${id}` })
  await call('post', '/runs/{id}/fork', { at: `/runs/${id}/fork`, body: { at: 0 } })
  await call('post', '/runs/{id}/cancel', { at: `/runs/${id}/cancel` })
  await call('get', '/runs')
  await call('get', '/sessions')
  await call('get', '/sessions/{agent}/{id}', { at: '/sessions/chat/s' })
  await call('delete', '/sessions/{agent}/{id}', { at: '/sessions/chat/s' })
  await call('get', '/approvals')
  await call('get', '/agents')
  await call('get', '/agents/{name}', { at: '/agents/decide' })
  await call('get', '/costs')
  await call('get', '/healthz')
  await call('get', '/readyz')
  await call('get', '/metrics')
  await call('post', '/runs', { body: {} })
  await call('post', '/runs', { body: { ...body, agent: 'none' } })
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  assert.equal(new Set(ids).size, ids.length)
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) {
      const answer = await fetch(url + path.replaceAll(/[{}]/g, ''), {
        method: method.toUpperCase(),
      })
      const text = await answer.text()
      assert.ok(!text.includes('nothing at this address'), `${method} ${path}`)
    }
  }
})

test('a file of a run is downloaded by its name only, as an attachment', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { url } = await serving(t, async (store) => [
    serveDecider(
      await createDecider({
        small: 'offline/small',
        big: 'offline/big',
        journal: store.runs,
        artifacts: folder,
        tools: await standardTools(),
      }),
    ),
  ])
  const start = await fetch(`${url}/runs`, {
    method: 'POST',
    body: JSON.stringify({
      agent: 'decide',
      input: 'Plot the closing price of AAPL for the last 30 days',
      options: { today: '2018-05-11' },
    }),
  })
  const { id } = z.looseObject({ id: z.string() }).parse(await start.json())
  await (await fetch(`${url}/runs/${id}/events`)).text()
  const view = z
    .looseObject({ artifacts: z.array(z.looseObject({ name: z.string(), url: z.string() })) })
    .parse(await (await fetch(`${url}/runs/${id}`)).json())
  const [artifact] = view.artifacts
  assert.ok(artifact)
  const file = await fetch(url + artifact.url)
  assert.deepEqual(
    [file.status, file.headers.get('content-type'), file.headers.get('content-disposition')],
    [200, 'image/png', `attachment; filename*=UTF-8''${artifact.name}`],
  )
  const bytes = Buffer.from(await file.arrayBuffer())
  assert.deepEqual(bytes, readFileSync(join(folder, artifact.name)))
  for (const name of ['..%2f..%2fetc%2fpasswd', '%00', 'other.png', encodeURIComponent(folder)]) {
    assert.equal((await fetch(`${url}/runs/${id}/artifacts/${name}`)).status, 404, name)
  }
})

const CASES = IS_WHOLE ? 10_000 : 100

test('no body and no address makes the server fail or hang', async (t) => {
  const faults: string[] = []
  const { url, server } = await serving(
    t,
    async (store) => [scripted(store, []), await decider(store)],
    {
      log: (line) => faults.push(line),
      runsAtOnce: 4,
    },
  )
  const paths = ['/runs', '/runs/x/answer', '/runs/x/fork', '/runs/x/cancel', '/approvals/x/y']
  const odd = fc.oneof(
    fc.string().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
    fc
      .record(
        {
          agent: fc.oneof(fc.constantFrom('decide', '__proto__', ''), fc.jsonValue()),
          input: fc.oneof(fc.constant(''), fc.jsonValue()),
          session: fc.jsonValue(),
          options: fc.jsonValue(),
          output: fc.jsonValue(),
          files: fc.jsonValue(),
          request: fc.jsonValue(),
          reply: fc.jsonValue(),
          at: fc.jsonValue(),
          choice: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((value) => Buffer.from(JSON.stringify(value))),
    fc
      .integer({ min: 1, max: 20_000 })
      .map((depth) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))),
    fc
      .integer({ min: 1, max: 5000 })
      .map((depth) =>
        Buffer.from(
          `{"agent":"decide","input":"x","options":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
        ),
      ),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), odd, fc.string(), async (path, body, key) => {
      const answer = await server.app.request(url + path, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { 'idempotency-key': encodeURIComponent(key) },
        signal: AbortSignal.timeout(5000),
      })
      assert.ok(
        answer.status < 500,
        `${path} ${answer.status} ${body.toString('utf8').slice(0, 200)}`,
      )
    }),
    { numRuns: CASES },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/runs?', '/costs?', '/sessions/chat/', '/runs/', '/approvals/'),
      fc.string(),
      async (path, text) => {
        const answer = await server.app.request(
          url + path + encodeURIComponent(text).replaceAll('%3D', '='),
        )
        assert.ok(answer.status < 500, `${path}${text} ${answer.status}`)
        await answer.body?.cancel()
      },
    ),
    { numRuns: CASES },
  )
  assert.deepEqual(faults, [])
})
