import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { z } from 'zod'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import type { CaseOptions } from '../../packages/echelon/src/agents/decide/case/case-options.ts'
import type { ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import { calc, DECLINED, MATH_TASK, planOf, scripted, toldTo, toolsWith } from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))

/** Plans what the prompt asks, after a delay; one case in three gets a wrong plan first. */
const answer: ScriptedAnswer = (options) => {
  const told = toldTo(options)
  const [, a = '', b = ''] = /What is (\d+) \* (\d+)\?/.exec(told) ?? []
  const isWrong = Number(a) % 3 === 0 && !told.includes('Why that was not accepted')
  return planOf(calc(`${a} ${isWrong ? '+' : '*'} ${b}`))
}

suite('many cases at the same time', () => {
  test('[DD-22] two hundred cases of one decider do not mix', async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => index)
    const { decider } = scripted({ small: Array.from({ length: 400 }, () => answer) })
    const results = await Promise.all(
      numbers.map((a) => decider.runCase(`What is ${a} * 7?`, { taskId: `task-${a}` })),
    )
    assert.equal(new Set(results.map(({ run_id }) => run_id)).size, 200)
    for (const [a, { answer: given, verified, counters, logs, run_id }] of results.entries()) {
      const rounds = a % 3 === 0 ? 2 : 1
      assert.deepEqual([given, verified], [String(a * 7), true])
      assert.deepEqual(counters, {
        llm_calls_small: rounds,
        llm_calls_big: 0,
        tool_calls: rounds,
        act_steps: rounds,
      })
      assert.equal(logs.length, 4 * rounds)
      for (const entry of logs) {
        assert.deepEqual([entry.run_id, entry.task_id], [run_id, `task-${a}`])
      }
    }
  })
})

suite('an idempotency key', () => {
  const KEY = { idempotencyKey: 'order-1' }

  test('[DD-22] gives the same case the same result with one execution, also at the same time', async () => {
    const { decider, small } = scripted({ small: [RIGHT] })
    const [first, second] = await Promise.all([
      decider.runCase(MATH_TASK, KEY),
      decider.runCase(MATH_TASK, KEY),
    ])
    assert.equal(first, second)
    assert.equal(await decider.runCase(MATH_TASK, KEY), first)
    assert.equal(small.calls.length, 1)
  })

  test('[DD-22] is refused for another case', async () => {
    const { decider } = scripted({ small: [RIGHT] })
    await decider.runCase(MATH_TASK, KEY)
    const others: readonly [string, CaseOptions][] = [
      ['What is 15 + 23?', {}],
      [MATH_TASK, { goldAnswer: '345' }],
      [MATH_TASK, { expectedTools: ['calculator'] }],
      [MATH_TASK, { mode: 'fallback_only' }],
      [MATH_TASK, { seed: 1 }],
      [MATH_TASK, { today: '2025-09-08' }],
    ]
    for (const [input, options] of others) {
      await assert.rejects(decider.runCase(input, { ...options, ...KEY }), { code: 'KEY_REUSED' })
    }
  })

  test('[DD-22] treats spelled-out defaults like omitted ones', async () => {
    const { decider, small } = scripted({ small: [RIGHT] })
    const first = await decider.runCase(MATH_TASK, KEY)
    const again = await decider.runCase(MATH_TASK, {
      ...KEY,
      mode: 'hrm_small_then_escalate',
      expectedTools: [],
      goldAnswer: null,
    })
    assert.equal(again, first)
    assert.equal(small.calls.length, 1)
  })

  test('[DD-22] a caller that leaves gets a partial result, and the other the final one', async () => {
    const leaver = new AbortController()
    const slow = Promise.withResolvers<null>()
    const analysis = defineTool({
      name: 'numeric_analysis',
      description: 'Averages prices, when somebody has left.',
      input: z.record(z.string(), z.json()),
      async run() {
        leaver.abort()
        return slow.promise
      },
    })
    const settings = { models: { ladder: ['offline/small'] } }
    const { decider } = scripted({
      small: [
        planOf(
          { tool: 'plotter', args: { series: [] } },
          { tool: 'numeric_analysis', args: { series: '$1.image_path' } },
        ),
        DECLINED,
      ],
      tools: toolsWith(analysis),
      settings,
    })
    const leaving = decider.runCase(MATH_TASK, { ...KEY, signal: leaver.signal })
    const staying = decider.runCase(MATH_TASK, KEY)
    const partial = await leaving
    assert.deepEqual([partial.finish_reason, partial.answer], ['canceled', '/artifacts/plot.png'])
    assert.deepEqual(Object.keys(partial.artifacts), ['plot.png'])
    slow.resolve(null)
    assert.equal((await staying).finish_reason, 'big_fail')
  })

  test('[DD-22] does not keep a canceled case', async () => {
    const { decider, small } = scripted({ small: [RIGHT] })
    const canceled = await decider.runCase(MATH_TASK, { ...KEY, signal: AbortSignal.abort() })
    assert.equal(canceled.finish_reason, 'canceled')
    assert.equal(small.calls.length, 0)
    const again = await decider.runCase(MATH_TASK, KEY)
    assert.equal(again.finish_reason, 'success')
  })

  test('cases without a key are each executed', async () => {
    const { decider, small } = scripted({ small: [RIGHT, RIGHT] })
    await decider.runCase(MATH_TASK)
    await decider.runCase(MATH_TASK)
    assert.equal(small.calls.length, 2)
  })
})
