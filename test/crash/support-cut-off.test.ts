import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { OUTCOME_UNKNOWN } from '../../packages/support/src/wording/sentences.ts'
import { deedsOf } from './judge.ts'
import { lead } from './lives.ts'
import { CUT_OFF } from './support-scenario.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-cut-off-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The customer's answer about a refund during which a process died, and the refund's outcome. */
async function toldAfter(scenario: string, isDone: boolean) {
  const run = `${scenario} ${isDone}`.replaceAll(/\W+/g, '-')
  const kill = { at: 'action', nth: 0, isDone } as const
  const { ends, killed } = await lead(folder, run, [
    { run, scenario, kill },
    { run, scenario },
  ])
  assert.equal(killed, 1)
  const end = ends.get(1)?.end
  assert.ok(end !== undefined)
  const told = JSON.stringify(end.result)
  return { told, refunds: deedsOf(folder, run).filter(({ tool }) => tool === 'refund').length }
}

const isMute = (scenario: string): boolean => scenario.endsWith('mute tool')

for (const scenario of Object.keys(CUT_OFF)) {
  test(`a refund that was done before the process died is not reported as refused: ${scenario}`, async () => {
    const { told, refunds } = await toldAfter(scenario, true)
    assert.equal(refunds, 1)
    assert.ok(told.includes(isMute(scenario) ? OUTCOME_UNKNOWN : 'Refunded O-11111'), told)
    assert.ok(!/changed since|can't process|try again/.test(told), told)
  })
}

test('a refund not done before the process died is not made if the order has changed', async () => {
  const { told, refunds } = await toldAfter('changed order', false)
  assert.equal(refunds, 0)
  assert.match(told, /the order has changed since that was approved/)
})

test('a refund of unknown outcome is neither denied nor retried', async () => {
  const { told, refunds } = await toldAfter('changed order, mute tool', false)
  assert.equal(refunds, 0)
  assert.ok(told.includes(OUTCOME_UNKNOWN), told)
  assert.match(told, /Ticket H-1/)
})

test('a refund not done before the process died is made if no rule forbids it', async () => {
  const { told, refunds } = await toldAfter('rule against it', false)
  assert.equal(refunds, 1)
  assert.match(told, /Refunded O-11111/)
})
