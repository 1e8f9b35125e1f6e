import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { forkedEntries } from './forked-entries.ts'
import { interruptionsIn, ruleOnResume } from './interruptions.ts'
import type { Closed, Entry, Requested, Resumed, Started } from './journal.ts'

const BEGUN: Started = {
  type: 'started',
  path: '',
  runId: 'r',
  agent: 'a',
  version: 1,
  input: 'go',
  at: 0,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
}
const RESUMED: Resumed = { type: 'resumed', charged: {}, at: 1 }
const DIED: Resumed = { ...RESUMED, interrupted: true }
const OPENED: Entry = { type: 'opened', path: '', seq: 0, hold: {} }
const INTENDED: Entry = { type: 'intended', path: '', seq: 0, call: 0, key: 'k' }
const REPLIED: Entry = { type: 'replied', request: 'q', reply: true, at: 2 }
const closed = (seq: number, path = ''): Closed => ({
  type: 'closed',
  path,
  seq,
  digest: 0,
  seen: { type: 'said' },
  at: 2,
  spent: {},
})
const asks = (more: Partial<Requested> = {}): Requested => ({
  type: 'requested',
  path: '',
  seq: 0,
  request: 'q',
  about: {},
  at: 1,
  ...more,
})
const times = (count: number, entry: Entry): readonly Entry[] =>
  Array.from({ length: count }, () => entry)

suite('interruptions of a run', () => {
  test('none are counted in a run that was never resumed', () => {
    assert.equal(interruptionsIn([]), 0)
    assert.equal(interruptionsIn([BEGUN, OPENED, closed(0)]), 0)
  })

  test('a resume after a suspension or a failure is not one', () => {
    assert.equal(interruptionsIn([BEGUN, ...times(50, RESUMED)]), 0)
  })

  test('each death without a completed step is counted', () => {
    assert.equal(interruptionsIn([BEGUN, DIED, DIED, DIED]), 3)
  })

  test('what every try records again is no progress', () => {
    const attempt = [DIED, OPENED, asks(), INTENDED]
    assert.equal(interruptionsIn([BEGUN, ...attempt, ...attempt, ...attempt]), 3)
  })

  test('a completed step, in a child run too, a settled call and a reply start the count again', () => {
    const settled: Entry = {
      type: 'settled',
      path: '',
      seq: 0,
      call: 0,
      outcome: { type: 'ok', value: 1 },
    }
    for (const progress of [closed(0), closed(4, '0.1/'), settled, REPLIED]) {
      assert.equal(interruptionsIn([BEGUN, DIED, DIED, progress]), 0, progress.type)
      assert.equal(interruptionsIn([BEGUN, DIED, DIED, progress, DIED]), 1, progress.type)
    }
  })

  test('a run that 30 deployments interrupt between its steps is not near its limit', () => {
    const life = Array.from({ length: 30 }, (_, seq): readonly Entry[] => [DIED, closed(seq)])
    assert.equal(interruptionsIn([BEGUN, ...life.flat(), DIED]), 1)
  })

  test('a fork begins with none, and keeps the other resumes of its original', () => {
    const original = [BEGUN, RESUMED, DIED, closed(0), DIED, DIED]
    const fork = forkedEntries(original, { run: 'r', at: 1, as: 'f', models: {} })
    assert.equal(interruptionsIn(fork), 0)
    assert.equal(fork.filter(({ type }) => type === 'resumed').length, 2)
    assert.ok(fork.every((entry) => entry.type !== 'resumed' || entry.interrupted === undefined))
  })
})

suite('the ruling on a resume', () => {
  const found = { isCutOff: true, at: 5, giveUpAfter: 3 }

  test('counts this interruption, and gives the run up at the limit', () => {
    const ruleAfter = (before: number) => ruleOnResume([BEGUN, ...times(before, DIED)], found)
    assert.deepEqual(ruleAfter(0), { isInterrupted: true, interruptions: 1, givesUp: false })
    assert.deepEqual(ruleAfter(1), { isInterrupted: true, interruptions: 2, givesUp: false })
    assert.deepEqual(ruleAfter(2), { isInterrupted: true, interruptions: 3, givesUp: true })
    assert.deepEqual(ruleAfter(9), { isInterrupted: true, interruptions: 10, givesUp: true })
  })

  test('a run that was left in order is never given up', () => {
    const ruling = ruleOnResume([BEGUN, ...times(9, DIED)], { ...found, isCutOff: false })
    assert.deepEqual([ruling.isInterrupted, ruling.givesUp], [false, false])
  })

  test('a process that died while the run waited for a reply did not interrupt it', () => {
    const waits = (entries: readonly Entry[]): boolean =>
      !ruleOnResume([BEGUN, ...entries], found).isInterrupted
    assert.ok(waits([asks()]))
    assert.ok(waits([asks({ call: 2, hash: 'h', until: 6 })]))
    assert.ok(waits([asks({ path: '0.1/', call: 0 }), closed(0, '0.1/0.3/')]))
    assert.ok(waits([asks(), asks({ request: 'p' }), REPLIED]), 'another question is open')
    assert.ok(!waits([asks(), REPLIED]), 'it was answered')
    assert.ok(!waits([asks({ until: 5 })]), 'it has expired')
    assert.ok(!waits([asks(), closed(0)]), 'its step is over')
    assert.ok(!waits([asks({ path: '0.1/' }), closed(0)]), 'the step around it is over')
  })
})
