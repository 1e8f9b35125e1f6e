import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import {
  type Escalation,
  escalateTask,
} from '../../packages/echelon/src/agents/decide/escalator.ts'
import type { PartialSettings } from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import type { Loop } from '../../packages/echelon/src/agents/decide/state.ts'
import { calc, evidenceOf, loopOf, okOf, policyOf } from './fixtures.ts'

const FAILED: Partial<Loop> = {
  rounds: 2,
  actSteps: 2,
  reprompt: 'no JSON',
  best: 0.5,
  stalled: 2,
  evidence: [evidenceOf('calculator', { expr: '15 + 23' }, okOf({ value: '38' }))],
  failure: { actions: [calc('15 + 23')], reason: 'it is not the known answer' },
  answer: '38',
}

function escalated(spent: Amounts, settings: PartialSettings = {}, loop = FAILED): Escalation {
  const policy = policyOf(settings)
  return escalateTask(loopOf(loop), { at: 0, spent, limits: policy.limits }, policy)
}

suite('an escalation', () => {
  test('[R11.4] leads to the next rung with all evidence, and restarts progress', () => {
    assert.deepEqual(escalated({ tools: 3 }), {
      type: 'promoted',
      loop: { ...loopOf(FAILED), rung: 1, rounds: 0, reprompt: null, best: 0, stalled: 0 },
    })
  })

  test('[R2.5] without any budget left ends the run, and names what is used up', () => {
    const settings = { budget: { max_tokens: 1000, max_cost_usd: 1 } }
    const rows: readonly [limit: string, usedUp: number, nearly: number][] = [
      ['tools', 6, 5],
      ['seconds', 60, 59.9],
      ['tokens', 1000, 999],
      ['money', 1, 0.99],
    ]
    for (const [limit, usedUp, nearly] of rows) {
      assert.deepEqual(escalated({ [limit]: usedUp }, settings), { type: 'budget', limit })
      assert.equal(escalated({ [limit]: nearly }, settings).type, 'promoted')
    }
  })

  test('uses the reserved tool calls', () => {
    assert.equal(escalated({ tools: 5 }).type, 'promoted')
  })

  test('skips a rung whose tool calls are reserved for those above', () => {
    const models = { ladder: ['m/0', 'm/1', 'm/2'] }
    const rungAfter = (spent: Amounts, max_tool_calls: number | null): number | undefined => {
      const found = escalated(spent, { models, budget: { max_tool_calls } })
      return found.type === 'promoted' ? found.loop.rung : undefined
    }
    assert.equal(rungAfter({ tools: 3 }, null), 1)
    assert.equal(rungAfter({ tools: 3 }, 6), 2)
    assert.equal(rungAfter({ tools: 6 }, 6), undefined)
  })

  test('needs no money for free models', () => {
    assert.equal(escalated({}, { budget: { max_cost_usd: 0 } }).type, 'promoted')
  })
})
