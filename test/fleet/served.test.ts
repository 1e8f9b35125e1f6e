import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { defineTool } from 'echelon'
import { z } from 'zod'
import { scripted } from '../server/served.ts'
import { freshDatabase } from './fresh-database.ts'
import { fleetHere, serverHere, type Store, workerHere } from './kit.ts'
import { payTool } from '../server/acting-tools.ts'

const runShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  end: z.looseObject({ text: z.string() }).nullish(),
})

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers })

/** Waits until a run of the server has a status. */
async function until(url: string, id: string, status: string): Promise<z.infer<typeof runShape>> {
  for (;;) {
    const run = runShape.parse(await (await fetch(`${url}/runs/${id}`)).json())
    if (run.status === status) return run
    assert.notEqual(run.status, 'failed')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

suite('a server whose runs are performed by workers', { timeout: 300_000 }, () => {
  test('clients follow a run to its end', async (t) => {
    const { url } = await fleetHere(t, {
      database: await freshDatabase('follow'),
      agentsOn: (store) => [scripted(store, ['All done.'])],
    })
    const started = await post(`${url}/runs`, { agent: 'chat', input: 'Go', session: 's' })
    assert.equal(started.status, 201)
    const { id } = runShape.parse(await started.json())
    const events = await (await fetch(`${url}/runs/${id}/events`)).text()
    assert.match(events, /event: run-start/)
    assert.match(events, /event: end\ndata: .*"text":"All done\."/)
    const run = await until(url, id, 'finished')
    assert.equal(run.end?.text, 'All done.')
  })

  test('an approval that is given to the server continues the run in a worker', async (t) => {
    let paid = 0
    const pay = payTool(() => paid++)
    const script = [{ toolCalls: [{ tool: 'pay', input: {} }] }, 'Paid.']
    const { url } = await fleetHere(t, {
      database: await freshDatabase('approval'),
      agentsOn: (store) => [scripted(store, script, { tools: [pay] })],
    })
    const started = await post(`${url}/runs`, { agent: 'chat', input: 'Go', session: 's' })
    const { id } = runShape.parse(await started.json())
    await until(url, id, 'waiting')
    const queue = z.object({ approvals: z.array(z.looseObject({ request: z.string() })) })
    const { approvals } = queue.parse(await (await fetch(`${url}/approvals`)).json())
    const request = encodeURIComponent(approvals[0]?.request ?? '')
    const answered = await post(`${url}/approvals/${id}/${request}`, { choice: 'once' })
    assert.equal(answered.status, 200)
    // A stream ends while its run waits, so it is opened after the answer.
    const followed = await (await fetch(`${url}/runs/${id}/events`)).text()
    assert.match(followed, /event: end\ndata: .*"text":"Paid\."/)
    assert.equal(paid, 1)
  })

  test('the same key from two clients runs once', async (t) => {
    let asked = 0
    const count = defineTool({
      name: 'count',
      description: 'Counts.',
      input: z.object({}),
      does: 'acts',
      run: () => ++asked,
    })
    const script = [{ toolCalls: [{ tool: 'count', input: {} }] }, 'Counted.']
    const { url } = await fleetHere(t, {
      database: await freshDatabase('key'),
      agentsOn: (store) => [scripted(store, script, { tools: [count] })],
    })
    const order = () =>
      post(`${url}/runs`, { agent: 'chat', input: 'Go' }, { 'idempotency-key': 'k' })
    const answers = await Promise.all([order(), order(), order()])
    const ids = await Promise.all(answers.map(async (one) => runShape.parse(await one.json()).id))
    assert.equal(new Set(ids).size, 1)
    await until(url, ids[0] ?? '', 'finished')
    assert.equal(asked, 1)
  })

  test('a run that is canceled in its queue or at work ends', async (t) => {
    const work = defineTool({
      name: 'work',
      description: 'Works.',
      input: z.object({}),
      run: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
        }),
    })
    const script = [{ toolCalls: [{ tool: 'work', input: {} }] }, 'Worked.']
    const { url } = await fleetHere(t, {
      database: await freshDatabase('cancel'),
      agentsOn: (store) => [scripted(store, script, { tools: [work] })],
    })
    const ids: string[] = []
    for (let n = 0; n < 2; n++) {
      const answer = await post(`${url}/runs`, { agent: 'chat', input: 'Go', session: 's' })
      ids.push(runShape.parse(await answer.json()).id)
    }
    const [first = '', second = ''] = ids
    await until(url, first, 'running')
    assert.equal((await post(`${url}/runs/${second}/cancel`, {})).status, 202)
    assert.equal((await post(`${url}/runs/${first}/cancel`, {})).status, 202)
    await until(url, first, 'canceled')
    await until(url, second, 'canceled')
  })

  test('a run that no worker has begun is seen and followed on every server', async (t) => {
    const parts = {
      database: await freshDatabase('queued'),
      agentsOn: (store: Store) => [scripted(store, ['All done.'])],
    }
    const [one, two] = await Promise.all([serverHere(parts), serverHere(parts)])
    const started = await post(`${one.url}/runs`, { agent: 'chat', input: 'Go', session: 's' })
    const { id } = runShape.parse(await started.json())
    const queued = runShape.parse(await (await fetch(`${two.url}/runs/${id}`)).json())
    assert.deepEqual([queued.status, queued['agent']], ['running', 'chat'])
    const following = fetch(`${two.url}/runs/${id}/events`).then((answer) => answer.text())
    const { stop } = await workerHere(parts)
    t.after(() => Promise.all([one.stop(), two.stop(), stop()]))
    assert.match(await following, /event: end\ndata: .*"text":"All done\."/)
  })

  test('readiness says why not', async (t) => {
    const { url } = await fleetHere(t, {
      database: await freshDatabase('ready'),
      agentsOn: (store) => [scripted(store, ['Done.'])],
      options: { problem: () => 'the test says so' },
    })
    const ready = await fetch(`${url}/readyz`)
    assert.equal(ready.status, 503)
    assert.deepEqual(await ready.json(), { status: 'not_ready', reason: 'the test says so' })
  })
})
