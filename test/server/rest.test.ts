import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { decider, scripted, serving } from './served.ts'

test('a run is started and followed, and a client that comes back gets the rest once', async (t) => {
  const { url } = await serving(t, async (store) => [
    scripted(store, ['Hello there.']),
    await decider(store),
  ])
  const started = await fetch(`${url}/runs`, {
    method: 'POST',
    body: JSON.stringify({ agent: 'decide', input: 'What is 15 * 23?' }),
  })
  assert.equal(started.status, 201)
  const { id } = z.object({ id: z.string() }).parse(await started.json())
  const all = await (await fetch(`${url}/runs/${id}/events`)).text()
  const ids = [...all.matchAll(/^id: (.*)$/gm)].map(([, place]) => place)
  assert.equal(new Set(ids).size, ids.length)
  assert.match(all, /event: run-end/)
  const half = ids[Math.floor(ids.length / 2)] ?? ''
  const rest = await fetch(`${url}/runs/${id}/events`, { headers: { 'last-event-id': half } })
  const later = [...(await rest.text()).matchAll(/^id: (.*)$/gm)].map(([, place]) => place)
  assert.deepEqual(later, ids.slice(ids.indexOf(half) + 1))
})
