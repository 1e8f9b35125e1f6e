import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createAgent } from 'echelon'
import { createClient } from 'echelon/client'
import { asBound, scriptedModel } from 'echelon/testing'
import { serveChat } from '@echelon/server'
import { openTelemetry } from '@echelon/telemetry'
import { z } from 'zod'
import { Heard, idOf, parentOf } from '../tracing/kit.ts'
import { freshDatabase } from './fresh-database.ts'
import { type FleetParts, serverHere, workerHere } from './kit.ts'
import { payTool } from '../server/acting-tools.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

suite('the trace of a request', { timeout: 300_000 }, () => {
  test('has the spans of every worker that performs its run', async (t) => {
    using heard = new Heard()
    const tracing = await openTelemetry()
    const pay = payTool()
    const script = [{ toolCalls: [{ tool: 'pay', input: {} }] }, 'Paid.']
    const model = asBound(scriptedModel(script), 'test/model', () => 0.001)
    const parts: FleetParts = {
      database: await freshDatabase('trace'),
      agentsOn: (store) => [
        serveChat(createAgent({ name: 'chat', model, tools: [pay], store, tracing }), {
          description: 'Answers.',
        }),
      ],
    }
    const server = await serverHere(parts)
    t.after(server.stop)
    const client = createClient({ url: server.url })
    const first = await workerHere({ ...parts, name: 'first' })
    const answer = await fetch(`${server.url}/runs`, {
      method: 'POST',
      body: JSON.stringify({ agent: 'chat', input: 'Go' }),
      headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
    })
    const { id } = z.looseObject({ id: z.string() }).parse(await answer.json())
    while ((await client.runs.get(id)).status !== 'waiting') await wait(20)
    await first.stop()
    const before = heard.spans.length
    assert.ok(before > 0)
    const second = await workerHere({ ...parts, name: 'second' })
    t.after(second.stop)
    const [request] = (await second.store.runs.find(id))?.requests ?? []
    const path = `${server.url}/approvals/${id}/${encodeURIComponent(request?.id ?? '')}`
    const given = await fetch(path, { method: 'POST', body: JSON.stringify({ choice: 'once' }) })
    assert.equal(given.status, 200)
    assert.equal((await client.runs.end(id)).end?.text, 'Paid.')
    assert.ok(heard.spans.length > before, 'the second worker adds spans')
    const traces = new Set(heard.spans.map((span) => span.spanContext().traceId))
    assert.deepEqual([...traces], [TRACE])
    const roots = heard.spans.filter(({ name }) => name === 'invoke_agent chat')
    const [begun, resumed] = roots
    assert.ok(begun && resumed && roots.length === 2, 'one for each worker')
    assert.deepEqual([parentOf(begun), parentOf(resumed)], [CALLER, idOf(begun)])
  })
})
