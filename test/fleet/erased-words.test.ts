import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { AgentDefinition } from 'echelon/runtime'
import { z } from 'zod'
import { type AgentServer, type ServedAgent, serveDefinition } from '@echelon/server'
import { scripted } from '../server/served.ts'
import { freshDatabase } from './fresh-database.ts'
import { type FleetParts, serverHere, type Store, workerHere } from './kit.ts'

const WORDS = 'marzipan submarine'
const ANSWER = 'walrus orchestra'
const ADA = { name: 'ada', usdPerDay: 1, usdPerRun: 0.5 }

/** The tables of a fleet's schemas in which a text is. */
async function tablesWith(database: string, text: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: database })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('echelon', 'dbos') order by 1`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const { rowCount } = await client.query(
        `select 1 from ${name} as one where position($1 in one::text) > 0 limit 1`,
        [text],
      )
      if (rowCount !== 0) found.push(name)
    }
    return found
  } finally {
    await client.end()
  }
}

/** An agent whose runs fail with their words in the message. */
const failing = (store: Store): ServedAgent => serveDefinition(FAILING, { store, tools: [] })

const FAILING: AgentDefinition<string, string, string> = {
  name: 'failing',
  version: 1,
  actors: { all: {} },
  start: (input) => {
    throw new Error(`there is no ${input}`)
  },
  next: () => ({ type: 'finish', reason: 'done', result: '' }),
  observe: (state) => ({ state }),
  load: String,
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await wait(20)
}

suite('the words of a person', { timeout: 300_000 }, () => {
  const partsOn = async (name: string): Promise<FleetParts> => ({
    database: await freshDatabase(name),
    agentsOn: (store) => [scripted(store, [ANSWER, ANSWER]), failing(store)],
    // A principal with limits has a second queue.
    limits: { principals: { ada: { atOnce: 2 } } },
    options: { authenticate: () => ADA },
  })

  const post = (url: string, body: object): Promise<Response> =>
    fetch(`${url}/runs`, { method: 'POST', body: JSON.stringify(body) })

  const erase = (url: string): Promise<Response> =>
    fetch(`${url}/sessions/chat/s`, { method: 'DELETE' })

  const statusOf = (server: AgentServer, run: string) => server.hub.statusOf(run)

  test('are never in the queues, and in no table after their conversation is deleted', async (t) => {
    const parts = await partsOn('whole')
    const { database } = parts
    const { url, server, stop } = await serverHere(parts)
    const { id } = await server.hub.start(
      server.hub.agent('chat', ADA),
      { text: WORDS },
      { principal: ADA, session: 's' },
    )
    assert.deepEqual(await tablesWith(database, WORDS), ['echelon.orders'])
    assert.ok((await tablesWith(database, id)).includes('dbos.workflow_status'), 'it is queued')
    const worker = await workerHere(parts)
    t.after(async () => {
      await stop()
      await worker.stop()
    })
    await until(async () => (await statusOf(server, id)) === 'finished')
    await until(async () => !(await tablesWith(database, WORDS)).includes('echelon.orders'))
    const kept = [...(await tablesWith(database, WORDS)), ...(await tablesWith(database, ANSWER))]
    assert.ok(kept.includes('echelon.journal'))
    assert.deepEqual(
      kept.filter((name) => name.startsWith('dbos.')),
      [],
    )
    assert.equal((await erase(url)).status, 200)
    assert.deepEqual(await tablesWith(database, WORDS), [])
    assert.deepEqual(await tablesWith(database, ANSWER), [])
  })

  test('are not in the queues if they are in the message of an error', async (t) => {
    const parts = await partsOn('error')
    const worker = await workerHere(parts)
    const { server, stop } = await serverHere(parts)
    t.after(async () => {
      await stop()
      await worker.stop()
    })
    const agent = server.hub.agent('failing', ADA)
    const { id } = await server.hub.start(agent, { text: WORDS }, { principal: ADA })
    await until(async () => (await tablesWith(parts.database, `no ${WORDS}`)).length > 0)
    assert.deepEqual(await tablesWith(parts.database, `no ${WORDS}`), ['echelon.orders'])
    await worker.store.runs.remove(id)
    assert.deepEqual(await tablesWith(parts.database, WORDS), [])
  })

  test('are deleted before their turn begins, which then never does', async (t) => {
    const parts = await partsOn('queued')
    const { database } = parts
    const { url, server, stop } = await serverHere(parts)
    const started = await post(url, { agent: 'chat', input: WORDS, session: 's' })
    assert.equal(started.status, 201)
    const spent = () => server.context.spending.spentOn('ada', Date.now())
    assert.equal((await spent()).held, 0.5)
    assert.equal((await erase(url)).status, 200)
    assert.deepEqual(await tablesWith(database, WORDS), [])
    assert.equal((await spent()).held, 0, 'its money is returned')
    assert.equal((await erase(url)).status, 404, 'nothing is left')
    const worker = await workerHere(parts)
    t.after(async () => {
      await stop()
      await worker.stop()
    })
    // A later turn of the same conversation is past it in the queue.
    const next = await post(url, { agent: 'chat', input: 'Again', session: 's' })
    const { id } = z
      .object({ id: z.string() })
      .loose()
      .parse(await next.json())
    await until(async () => (await statusOf(server, id)) === 'finished')
    assert.equal((await worker.store.runs.list()).length, 1)
    assert.deepEqual(await tablesWith(database, WORDS), [])
  })
})
