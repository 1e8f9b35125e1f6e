import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenedStore, openStore } from '@echelon/store'
import { auditLines } from '../../packages/echelon/src/audit/audit-lines.ts'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import { closed, ended, started } from '../../packages/echelon/src/testing/run-store/premises.ts'
import { PostgresStore } from '../../packages/store/src/postgres-store.ts'
import { checkRandomLives } from '../../packages/store/src/random-lives-in-tests.ts'
import { outputOf, processOn } from './process-on.ts'
import { postgresServer } from './server.ts'

const AT = Date.now()

async function opened(t: TestContext, address: string): Promise<OpenedStore> {
  const store = await openStore(address)
  t.after(() => store.close())
  return store
}

/** The steps that were closed, in order. */
const seqsOf = (entries: readonly Entry[]): readonly number[] =>
  entries.flatMap((entry) => (entry.type === 'closed' ? entry.seq : []))

test('[C-26] for any operations of two processes, a store in PostgreSQL answers from its entries', async () => {
  const server = await postgresServer()
  await checkRandomLives(async (options) => {
    const address = server.address()
    const all = { ...options, auditLines }
    return [await PostgresStore.open(address, all), await PostgresStore.open(address, all)]
  }, 2)
})

test('[C-26] processes that start at once on an empty database create its tables once', async (t) => {
  const address = (await postgresServer()).address()
  const others = Array.from({ length: 2 }, () =>
    outputOf(processOn(address, 'await store.close(); console.log("open")')),
  )
  const here = await Promise.all(Array.from({ length: 8 }, () => opened(t, address)))
  assert.deepEqual(await Promise.all(others), ['open', 'open'])
  assert.deepEqual(await here[0]?.runs.list(), [])
})

test('[C-26] writes of many processes at once lose nothing, and each key is used once', async () => {
  const address = (await postgresServer()).address()
  const program = `
    const added = []
    for (let nth = 0; nth < 25; nth++) {
      for (;;) {
        const { value, version } = await store.memories.read('spent', null)
        const key = process.pid + ':' + nth + ':' + version
        const next = { cents: (value?.cents ?? 0) + 1 }
        if ((await store.memories.write('spent', next, { key, ifVersion: version })) !== 'conflict') break
      }
    }
    let mine = 0
    for (let nth = 0; nth < 20; nth++) {
      const claim = await store.results.claim('key ' + nth, 'input', 'r' + nth)
      if (claim.type !== 'yours') continue
      mine++
      await store.results.settle('key ' + nth, nth)
    }
    console.log(mine)
    await store.close()`
  const claimed = await Promise.all(
    Array.from({ length: 4 }, () => outputOf(processOn(address, program))),
  )
  const store = await openStore(address)
  assert.equal(Object(await store.memories.read('spent')).value.cents, 100)
  assert.equal(
    claimed.reduce((sum, count) => sum + Number(count), 0),
    20,
  )
  await store.close()
})

test('[C-26] of many processes that take up one run, one may write it, and all entries stay in order', async (t) => {
  const address = (await postgresServer()).address()
  const stores = await Promise.all(Array.from({ length: 6 }, () => opened(t, address)))
  const [first] = stores
  assert.ok(first)
  await first.runs.append('r', [started('r', AT, { turnOf: 's' })])
  first.runs.leave('r', { type: 'suspended' })
  await first.runs.find('r')
  for (let round = 1; round <= 5; round++) {
    const { length: after } = await first.runs.read('r')
    const takenUp = await Promise.allSettled(
      stores.map(async ({ runs }) => {
        await runs.append('r', [{ type: 'resumed', charged: {}, at: AT, after }])
        await runs.append('r', [closed(round, AT)])
        runs.leave('r', { type: 'suspended' })
      }),
    )
    for (const { runs } of stores) await runs.find('r')
    const winners = takenUp.filter(({ status }) => status === 'fulfilled')
    assert.ok(winners.length >= 1, 'somebody goes on')
    const seqs = seqsOf(await first.runs.read('r'))
    assert.equal(seqs.filter((seq) => seq === round).length, 1, `round ${round}`)
  }
})

test('[C-26] a run whose process was killed on this machine can be taken up at once', async (t) => {
  const address = (await postgresServer()).address()
  const begin = JSON.stringify(started('r', AT))
  const child = processOn(
    address,
    `await store.runs.append('r', [${begin}]); console.log('begun'); setInterval(() => 0, 1000)`,
  )
  assert.ok(child.stdout)
  await once(child.stdout, 'data')
  const store = await opened(t, address)
  assert.equal((await store.runs.find('r'))?.status, 'running')
  child.kill('SIGKILL')
  await once(child, 'close')
  assert.equal((await store.runs.find('r'))?.status, 'interrupted')
  await store.runs.append('r', [{ type: 'resumed', charged: {}, at: AT, after: 1 }, ended(AT)])
})

test('[C-26] a server that restarts in the middle costs time, not work', async (t) => {
  const server = await postgresServer()
  const address = server.address()
  const store = await opened(t, address)
  const STEPS = 200
  const RUNS = ['a', 'b', 'c']
  const heard: Entry[] = []
  const one = async (run: string): Promise<void> => {
    await store.runs.append(run, [started(run, AT, { turnOf: `of ${run}` })])
    if (run === 'a') store.runs.follow(run, (entry) => heard.push(entry))
    for (let seq = 0; seq < STEPS; seq++) {
      await store.runs.append(run, [closed(seq, AT)])
      // Every tenth one is a transaction.
      if (seq % 10 === 0) await store.memories.write(`of ${run}`, seq, { key: `${run}:${seq}` })
    }
  }
  const all = Promise.all(RUNS.map(one))
  for (let restarts = 0; restarts < 3; restarts++) {
    await server.restart()
    await sleep(100)
  }
  await all
  await store.runs.askToCancel('a')
  while (heard.length === 0) await sleep(20)
  for (const run of RUNS) {
    const seqs = seqsOf(await store.runs.read(run))
    assert.deepEqual(seqs, [...Array(STEPS).keys()], 'each step once, in order')
    assert.deepEqual(await store.memories.read(`of ${run}`), { value: 190, version: 20 })
    assert.equal((await store.runs.find(run))?.status, 'running')
    await store.runs.append(run, [ended(AT)])
  }
})

test('[C-26] after an outage longer than a lease no process counts as dead at once, but a silent one does later', async (t) => {
  const server = await postgresServer()
  const address = server.address()
  const leaseMs = 1500
  const begin = JSON.stringify(started('r', AT))
  const child = processOn(
    address,
    `const held = await openStore(${JSON.stringify(address)}, { leaseMs: ${leaseMs} })
     await held.runs.append('r', [${begin}]); console.log('begun'); setInterval(() => 0, 1000)`,
  )
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  await once(child.stdout, 'data')
  const store = await openStore(address, { leaseMs })
  t.after(() => store.close())
  // It can say nothing for itself, neither during the outage nor after it.
  child.kill('SIGSTOP')
  const during = sleep(300).then(async () => (await store.runs.find('r'))?.status)
  await server.restart(leaseMs + 500)
  assert.equal(await during, 'running')
  await sleep(leaseMs + 500)
  assert.equal((await store.runs.find('r'))?.status, 'interrupted')
})
