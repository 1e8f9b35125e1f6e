import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '@echelon/store'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  asked,
  closed,
  ended,
  started,
} from '../../packages/echelon/src/testing/run-store/premises.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import { postgresServer } from './server.ts'

const AT = Date.now()

const snapshotAfter = (seq: number) => ({
  agent: 'chat',
  version: 1,
  seq,
  after: seq + 1,
  state: { seq },
  spent: {},
  models: {},
  at: AT,
})

for (const [what, words, every] of [
  ['a step', ['append to journal', 'insert into journal'], 3],
  ['a commit', ['commit'], 3],
  ['anything', ['select', 'insert', 'update', 'delete', 'begin', 'append', 'lease', 'run'], 17],
] as const) {
  test(`[C-26] where the answer to ${what} is lost, it is done exactly once`, async () => {
    const server = await postgresServer()
    const { port } = server
    const direct = server.address()
    // Its tables exist before anything is lost.
    await (await openStore(direct)).close()
    const proxy = await cuttingProxy(port, words, every)
    const store = await openStore(direct.replace(`:${port}/`, `:${proxy.port}/`))
    await store.runs.append('r', [started('r', AT, { turnOf: 's' })])
    const entries = []
    for (let seq = 0; seq < 30; seq++) {
      // The same text twice in a row is two steps.
      const step =
        seq % 5 === 4 ? [asked(`q${seq}`, AT, { seq })] : [closed(Math.floor(seq / 2), AT)]
      entries.push(...step)
      await store.runs.append('r', step, seq % 2 === 0 ? { snapshot: snapshotAfter(seq) } : {})
      assert.notEqual(
        await store.memories.write('m', seq, { key: `r:${seq}`, ifVersion: seq }),
        'conflict',
      )
      const claim = await store.results.claim(`key ${seq}`, 'input', 'r')
      assert.equal(claim.type, 'yours')
      await store.results.settle(`key ${seq}`, seq)
    }
    await store.runs.append('r', [ended(AT)], {
      session: {
        id: 's',
        agent: 'chat',
        from: 0,
        keep: 0,
        at: AT,
        continues: null,
        messages: [userMessage('hi'), userMessage('hello')],
        states: { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null },
      },
    })
    await store.close()
    assert.ok(proxy.cuts() >= 5, `${proxy.cuts()} answers were lost`)
    await proxy.close()
    const after = await openStore(direct)
    assert.deepEqual((await after.runs.read('r')).slice(1, -1), entries)
    assert.deepEqual(await after.runs.snapshot?.('r'), snapshotAfter(28))
    assert.equal((await after.memories.read('m')).version, 30)
    assert.equal((await after.sessions.load('s'))?.messages.length, 2)
    assert.equal((await after.runs.find('r'))?.status, 'finished')
    await after.close()
  })
}
