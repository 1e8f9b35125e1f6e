import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createRedactor } from '../../packages/echelon/src/core/redaction/redaction.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { z } from 'zod'
import {
  type TaskView,
  TASK_STATES,
  taskView,
} from '../../packages/echelon/src/agents/decide/case/task-view.ts'
import type { DecideState } from '../../packages/echelon/src/agents/decide/state.ts'
import {
  calc,
  DECLINED,
  loopOf,
  MATH_TASK,
  planOf,
  policyOf,
  scripted,
  STOCK_TASK,
  stockPlan,
  toolsWith,
} from './fixtures.ts'

const RIGHT = planOf(calc('15 * 23'))
const WRONG = planOf(calc('15 + 23'))
const IDS = { taskId: 'task-1', contextId: 'context-1' }

/** The names of the specification's `AgentState`. */
const AGENT_STATE = [
  'id',
  'contextId',
  'user_input',
  'expected_tools',
  'gold_answer',
  'plan',
  'evidence',
  'artifacts',
  'tier',
  'llm_calls_small',
  'llm_calls_big',
  'tool_calls',
  'act_steps',
  'best_metric',
  'stalled_rounds',
  'verified',
  'finish_reason',
  'answer',
  'logs',
  'state',
  'timestamp',
]

/** A calculator that lets the test look at the task during its work. */
function watched(look: () => void): ReturnType<typeof toolsWith> {
  return toolsWith(
    defineTool({
      name: 'calculator',
      description: 'Computes.',
      input: z.strictObject({ expr: z.string() }),
      run({ expr }) {
        look()
        return { value: expr === '15 * 23' ? '345' : '38' }
      },
    }),
  )
}

suite('the view of a task', () => {
  test('[DD-1] has every field of the agent state, and whether the answer was checked', async () => {
    const { decider } = scripted({ small: [WRONG, WRONG], big: [RIGHT] })
    const run = await decider.start(MATH_TASK, {
      ...IDS,
      expectedTools: ['calculator'],
      goldAnswer: '345',
    })
    const result = await run.result
    const view = run.view()
    assert.deepEqual(Object.keys(view).sort(), [...AGENT_STATE, 'checked', 'confidence'].sort())
    assert.deepEqual(view, {
      id: 'task-1',
      contextId: 'context-1',
      user_input: MATH_TASK,
      expected_tools: ['calculator'],
      gold_answer: '345',
      plan: [{ kind: 'action', ...calc('15 * 23'), metadata: { number: 1 } }],
      evidence: ['15 + 23', '15 + 23', '15 * 23'].map((expr) => ({
        tool: 'calculator',
        args: { expr },
        result: { value: expr === '15 * 23' ? '345' : '38', kind: 'data' },
      })),
      artifacts: {},
      tier: 'big',
      ...result.counters,
      best_metric: 1,
      stalled_rounds: 0,
      verified: true,
      checked: 'verified',
      confidence: null,
      finish_reason: 'success',
      answer: '345',
      logs: result.logs,
      state: 'completed',
      timestamp: '2025-09-08T07:00:00.000+07:00',
    })
  })

  test('[DD-1, R7.4] follows the task while it runs', async () => {
    const views: TaskView[] = []
    const { decider } = scripted({
      small: [WRONG, WRONG],
      big: [RIGHT],
      tools: watched(() => views.push(run.view())),
    })
    const run = await decider.start(MATH_TASK)
    await run.result
    const followed = views.map((view) => [
      view.state,
      view.tier,
      view.stalled_rounds,
      view.act_steps,
      view.evidence.length,
      view.answer,
      view.finish_reason,
    ])
    // The calculator is called for each plan, and again by the verifier.
    assert.deepEqual(followed, [
      ['working', 'small', 0, 0, 0, null, null],
      ['working', 'small', 0, 0, 1, '38', null],
      ['working', 'small', 1, 1, 1, '38', null],
      ['working', 'small', 1, 1, 2, '38', null],
      ['working', 'big', 0, 2, 2, '38', null],
      ['working', 'big', 0, 2, 3, '38', null],
    ])
    assert.deepEqual(views[0]?.plan, [
      { kind: 'action', ...calc('15 + 23'), metadata: { number: 1 } },
    ])
  })

  test("[DD-1] shows the running plan's results, files included", async () => {
    const views: TaskView[] = []
    const { decider } = scripted({
      small: [
        planOf(
          { tool: 'plotter', args: { series: [] } },
          { tool: 'calculator', args: { expr: '$1.image_path' } },
        ),
        DECLINED,
      ],
      big: [DECLINED, DECLINED],
      tools: watched(() => views.push(run.view())),
    })
    const run = await decider.start(MATH_TASK)
    await run.result
    assert.equal(views[0]?.evidence.length, 1)
    assert.deepEqual(Object.keys(views[0]?.artifacts ?? {}), ['plot.png'])
  })

  test('is a snapshot: it does not change with the run', async () => {
    const { decider } = scripted({ small: [stockPlan()] })
    const run = await decider.start(STOCK_TASK)
    const early = run.view()
    const before = JSON.stringify(early)
    await run.result
    assert.equal(JSON.stringify(early), before)
  })

  test('[DD-1] names the state of the task in A2A words', () => {
    const stateOf = (state: DecideState, steps: number): string =>
      taskView({
        ...IDS,
        state,
        policy: policyOf(),
        spent: { steps },
        logs: [],
        redact: createRedactor(),
        timestamp: '',
      }).state
    const done = (reason: 'success' | 'budget' | 'big_fail' | 'canceled'): string =>
      stateOf({ phase: 'done', loop: loopOf(), reason, limit: null }, 3)
    const planning: DecideState = { phase: 'plan', loop: loopOf() }
    const found = [
      stateOf(planning, 0),
      stateOf(planning, 1),
      done('success'),
      done('budget'),
      done('big_fail'),
      done('canceled'),
    ]
    assert.deepEqual(found, ['submitted', 'working', 'completed', 'failed', 'failed', 'canceled'])
    assert.deepEqual([...new Set(found)], [...TASK_STATES])
  })
})
