import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { defineTool } from 'echelon'
import type { RunPage, RunView } from 'echelon/client'
import { hashToken, newToken } from '@echelon/server'
import { z } from 'zod'
import { demoSupport } from './a2a/a2a-served.ts'
import { decider, scripted, serving } from './served.ts'

const run = z.looseObject({ id: z.string(), status: z.string() })

function caller(url: string, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return {
    get: (path: string, more: Record<string, string> = {}) =>
      fetch(url + path, { headers: { ...headers, ...more } }),
    post: (path: string, body: unknown = {}, more: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      }),
    del: (path: string) => fetch(url + path, { method: 'DELETE', headers }),
  }
}

const placesIn = (text: string): string[] =>
  [...text.matchAll(/^id: (.*)$/gm)].map(([, place = '']) => place)

const json = async <Shape>(response: Response, schema: z.ZodType<Shape>): Promise<Shape> =>
  schema.parse(await response.json())

const view = z.custom<RunView>((value) => run.safeParse(value).success)
const page = z.custom<RunPage>(
  (value) => z.looseObject({ runs: z.array(run) }).safeParse(value).success,
)

test('a run is started and followed, and a client that comes back gets the rest once', async (t) => {
  const { url } = await serving(t, async (store) => [
    scripted(store, ['Hello there.']),
    await decider(store),
  ])
  const { get, post } = caller(url)
  const started = await post('/runs', { agent: 'decide', input: 'What is 15 * 23?' })
  assert.equal(started.status, 201)
  const { id } = await json(started, run)
  assert.equal(started.headers.get('location'), `/runs/${id}`)
  const all = await (await get(`/runs/${id}/events`)).text()
  const ids = placesIn(all)
  assert.equal(new Set(ids).size, ids.length)
  assert.match(all, /^id: 1\nevent: run-start/)
  assert.match(all, /event: run-end/)
  assert.match(all, /event: end\ndata: .*"checked":"proved".*\n\n$/)
  const half = ids[Math.floor(ids.length / 2)] ?? ''
  const rest = await get(`/runs/${id}/events`, { 'last-event-id': half })
  assert.deepEqual(placesIn(await rest.text()), ids.slice(ids.indexOf(half) + 1))
  const asked = await get(`/runs/${id}/events?after=${half}`)
  assert.deepEqual(placesIn(await asked.text()), ids.slice(ids.indexOf(half) + 1))
})

test('a run shows its end, cost, rungs and status', async (t) => {
  const { url } = await serving(t, async (store) => [await decider(store)])
  const { get, post } = caller(url)
  const { id } = await json(
    await post('/runs', { agent: 'decide', input: 'What is 15 * 23?' }),
    run,
  )
  await (await get(`/runs/${id}/events`)).text()
  const { end, status, agent, owner } = await json(await get(`/runs/${id}`), view)
  assert.deepEqual(
    [status, agent, owner, end?.text, end?.checked, end?.escalated],
    ['finished', 'decide', 'local', '345', 'proved', false],
  )
  assert.equal(end?.rungs[0]?.model, 'offline/small')
  assert.ok(end.rungs.every(({ calls, input_tokens }) => calls > 0 && input_tokens > 0))
})

test('the same Idempotency-Key gives the same run, also at the same time, and another body 409', async (t) => {
  const { url, server } = await serving(t, async (store) => [await decider(store)])
  const { post } = caller(url)
  const body = { agent: 'decide', input: 'What is 15 * 23?' }
  const key = { 'idempotency-key': 'order-1' }
  const all = await Promise.all(Array.from({ length: 8 }, () => post('/runs', body, key)))
  const ids = await Promise.all(all.map(async (one) => (await json(one, run)).id))
  assert.equal(new Set(ids).size, 1)
  assert.equal((await server.hub.list({ name: 'local', isOperator: true })).length, 1)
  const other = await post('/runs', { ...body, input: 'What is 2 + 2?' }, key)
  assert.equal(other.status, 409)
  const reordered = await post('/runs', { input: body.input, agent: body.agent }, key)
  assert.equal((await json(reordered, run)).id, ids[0])
})

