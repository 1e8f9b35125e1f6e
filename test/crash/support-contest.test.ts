import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { Contender, type Said } from './contest.ts'
import { deedsOf } from './judge.ts'

const SESSION = 's'

type Given = Pick<TestContext, 'after'>

/** A process that gets a message, as `id=text`. */
const given = (t: Given, folder: string, message: string, hold = -1): Promise<Contender> =>
  Contender.ready({
    t,
    folder,
    run: message,
    session: SESSION,
    hold,
    program: 'crash/support-contender.ts',
  })

/** Its answer without competition. */
async function resolved(t: Given, folder: string, message: string): Promise<Said> {
  const one = await given(t, folder, message)
  one.go()
  const said = await one.says('ended', 'refused')
  await one.over
  return said
}

function answerOf(said: Said | undefined): string {
  assert.ok(said?.type === 'ended', JSON.stringify(said))
  return said.reason
}

const historyOf = (said: Said): unknown => (said.type === 'ended' ? said.result : null)

const refunds = (folder: string): number =>
  deedsOf(folder, SESSION).filter(({ tool }) => tool === 'refund').length

const ASKED = ['user: refund O-11111', 'agent: Sure about O-11111?']

test('[S-2] of two processes with messages of one session at the same time, one runs and the other is told to retry', async (t) => {
  const folder = await folderFor(t)
  assert.equal(answerOf(await resolved(t, folder, 'm1=refund O-11111')), 'Sure about O-11111?')
  const first = await given(t, folder, 'm2=yes', 3)
  first.go()
  await first.says('held')
  const second = await resolved(t, folder, 'm3=yes')
  assert.ok(second.type === 'refused')
  assert.equal(second.code, 'SESSION_BUSY')
  assert.match(
    second.message,
    /somebody else works on a message of the session s; nothing was done/,
  )
  assert.equal(refunds(folder), 0)
  first.go()
  const answered = await first.says('ended', 'refused')
  assert.equal(answerOf(answered), 'Refunded O-11111')
  assert.deepEqual(historyOf(answered), [...ASKED, 'user: yes', 'agent: Refunded O-11111'])
  await first.over
  // There is nothing left to confirm.
  assert.match(answerOf(await resolved(t, folder, 'm3=yes')), /not sure I understand that/)
  assert.equal(refunds(folder), 1)
})

test('[S-6] one message given to two processes gets the same answer from both, and is handled once', async (t) => {
  const folder = await folderFor(t)
  await resolved(t, folder, 'm1=refund O-11111')
  // One holds it, and the other waits for its result.
  const first = await given(t, folder, 'm2=yes', 4)
  first.go()
  await first.says('held')
  const second = await given(t, folder, 'm2=yes')
  second.go()
  first.go()
  const both = await Promise.all([first, second].map((one) => one.says('ended', 'refused')))
  assert.deepEqual(both.map(answerOf), ['Refunded O-11111', 'Refunded O-11111'])
  await Promise.all([first.over, second.over])
  const later = await resolved(t, folder, 'm2=yes')
  assert.equal(answerOf(later), 'Refunded O-11111')
  assert.deepEqual(historyOf(later), [...ASKED, 'user: yes', 'agent: Refunded O-11111'])
  assert.equal(refunds(folder), 1)
})

test('[S-6] the same holds if both start at the same moment', async (t) => {
  const folder = await folderFor(t)
  await resolved(t, folder, 'm1=refund O-11111')
  const both = await Promise.all([1, 2].map(() => given(t, folder, 'm2=yes')))
  for (const one of both) one.go()
  const said = await Promise.all(both.map((one) => one.says('ended', 'refused')))
  assert.deepEqual(said.map(answerOf), ['Refunded O-11111', 'Refunded O-11111'])
  await Promise.all(both.map(({ over }) => over))
  assert.equal(refunds(folder), 1)
})

test('[S-14] a turn whose process died is finished before the next message, which sees its result', async (t) => {
  const folder = await folderFor(t)
  await resolved(t, folder, 'm1=refund O-11111')
  const dies = await given(t, folder, 'm2=yes', 5)
  dies.go()
  await dies.says('held')
  dies.kill()
  await dies.over
  const next = await resolved(t, folder, 'm3=status O-22222')
  assert.equal(answerOf(next), 'Your order O-22222 is shipped')
  assert.deepEqual(historyOf(next), [
    ...ASKED,
    'user: yes',
    'agent: Refunded O-11111',
    'user: status O-22222',
    'agent: Your order O-22222 is shipped',
  ])
  assert.equal(refunds(folder), 1)
})

test('[S-6] another message under the same id is refused', async (t) => {
  const folder = await folderFor(t)
  await resolved(t, folder, 'm1=refund O-11111')
  const other = await resolved(t, folder, 'm1=refund O-22222')
  assert.ok(other.type === 'refused')
  assert.equal(other.code, 'KEY_REUSED')
})
