import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { z } from 'zod'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import type { PartialSettings } from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import { calc, MATH_TASK, planOf, scripted, type PlannedAction } from './fixtures.ts'

const work = (name: string, after?: string): PlannedAction => ({
  tool: 'work',
  args: { name, ...(after === undefined ? {} : { after }) },
})

/** The events in order: `+a` begins and `-a` ends. Later calls end sooner. */
function worker(happened: string[]): Tool {
  let begun = 0
  return defineTool({
    name: 'work',
    description: 'Works.',
    input: z.strictObject({ name: z.string(), after: z.string().optional() }),
    async run({ name }) {
      happened.push(`+${name}`)
      for (let turns = 100 - 20 * begun++; turns > 0; turns--) await Promise.resolve()
      happened.push(`-${name}`)
      return { name }
    },
  })
}

/** Runs one plan, in one round of one model; returns the events, and the order of the evidence. */
async function runPlan(
  plan: readonly PlannedAction[],
  settings: PartialSettings = {},
): Promise<{ readonly happened: string; readonly evidence: string }> {
  const happened: string[] = []
  const { decider } = scripted({
    small: [planOf(...plan)],
    tools: [worker(happened)],
    settings: {
      ...settings,
      models: { ladder: ['offline/small'] },
      flags: { ...settings.flags, allow_big_retry_once: false },
    },
  })
  const run = await decider.start(MATH_TASK)
  await run.result
  const evidence = run.view().evidence.map((one) => String(Object(one).args.name))
  return { happened: happened.join(' '), evidence: evidence.join(' ') }
}

/** The maximum number of calls at the same time. */
function mostAtOnce(happened: string): number {
  let [now, most] = [0, 0]
  for (const [sign] of happened.split(' ')) most = Math.max(most, (now += sign === '+' ? 1 : -1))
  return most
}

const PARALLEL = { parallel_tools: true }
const THREE = [work('a'), work('b'), work('c')]

suite('the tools of a plan', () => {
  test('[R10.5, R18.5, R22.3] run one after the other', async () => {
    const { happened, evidence } = await runPlan(THREE)
    assert.equal(happened, '+a -a +b -b +c -c')
    assert.equal(evidence, 'a b c')
  })

  test('[DD-26] run at the same time if the flag says so, with results in plan order', async () => {
    const { happened, evidence } = await runPlan(THREE, { flags: PARALLEL })
    assert.equal(happened, '+a +b +c -c -b -a')
    assert.equal(evidence, 'a b c')
  })

  test('[DD-26] never exceed max_concurrent_tool_calls', async () => {
    const settings = { flags: PARALLEL, security: { max_concurrent_tool_calls: 2 } }
    const { happened, evidence } = await runPlan(THREE, settings)
    assert.equal(mostAtOnce(happened), 2)
    assert.equal(evidence, 'a b c')
  })

  test('[DD-26] wait for a result that they use', async () => {
    const plan = [work('a'), work('b', '$1.name'), work('c')]
    const { happened, evidence } = await runPlan(plan, { flags: PARALLEL })
    assert.equal(happened, '+a -a +b +c -c -b')
    assert.equal(evidence, 'a b c')
  })

  test("have ids that are unique in the run, including the verifier's", async () => {
    const ids: string[] = []
    const telling = defineTool({
      name: 'calculator',
      description: 'Computes, and says so.',
      input: z.strictObject({ expr: z.string() }),
      run({ expr }, context) {
        context.progress(expr)
        return { value: expr }
      },
    })
    const plan = planOf(calc('1'), calc('2'))
    const { decider } = scripted({
      small: [plan, plan],
      big: [plan, plan],
      tools: [telling],
      settings: { budget: { max_tool_calls: 20 } },
    })
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'tool-progress') ids.push(event.call)
    }
    await decider.runCase(MATH_TASK, { onEvent })
    assert.equal(ids.length, 12)
    assert.equal(new Set(ids).size, 12)
  })

  test('[R2.3] stop at max_tool_calls, and the rest is refused', async () => {
    const { happened, evidence } = await runPlan(THREE, { budget: { max_tool_calls: 2 } })
    assert.equal(happened, '+a -a +b -b')
    assert.equal(evidence, 'a b c')
  })
})