test('a failed start does not use up its Idempotency-Key', async (t) => {
  const { url } = await serving(t, async (store) => [await decider(store)])
  const { post } = caller(url)
  const bad = { agent: 'decide', input: 'x', options: { mode: 'none' } }
  const key = { 'idempotency-key': 'order-2' }
  assert.equal((await post('/runs', bad, key)).status, 400)
  assert.equal((await post('/runs', bad, key)).status, 400)
})

test('runs are listed newest first, by filter and page', async (t) => {
  const { url } = await serving(t, async (store) => [
    scripted(store, ['One.', 'Two.', 'Three.']),
    await decider(store),
  ])
  const { get, post } = caller(url)
  const ids: string[] = []
  for (const session of ['a', 'b', 'a']) {
    const { id } = await json(await post('/runs', { agent: 'chat', input: 'Hi', session }), run)
    await (await get(`/runs/${id}/events`)).text()
    ids.unshift(id)
  }
  await post('/runs', { agent: 'decide', input: 'What is 2 + 2?' })
  const listed = async (query: string) => {
    const { runs, next } = await json(await get(`/runs?${query}`), page)
    return { ids: runs.map(({ id }) => id), next }
  }
  assert.deepEqual((await listed('agent=chat')).ids, ids)
  assert.deepEqual((await listed('agent=chat&session=a&status=finished')).ids, [ids[0], ids[2]])
  const first = await listed('agent=chat&limit=2')
  assert.deepEqual(first, { ids: ids.slice(0, 2), next: ids[1] })
  assert.deepEqual(await listed(`agent=chat&limit=2&before=${first.next}`), {
    ids: ids.slice(2),
    next: null,
  })
})

test('a user with few runs finds them behind many of others, and no cursor shows one of others', async (t) => {
  const [ada, bob] = [newToken(), newToken()]
  const { url, store } = await serving(t, async (on) => [await decider(on)], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada) },
      { name: 'bob', sha256: hashToken(bob) },
    ],
  })
  const append = (id: string, by: string, beganAt: number) =>
    store.runs.append(id, [
      {
        type: 'started',
        path: '',
        runId: id,
        agent: 'decide',
        version: 1,
        input: {},
        at: beganAt,
        seed: 1,
        timeZone: 'UTC',
        models: {},
        limits: {},
        made: { served: { by, agent: 'decide' } },
      },
    ])
  await append('his', 'bob', 1)
  for (let nth = 0; nth < 2100; nth++) await append(`hers-${nth}`, 'ada', 2 + nth)
  const [hers, his] = [caller(url, ada), caller(url, bob)]
  const { runs, next } = await json(await his.get('/runs'), page)
  assert.deepEqual([runs.map(({ id }) => id), next], [['his'], null])
  assert.equal((await his.get('/runs?before=hers-7')).status, 404)
  const seen = new Set<string>()
  for (let before: string | null = ''; before !== null;) {
    const query: string = before === '' ? '' : `&before=${before}`
    const one: RunPage = await json(await hers.get(`/runs?limit=100${query}`), page)
    for (const { id } of one.runs) seen.add(id)
    before = one.next
  }
  assert.equal(seen.size, 2100)
})

const refund = defineTool({
  name: 'refund',
  description: 'Pays money back.',
  input: z.object({ order: z.string() }),
  does: 'acts',
  needsApproval: true,
  run: ({ order }) => `refunded ${order}`,
})

const asking = [
  { toolCalls: [{ tool: 'refund', input: { order: 'O-1' } }] },
  'The money is on its way.',
]

test('an approval waits in the queue, is answered once, and the run goes on', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, asking, { tools: [refund] })])
  const { get, post } = caller(url)
  const { id } = await json(await post('/runs', { agent: 'chat', input: 'Refund O-1' }), run)
  const approvals = z.object({
    approvals: z.array(z.looseObject({ request: z.string(), hash: z.string(), tool: z.string() })),
  })
  const waiting = async () => (await json(await get('/approvals'), approvals)).approvals
  while ((await waiting()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const [approval] = await waiting()
  assert.ok(approval)
  assert.partialDeepStrictEqual(approval, {
    run: id,
    agent: 'chat',
    tool: 'refund',
    input: { order: 'O-1' },
    asked_by: 'local',
  })
  const path = `/approvals/${id}/${encodeURIComponent(approval.request)}`
  assert.equal((await post(path, { choice: 'perhaps' })).status, 400)
  assert.equal((await post(path, { choice: 'once', hash: 'other' })).status, 409)
  assert.equal((await post(path, { choice: 'once', hash: approval.hash })).status, 200)
  const events = await (await get(`/runs/${id}/events`)).text()
  assert.match(events, /The money is on its way/)
  assert.equal((await post(path, { choice: 'once' })).status, 404)
  assert.equal(
    (await post(`/runs/${id}/answer`, { request: approval.request, reply: 'once' })).status,
    409,
  )
  assert.deepEqual(await waiting(), [])
})

