import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { parallel, piiRedaction } from '../../packages/echelon/src/middleware.ts'
import { startModelServer } from 'echelon/testing'
import { eventsOf } from './kit.ts'

test('[C-34] over a real connection: the loser’s request is aborted, and no personal data is sent', async () => {
  await using fast = await startModelServer([
    { type: 'reply', text: ['I wrote to [redac', 'ted:email#1].'] },
    { type: 'reply', text: ['And again.'] },
  ])
  // Accepts a request and never answers; reports when the client disconnects.
  const closed: Promise<unknown>[] = []
  const bodies: string[] = []
  const silent = createServer((request, response) => {
    closed.push(once(response, 'close'))
    request.setEncoding('utf8').on('data', (text: string) => void bodies.push(text))
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  assert.ok(typeof address === 'object' && address !== null)
  try {
    const agent = createAgent({
      model: 'openai-compatible/silent',
      providers: {
        'openai-compatible': { baseUrl: `http://127.0.0.1:${address.port}/v1` },
        openai: { baseUrl: fast.baseUrl, apiKey: 'none', api: 'chat' },
      },
      use: [piiRedaction({ mode: 'restore' }), parallel(['openai/gpt-4o-mini'], { mode: 'first' })],
    })
    const run = agent.run('Write to ann@example.org')
    const events = await eventsOf(run)
    const shown = events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
    const { text, cost } = await run.result
    assert.equal(text, 'I wrote to ann@example.org.')
    assert.equal(shown.join(''), text)
    assert.equal(cost, null)
    assert.equal(run.spent['calls.main'], 2)
    assert.equal((await agent.run('Again').result).text, 'And again.')
    assert.equal(closed.length, 2)
    await Promise.all(closed)
    const sent = JSON.stringify([fast.requests[0]?.body, bodies])
    assert.ok(!sent.includes('ann@example.org'))
    assert.match(sent, /\[redacted:email#1\].*\[redacted:email#1\]/)
    fast.assertComplete()
  } finally {
    silent.closeAllConnections()
    silent.close()
  }
})
