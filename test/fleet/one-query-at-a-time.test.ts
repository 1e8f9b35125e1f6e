import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@echelon/store'
import { startWorker } from '@echelon/fleet'
import { Client } from 'pg'
import { fleetDatabase } from '../../packages/fleet/src/database-address.ts'
import { postgresServer } from '../postgres/server.ts'

/** The client warns once in a process, so this file is a process of its own. */
const warnings: string[] = []
process.on('warning', ({ message }) => warnings.push(message))

/** Longer than a worker needs to look for vanished ones. */
const A_WHILE_MS = 1500

test('no connection is asked for two things at once, which the next pg refuses', async () => {
  const server = await postgresServer()
  const database = await server.create('one_at_a_time')
  const store = await openStore(database)
  const worker = await startWorker({
    database,
    store,
    performer: {
      begin: () => Promise.reject(new Error('nothing is ordered')),
      resume: () => Promise.reject(new Error('nothing is due')),
      release: () => undefined,
    },
    agents: [],
  })
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await store.memories.write(`m${n}`, n, { key: `k${n}` })
      await store.runs.list()
    }),
  )
  await sleep(A_WHILE_MS)
  await worker.stop()
  await store.close()
  await sleep(0)
  assert.deepEqual(warnings, [])
})

test('the queues keep the timeout of transactions that are idle, and one that the address names', async () => {
  const server = await postgresServer()
  const shown = async (address: string): Promise<unknown> => {
    const client = new Client({ connectionString: fleetDatabase(address).engineUrl })
    await client.connect()
    const { rows } = await client.query('show idle_in_transaction_session_timeout')
    await client.end()
    return rows
  }
  const name = 'idle_in_transaction_session_timeout'
  assert.deepEqual(await shown(server.url), [{ [name]: '1min' }])
  assert.deepEqual(await shown(`${server.url}?options=-c%20${name}=5s`), [{ [name]: '5s' }])
  assert.deepEqual(await shown(`${server.url}?options=-c%20work_mem=8MB`), [{ [name]: '1min' }])
})
