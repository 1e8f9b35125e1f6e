import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import {
  calc,
  MATH_TASK,
  planOf,
  scripted,
  type Scripts,
  STOCK_TASK,
  stockPlan,
} from './fixtures.ts'

/** Goes wrong, is promoted, and goes right, so that its log has every kind of entry. */
const PROMOTED: Scripts = {
  small: ['no plan', stockPlan(20), stockPlan(31)],
  big: [stockPlan(29), stockPlan()],
  settings: { budget: { max_tool_calls: 20 } },
}

/** Everything that can be seen of a deterministic case: result, log and events. */
async function traceOf(scripts: Scripts, input: string, seed?: number): Promise<string> {
  const events: RunEvent[] = []
  const { decider } = scripted(scripts)
  const result = await decider.runCaseDeterministic(input, seed, {
    onEvent: (event) => events.push(event),
  })
  return [result, ...events].map((line) => JSON.stringify(line)).join('\n')
}

suite('a deterministic case', () => {
  test('[DD-25, R22.4] has the same trace byte for byte', async () => {
    const first = await traceOf(PROMOTED, STOCK_TASK)
    assert.equal(await traceOf(PROMOTED, STOCK_TASK), first)
    assert.ok(first.includes('"escalate_to_big"') && first.includes('"finish_reason":"success"'))
    assert.equal(await traceOf(PROMOTED, STOCK_TASK, 42), first)
  })

  test('[DD-25] differs with another seed', async () => {
    const traces = await Promise.all([1, 2, 42].map((seed) => traceOf(PROMOTED, STOCK_TASK, seed)))
    assert.equal(new Set(traces).size, 3)
  })

  test('[DD-25, R22.1] hands the seed to the provider, and the same prompts', async () => {
    const plans = { small: [planOf(calc('15 + 23')), planOf(calc('15 * 23'))] }
    const [one, two] = [scripted(plans), scripted(plans)]
    await one.decider.runCaseDeterministic(MATH_TASK)
    await two.decider.runCaseDeterministic(MATH_TASK)
    assert.deepEqual(
      one.small.calls.map(({ seed }) => seed),
      [42, 42],
    )
    const promptsOf = ({ small }: typeof one): string =>
      JSON.stringify(small.calls.map(({ prompt, temperature }) => [prompt, temperature]))
    assert.equal(promptsOf(one), promptsOf(two))
  })

  test('[R22.1] a case without a seed sends none', async () => {
    const { decider, small } = scripted({ small: [planOf(calc('15 * 23'))] })
    await decider.runCase(MATH_TASK)
    assert.equal(small.calls[0]?.seed, undefined)
  })

  test('[R22.2, R22.5] carries one run id in its result and in every entry of its log', async () => {
    const { decider } = scripted(PROMOTED)
    const { run_id, logs } = await decider.runCaseDeterministic(STOCK_TASK, 7)
    assert.match(run_id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
    assert.deepEqual([...new Set(logs.map((entry) => entry.run_id))], [run_id])
  })

  test('advances time by a millisecond per reading, from a fixed day', async () => {
    const { decider } = scripted(PROMOTED)
    const { logs } = await decider.runCaseDeterministic(STOCK_TASK)
    const times = logs.map(({ ts }) => Date.parse(ts))
    assert.ok(times.every((time, index) => time >= (times[index - 1] ?? Date.UTC(2025, 0, 1))))
    assert.ok((times.at(-1) ?? 0) < Date.UTC(2025, 0, 1) + 1000)
  })
})
