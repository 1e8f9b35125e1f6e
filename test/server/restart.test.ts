import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createDecider, defineTool, type Tool } from 'echelon'
import type { ScriptedAnswer } from 'echelon/testing'
import { createServer, evaluationsIn, hashToken, newToken } from '@echelon/server'
import { openStore } from '@echelon/store'
import { z } from 'zod'
import { scripted } from './served.ts'
import { payTool } from './acting-tools.ts'

const runShape = z.looseObject({ id: z.string(), status: z.string() })

/** Servers that come one after the other on one file. */
function places(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return async (script: readonly ScriptedAnswer[], tools: readonly Tool[]) => {
    const store = await openStore(join(folder, 'store.db'))
    const server = createServer({ agents: [scripted(store, script, { tools })], store })
    const url = await server.listen({ port: 0 })
    const stop = async (): Promise<void> => {
      await server.stop()
      await store.close()
    }
    return { url, stop, server }
  }
}

const start = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/runs`, {
    method: 'POST',
    body: JSON.stringify({ agent: 'chat', input: 'Go', session: 's' }),
  })
  return runShape.parse(await answer.json()).id
}

const read = async (url: string, id: string, after = ''): Promise<readonly string[]> =>
  framesOf(await fetch(`${url}/runs/${id}/events?after=${after}`))

/** Reads until the stream ends or breaks. */
async function framesOf(answer: Response): Promise<readonly string[]> {
  let text = ''
  try {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
  } catch {
    // The server closed it.
  }
  return text.split('\n\n').filter((frame) => frame.includes('data:'))
}

const placesOf = (frames: readonly string[]): readonly string[] =>
  frames.flatMap((frame) => /^id: (.*)$/m.exec(frame)?.[1] ?? [])

test('a server that stops lets go of a run, and the next one takes it to its end; the client misses nothing', async (t) => {
  const server = places(t)
  let calls = 0
  const entered = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    input: z.object({}),
    does: 'acts',
    async run() {
      calls++
      entered.resolve()
      await gate.promise
      return 'worked'
    },
  })
  const first = await server([{ toolCalls: [{ tool: 'work', input: {} }] }], [work])
  const id = await start(first.url)
  const reading = framesOf(await fetch(`${first.url}/runs/${id}/events`))
  await entered.promise
  const stopped = first.stop()
  gate.resolve()
  await stopped
  const before = await reading
  assert.ok(!before.some((frame) => frame.includes('event: end\n')))
  const second = await server(['All done.'], [work])
  t.after(() => second.stop())
  const after = await read(second.url, id, placesOf(before).at(-1))
  assert.match(after.at(-1) ?? '', /event: end\ndata: .*"text":"All done\."/)
  const all = [...placesOf(before), ...placesOf(after)]
  assert.equal(new Set(all).size, all.length)
  assert.equal(calls, 1)
  assert.ok(after.some((frame) => frame.includes('event: step-end')))
  const whole = await read(second.url, id)
  assert.deepEqual(
    placesOf(whole).filter((place) => !place.includes('.')),
    all.filter((place) => !place.includes('.')),
  )
})

test('a run that waits for approval is answered after a restart', async (t) => {
  const server = places(t)
  const pay = payTool()
  const first = await server([{ toolCalls: [{ tool: 'pay', input: {} }] }], [pay])
  const id = await start(first.url)
  const queue = z.object({ approvals: z.array(z.looseObject({ request: z.string() })) })
  const waiting = async (url: string) =>
    queue.parse(await (await fetch(`${url}/approvals`)).json()).approvals
  while ((await waiting(first.url)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
  await first.stop()
  const second = await server(['Paid.'], [pay])
  t.after(() => second.stop())
  const following = read(second.url, id)
  const [approval] = await waiting(second.url)
  assert.ok(approval)
  const answered = await fetch(
    `${second.url}/approvals/${id}/${encodeURIComponent(approval.request)}`,
    { method: 'POST', body: JSON.stringify({ choice: 'once' }) },
  )
  assert.equal(answered.status, 200)
  assert.match((await following).at(-1) ?? '', /event: end\ndata: .*"text":"Paid\."/)
})

test('only operators run data sets, and read their metrics afterwards', async (t) => {
  const store = await openStore(':memory:')
  const [root, ada] = [newToken(), newToken()]
  const server = createServer({
    agents: [],
    store,
    datasets: evaluationsIn(
      'datasets',
      await createDecider({ small: 'offline/small', big: 'offline/big' }),
    ),
    tokens: [
      { name: 'root', sha256: hashToken(root), isOperator: true },
      { name: 'ada', sha256: hashToken(ada) },
    ],
  })
  const url = await server.listen({ port: 0 })
  t.after(() => store.close())
  t.after(() => server.stop())
  const call = (token: string, path: string, body?: unknown) =>
    fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const list = z.object({ datasets: z.array(z.string()), evaluations: z.array(runShape) })
  assert.equal((await call(ada, '/evaluations')).status, 403)
  assert.equal((await call(ada, '/evaluations', { dataset: 'decide' })).status, 403)
  assert.equal((await call(root, '/evaluations', { dataset: '../secret' })).status, 404)
  assert.deepEqual(list.parse(await (await call(root, '/evaluations')).json()).datasets, ['decide'])
  const started = await call(root, '/evaluations', { dataset: 'decide' })
  assert.equal(started.status, 202)
  const { id } = runShape.parse(await started.json())
  assert.equal((await call(root, '/evaluations', { dataset: 'decide' })).status, 409)
  await server.stop()
  const again = createServer({
    agents: [],
    store,
    datasets: evaluationsIn(
      'datasets',
      await createDecider({ small: 'offline/small', big: 'offline/big' }),
    ),
  })
  const read = await again.app.request(`/evaluations/${id}`)
  const view = z
    .looseObject({ status: z.string(), metrics: z.looseObject({ kind: z.literal('metrics') }) })
    .parse(await read.json())
  assert.equal(view.status, 'stopped')
})
