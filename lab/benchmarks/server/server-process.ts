/** A server under load, in a process of its own: Echelon, or a bare Hono handler that streams the same bytes. */
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { createAgent } from 'echelon'
import { asBound, scriptedModel } from 'echelon/testing'
import { createServer, serveChat } from '@echelon/server'
import { openStore } from '@echelon/store'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import type { Asked, Told } from './protocol.ts'

const [kind = '', words = '100'] = process.argv.slice(2)
/** In memory where the system allows it, so that the server is measured and not the disk. */
const MEMORY = '/dev/shm'
const FOLDER = existsSync(MEMORY) ? MEMORY : tmpdir()
const FILE = join(FOLDER, `echelon-bench-${process.pid}.db`)

/** @returns the address */
async function echelon(): Promise<string> {
  const store = await openStore(FILE)
  const pieces = Array.from({ length: Number(words) }, (_, index) => `word-${index} `)
  const talking = scriptedModel([], { beyond: { text: pieces } })
  const silent = scriptedModel([], { beyond: { text: 'never', delayMs: Infinity } })
  const agents = [talking, silent].map((model, index) =>
    serveChat(
      createAgent({
        name: index === 0 ? 'talks' : 'waits',
        model: asBound(model, 'bench/model', () => 0.000_001),
        store,
      }),
      { description: 'For the benchmark.' },
    ),
  )
  const server = createServer({ agents, store, runsAtOnce: 10_000 })
  return await server.listen({ port: 0 })
}

/** The frames of one run, as Echelon sent them. */
let recorded: readonly string[] = []

function bare(): Promise<string> {
  const app = new Hono()
  let count = 0
  app.post('/runs', async (c) => {
    await c.req.json()
    return c.json({ id: String(count++) }, 201)
  })
  app.get('/runs/:id/events', (c) => {
    c.header('content-type', 'text/event-stream')
    return stream(c, async (out) => {
      for (const frame of recorded) await out.write(frame)
    })
  })
  app.get('/wait/:id/events', (c) => {
    c.header('content-type', 'text/event-stream')
    return stream(c, async (out) => {
      await out.write(recorded[0] ?? '')
      await new Promise<void>((resolve) => out.onAbort(() => resolve()))
    })
  })
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    )
  })
}

const url = await (kind === 'echelon' ? echelon() : bare())

function figures(): Told {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { url, held: heapUsed + external, rss, cpuMs: (user + system) / 1000 }
}

process.on('message', (asked: Asked) => {
  if (asked.frames !== undefined) recorded = asked.frames
  process.send?.(figures())
})
process.once('exit', () => {
  for (const end of ['', '-wal', '-shm']) rmSync(FILE + end, { force: true })
})
process.once('disconnect', () => process.exit())
process.send?.(figures())
