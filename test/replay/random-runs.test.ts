import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import * as fc from 'fast-check'
import { type AgentOptions, createAgent, defineTool, type Tool, ToolError } from 'echelon/chat'
import { defineMiddleware } from 'echelon/middleware'
import { apiError, asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'
import { assertExact, type Caller, folderFor, recordAndReplay } from './replayed.ts'

const TOOLS = ['reads', 'acts', 'asked', 'failing', 'questions', 'child'] as const

const call = fc.record({
  tool: fc.constantFrom(...TOOLS),
  ms: fc.integer({ min: 0, max: 4 }),
})

const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(call, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant('failure' as const) },
)

const script = fc.record({
  steps: fc.array(step, { maxLength: 3 }),
  modelMs: fc.integer({ min: 0, max: 3 }),
  replyMs: fc.integer({ min: -1, max: 3 }),
  turns: fc.integer({ min: 1, max: 2 }),
  hooked: fc.boolean(),
})

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never

const INPUT = z.object({ ms: z.number() })

/** Tools of every kind: parallel or alone, with approval, questions, failures and a sub-agent. */
function tools(): readonly Tool[] {
  const spec = { description: 'a tool', input: INPUT }
  const reads = defineTool({
    ...spec,
    name: 'reads',
    async run({ ms }, context) {
      context.progress(ms)
      if (ms > 0) await wait(ms)
      return ms
    },
  })
  const acts = defineTool({
    ...spec,
    name: 'acts',
    does: 'acts',
    parallel: true,
    run: async ({ ms }) => {
      await wait(ms)
      return 'done'
    },
  })
  const asked = defineTool({ ...spec, name: 'asked', needsApproval: true, run: ({ ms }) => ms })
  const failing = defineTool({
    ...spec,
    name: 'failing',
    retries: 1,
    async run({ ms }) {
      await wait(ms)
      throw new ToolError(ms > 2 ? 'RATE_LIMIT' : 'TOOL_ERROR', `failed after ${ms}`)
    },
  })
  const questions = defineTool({
    ...spec,
    name: 'questions',
    run: async ({ ms }, { ask }) => (await ask?.(`${ms}?`)) ?? null,
  })
  return [reads, acts, asked, failing, questions, child(reads)]
}

/** Each call of it has its own agent. */
function child(inner: Tool): Tool {
  const always = (): ScriptedAnswer => 'from within'
  const agent = createAgent({
    name: 'inner',
    model: asBound(scriptedModel(Array.from({ length: 40 }, always)), 'test/inner'),
    tools: [inner],
  })
  const { input: _input, ...tool } = agent.asTool({ name: 'child', description: 'an agent' })
  return { ...tool, input: INPUT, run: (_, context) => runChild(agent, context) }
}

const runChild: (
  agent: ReturnType<typeof createAgent>,
  context: Parameters<Tool['run']>[1],
) => ReturnType<Tool['run']> = (agent, context) =>
  agent.asTool({ name: 'child', description: 'an agent' }).run({ task: 'work' }, context)

function answersOf({ steps, modelMs, turns }: Script): readonly ScriptedAnswer[] {
  const turn = steps.map((one): ScriptedAnswer => {
    if (one === 'failure') return { error: apiError(503), delayMs: modelMs }
    return {
      text: ['One ', 'moment. '],
      toolCalls: one.map(({ tool, ms }) => ({ tool, input: { ms } })),
      delayMs: modelMs,
    }
  })
  return Array.from({ length: turns }, () => [...turn, { text: ['That ', 'is all.'] }]).flat()
}

/** Middleware that yields to other work. */
const slowly = defineMiddleware({
  name: 'slowly',
  async tool(request, next) {
    for (let turn = 0; turn < 7; turn++) await Promise.resolve()
    return next(request)
  },
})

const optionsOf = (one: Script): AgentOptions => ({
  model: asBound(scriptedModel([...answersOf(one)]), 'test/outer', () => 0.001),
  tools: tools(),
  errorHandling: { retries: 2, baseMs: 1 },
  limits: { money: 1, seconds: 600 },
  use: one.hooked ? [slowly()] : [],
})

const caller =
  ({ replyMs }: Script): Caller =>
  (event, run) => {
    if (event.type !== 'request-open') return
    const reply = (): void => run.respond(event.request, 'once')
    if (replyMs < 0) reply()
    else setTimeout(reply, replyMs)
  }

test('[C-34] for any run its recording gives the same results, events and journal', async (t) => {
  const folder = folderFor(t)
  let files = 0
  await fc.assert(
    fc.asyncProperty(script, async (one) => {
      const said = Array.from({ length: one.turns }, (_, turn) => `turn ${turn}`)
      const file = join(folder, `${files++}.jsonl`)
      assertExact(await recordAndReplay(file, () => optionsOf(one), { said, caller: caller(one) }))
    }),
    { numRuns: 40 },
  )
})
