import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { openStore } from '@echelon/store'
import { Contender, type Said } from './contest.ts'
import { share } from '../share.ts'
import { deedsOf } from './judge.ts'

/** Every action happened once. */
function assertOnce(folder: string, run: string): void {
  const pays = deedsOf(folder, run).flatMap(({ tool, key }) => (tool === 'pay' ? [key] : []))
  assert.deepEqual(pays.length, 4, `${run}: all is done`)
  assert.deepEqual(new Set(pays).size, 4, `${run}: each once`)
}

test('of two processes that start a turn of one session at the same time, one runs it and the other is told which', async (t) => {
  const folder = await folderFor(t)
  const both = await Promise.all(
    ['one', 'two'].map((run) => Contender.ready({ t, folder, run, session: 's', hold: 1 })),
  )
  for (const one of both) one.go()
  const said = await Promise.all(both.map((one) => one.says('held', 'refused')))
  assert.deepEqual(said.map(({ type }) => type).toSorted(), ['held', 'refused'])
  assertBusy(
    said.find(({ type }) => type === 'refused'),
    /conversation s .*cancel/,
  )
  const winner = both[said.findIndex(({ type }) => type === 'held')]
  winner?.go()
  assert.equal((await winner?.says('ended'))?.type, 'ended')
  await Promise.all(both.map(({ over }) => over))
  const won = said[0]?.type === 'held' ? 'one' : 'two'
  assertOnce(folder, won)
  assert.deepEqual(deedsOf(folder, won === 'one' ? 'two' : 'one'), [])
})

test('of two processes that resume one run at the same time, one does, and the other does nothing', async (t) => {
  const folder = await folderFor(t)
  const first = await Contender.ready({ t, folder, run: 'r', session: 's', hold: 4 })
  first.go()
  await first.says('held')
  first.kill()
  await first.over
  const both = await Promise.all(
    [1, 2].map(() => Contender.ready({ t, folder, run: 'r', session: 's', hold: 1 })),
  )
  for (const one of both) one.go()
  const said = await Promise.all(both.map((one) => one.says('held', 'refused')))
  assert.deepEqual(said.map(({ type }) => type).toSorted(), ['held', 'refused'])
  assertBusy(
    said.find(({ type }) => type === 'refused'),
    /the run r/,
  )
  const winner = both[said.findIndex(({ type }) => type === 'held')]
  winner?.go()
  assert.equal((await winner?.says('ended'))?.type, 'ended')
  await Promise.all(both.map(({ over }) => over))
  assertOnce(folder, 'r')
})

test('a process that is paused while another resumes its run can no longer write and does nothing more', async (t) => {
  const folder = await folderFor(t)
  for (const hold of share([1, 4, 9, 15], 1)) {
    const run = `stopped-${hold}`
    const wanted = { t, folder, run, session: run, leaseMs: 600 }
    const stopped = await Contender.ready({ ...wanted, hold })
    stopped.go()
    await stopped.says('held')
    await stopped.pause(`${folder}/contest.db`)
    const ended = await goOnOnceFree(wanted)
    const before = deedsOf(folder, run)
    const entries = await entriesOf(folder, run)
    stopped.go()
    stopped.wake()
    const said = await stopped.says('refused', 'ended')
    assertBusy(said, /another process has taken up the run/)
    await stopped.over
    assert.deepEqual(deedsOf(folder, run), before, `${run}: it does nothing more`)
    assert.deepEqual(await entriesOf(folder, run), entries, `${run}: it writes nothing more`)
    assert.equal(ended.type === 'ended' && ended.reason, 'arrived')
    assertOnce(folder, run)
  }
})

/** Retries until the lease of the run's owner has expired. */
async function goOnOnceFree(wanted: Parameters<typeof Contender.ready>[0]): Promise<Said> {
  for (;;) {
    const next = await Contender.ready(wanted)
    next.go()
    const said = await next.says('ended', 'refused')
    await next.over
    if (said.type === 'ended') return said
    assertBusy(said, /a live process works on the run/)
  }
}

async function entriesOf(folder: string, run: string): Promise<readonly unknown[]> {
  const store = await openStore(`${folder}/contest.db`)
  const entries = await store.runs.read(run)
  await store.close()
  return entries
}

function assertBusy(said: Said | undefined, sentence: RegExp): void {
  assert.ok(said?.type === 'refused', JSON.stringify(said))
  assert.equal(said.code, 'RUN_BUSY')
  assert.match(said.message, sentence)
}