test('a canceled run ends as canceled', async (t) => {
  const slow = { text: 'Slow.', delayMs: Infinity }
  const { url } = await serving(t, (store) => [scripted(store, [slow])])
  const { get, post } = caller(url)
  const { id } = await json(await post('/runs', { agent: 'chat', input: 'Hi' }), run)
  const events = get(`/runs/${id}/events`)
  assert.equal((await post(`/runs/${id}/cancel`)).status, 202)
  assert.match(await (await events).text(), /event: end\ndata: .*"status":"canceled"/)
  assert.equal((await json(await get(`/runs/${id}`), view)).status, 'canceled')
})

test('a run is forked at a step', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { url } = await serving(t, async (store) => [
    scripted(store, ['One.', 'Another.']),
    await demoSupport(store, folder),
  ])
  const { get, post } = caller(url)
  const { id } = await json(await post('/runs', { agent: 'chat', input: 'Hi' }), run)
  await (await get(`/runs/${id}/events`)).text()
  const forked = await post(`/runs/${id}/fork`, { at: 0 })
  assert.equal(forked.status, 201)
  const fork = await json(forked, view)
  assert.equal(fork.forked_from, id)
  await (await get(`/runs/${fork.id}/events`)).text()
  assert.equal((await json(await get(`/runs/${fork.id}`), view)).end?.text, 'Another.')
  assert.equal((await post(`/runs/${id}/fork`, { at: 99 })).status, 400)
  const asked = await json(
    await post('/runs', { agent: 'support', input: "Where's my order?" }),
    run,
  )
  const path = `/runs/${encodeURIComponent(asked.id)}`
  await (await get(`${path}/events`)).text()
  assert.equal((await post(`${path}/fork`, { at: 0 })).status, 409)
})

test('a fork holds all that its agent may spend, and is refused to a user who has less', async (t) => {
  const [ada, bob] = [newToken(), newToken()]
  const { url, server } = await serving(
    t,
    (store) => {
      const agent = scripted(store, ['One.', 'Two.', 'Three.'])
      return [{ ...agent, models: agent.models, maxCost: 0.4 }]
    },
    {
      tokens: [
        { name: 'ada', sha256: hashToken(ada), usdPerDay: 0.401, usdPerRun: 0.4 },
        { name: 'bob', sha256: hashToken(bob), usdPerDay: 0.401, usdPerRun: 0.1 },
      ],
    },
  )
  const forkedBy = async (token: string) => {
    const { get, post } = caller(url, token)
    const { id } = await json(await post('/runs', { agent: 'chat', input: 'Hi' }), run)
    await (await get(`/runs/${id}/events`)).text()
    const answer = await post(`/runs/${id}/fork`, { at: 0 })
    if (answer.status === 201)
      await (await get(`/runs/${(await json(answer, run)).id}/events`)).text()
    const again = await post(`/runs/${id}/fork`, { at: 0 })
    return [answer.status, again.status]
  }
  assert.deepEqual(await forkedBy(ada), [201, 429])
  assert.deepEqual(await server.context.spending.spentOn('ada', Date.now()), {
    spent: 0.002,
    held: 0,
  })
  assert.deepEqual(await forkedBy(bob), [403, 403])
})

test('conversations are listed, read and deleted', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, ['One.', 'Two.'])])
  const { get, post, del } = caller(url)
  for (const input of ['First', 'Second']) {
    const { id } = await json(await post('/runs', { agent: 'chat', input, session: 'a/b c' }), run)
    await (await get(`/runs/${id}/events`)).text()
  }
  const path = `/sessions/chat/${encodeURIComponent('a/b c')}`
  const session = z.object({
    id: z.string(),
    length: z.number(),
    messages: z.array(z.looseObject({ role: z.string(), text: z.string() })),
  })
  const read = await json(await get(path), session)
  assert.deepEqual(
    [read.id, read.length, read.messages.map(({ text }) => text)],
    ['a/b c', 4, ['First', 'One.', 'Second', 'Two.']],
  )
  const list = z.object({ sessions: z.array(z.looseObject({ id: z.string(), agent: z.string() })) })
  assert.equal((await json(await get('/sessions?agent=chat'), list)).sessions.length, 1)
  assert.equal((await del(path)).status, 200)
  assert.equal((await get(path)).status, 404)
  assert.equal((await del(path)).status, 404)
})

test('no user sees, follows, answers or deletes what is another’s', async (t) => {
  const [ada, bob, root] = [newToken(), newToken(), newToken()]
  const { url } = await serving(t, (store) => [scripted(store, asking, { tools: [refund] })], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada) },
      { name: 'bob', sha256: hashToken(bob) },
      { name: 'root', sha256: hashToken(root), isOperator: true },
    ],
  })
  const [hers, his, operator] = [caller(url, ada), caller(url, bob), caller(url, root)]
  const body = { agent: 'chat', input: 'Refund O-1', session: 'one' }
  const { id } = await json(await hers.post('/runs', body), run)
  const queue = z.object({ approvals: z.array(z.looseObject({ request: z.string() })) })
  let request: string | undefined
  while (request === undefined) {
    request = (await json(await hers.get('/approvals'), queue)).approvals[0]?.request
  }
  const tries = [
    his.get(`/runs/${id}`),
    his.get(`/runs/${id}/events`),
    his.get(`/runs/${id}/artifacts/plot.png`),
    his.post(`/runs/${id}/cancel`),
    his.post(`/runs/${id}/answer`, { request, reply: 'once' }),
    his.post(`/runs/${id}/fork`, { at: 0 }),
    his.post(`/approvals/${id}/${encodeURIComponent(request)}`, { choice: 'once' }),
    his.get('/sessions/chat/one'),
    his.get('/sessions/chat/one?owner=ada'),
    his.del('/sessions/chat/one?owner=ada'),
  ]
  for (const answer of await Promise.all(tries)) {
    const unknown = await (await his.get('/runs/none')).json()
    assert.equal(answer.status, 404, answer.url)
    assert.equal(
      Object.keys(z.looseObject({}).parse(await answer.json())).join(),
      Object.keys(z.looseObject({}).parse(unknown)).join(),
    )
  }
  assert.deepEqual((await json(await his.get('/approvals'), queue)).approvals, [])
  assert.deepEqual((await json(await his.get('/runs'), page)).runs, [])
  assert.equal((await his.get('/metrics')).status, 403)
  assert.equal(
    (await operator.post(`/approvals/${id}/${encodeURIComponent(request)}`, { choice: 'once' }))
      .status,
    200,
  )
  assert.match(await (await hers.get(`/runs/${id}/events`)).text(), /on its way/)
})

test('only its owner reads a run of the support agent without a conversation', async (t) => {
  const [ada, bob] = [newToken(), newToken()]
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { url } = await serving(t, async (store) => [await demoSupport(store, folder)], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada) },
      { name: 'bob', sha256: hashToken(bob) },
    ],
  })
  const [hers, his] = [caller(url, ada), caller(url, bob)]
  const started = await hers.post('/runs', { agent: 'support', input: "Where's my order?" })
  const { id } = await json(started, run)
  const path = `/runs/${encodeURIComponent(id)}`
  assert.match(await (await hers.get(`${path}/events`)).text(), /^event: end$/m)
  assert.equal((await json(await hers.get(path), view)).owner, 'ada')
  assert.equal((await json(await hers.get('/runs'), page)).runs.length, 1)
  assert.equal((await his.get(path)).status, 404)
  assert.deepEqual((await json(await his.get('/runs'), page)).runs, [])
})

test('costs are summed by day, agent, model and user', async (t) => {
  const [ada, bob] = [newToken(), newToken()]
  const { url } = await serving(t, (store) => [scripted(store, ['One.', 'Two.', 'Three.'])], {
    tokens: [
      { name: 'ada', sha256: hashToken(ada), usdPerDay: 5 },
      { name: 'bob', sha256: hashToken(bob), isOperator: true },
    ],
  })
  const [hers, his] = [caller(url, ada), caller(url, bob)]
  for (const user of [hers, his, hers]) {
    const { id } = await json(await user.post('/runs', { agent: 'chat', input: 'Hi' }), run)
    await (await user.get(`/runs/${id}/events`)).text()
  }
  const report = z.looseObject({
    rows: z.array(z.looseObject({ key: z.string(), runs: z.number(), cost: z.number() })),
    today: z.object({ spent: z.number(), held: z.number(), limit: z.number().nullable() }),
  })
  const own = await json(await hers.get('/costs?by=agent'), report)
  assert.partialDeepStrictEqual(own.rows, [{ key: 'chat', runs: 2 }])
  assert.equal(own.today.limit, 5)
  assert.ok(Math.abs(own.today.spent - (own.rows[0]?.cost ?? 0)) < 1e-6)
  const all = await json(await his.get('/costs?by=user'), report)
  assert.deepEqual(all.rows.map(({ key, runs }) => `${key} ${runs}`).toSorted(), ['ada 2', 'bob 1'])
  assert.equal((await hers.get('/costs?since=2020-01-01&until=2026-01-01')).status, 400)
  assert.equal((await hers.get('/costs?since=2020-02-31')).status, 400)
})

test('the state of the server is told to probes, and metrics to operators', async (t) => {
  const { url, server } = await serving(t, async (store) => [await decider(store)])
  const { get, post } = caller(url)
  const { id } = await json(
    await post('/runs', { agent: 'decide', input: 'What is 15 * 23?' }),
    run,
  )
  await (await get(`/runs/${id}/events`)).text()
  assert.equal((await get('/healthz')).status, 200)
  assert.equal((await get('/readyz')).status, 200)
  const metrics = await (await get('/metrics')).text()
  assert.match(metrics, /echelon_runs_total\{agent="decide",status="finished"\} 1/)
  assert.match(
    metrics,
    /echelon_tokens_total\{agent="decide",model="offline\/small",direction="input"\} \d+/,
  )
  assert.match(
    metrics,
    /echelon_http_request_duration_seconds_count\{method="POST",route="\/runs",status="201"\} 1/,
  )
  assert.match(metrics, /echelon_open_streams 0/)
  assert.ok(!metrics.includes(id))
  await server.hub.stop(0)
  const unready = await get('/readyz')
  assert.deepEqual(
    [unready.status, await unready.json()],
    [503, { status: 'not_ready', reason: 'the server is stopping' }],
  )
  assert.equal((await post('/runs', { agent: 'decide', input: 'x' })).status, 503)
})

test('the address shows the page of the API, which needs nothing but this server, and no inline script', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, [])])
  const { get } = caller(url)
  const docs = await get('/')
  assert.equal(docs.url, `${url}/docs`)
  assert.match(docs.headers.get('content-security-policy') ?? '', /script-src 'self';/)
  const html = await docs.text()
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
  assert.equal(files.length, 3)
  for (const file of files) assert.equal((await get(file)).status, 200, file)
  assert.ok(!/<script>|https?:\/\//.test(html))
})

test('requests that do not fit are refused with what is wrong', async (t) => {
  const { url } = await serving(t, async (store) => [scripted(store, []), await decider(store)])
  const { post, get } = caller(url)
  const cases: readonly (readonly [unknown, number, RegExp])[] = [
    [{}, 400, /agent/],
    [{ agent: 'chat', input: 1 }, 400, /input/],
    [{ agent: 'chat', input: 'x', extra: 1 }, 400, /extra/],
    [{ agent: 'nobody', input: 'x' }, 404, /nobody/],
    [{ agent: 'decide', input: 'x', session: 's' }, 400, /keeps no conversations/],
    [{ agent: 'decide', input: 'x', options: { mode: 'odd' } }, 400, /mode must be one of/],
    [{ agent: 'chat', input: 'x', files: [{}] }, 400, /either data or url/],
    [{ agent: 'chat', input: 'x', files: [{ url: 'http://127.0.0.1/' }] }, 400, /not fetched/],
    [[1], 400, /JSON object/],
  ]
  for (const [body, status, message] of cases) {
    const answer = await post('/runs', body)
    assert.equal(answer.status, status, JSON.stringify(body))
    assert.match(JSON.stringify(await answer.json()), message)
  }
  assert.equal((await get('/runs?limit=none')).status, 400)
  assert.equal((await get('/runs/x/events')).status, 404)
})
