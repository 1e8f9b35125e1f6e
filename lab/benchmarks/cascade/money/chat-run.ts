import type { Agent } from '../../../../packages/echelon/src/agents/chat/chat-agent.ts'
import { createAgent } from '../../../../packages/echelon/src/chat.ts'
import type { Amounts } from '../../../../packages/echelon/src/core/agent/budget.ts'
import type { Middleware } from '../../../../packages/echelon/src/core/extension/defined-middleware.ts'
import type { BoundModel } from '../../../../packages/echelon/src/core/model/model.ts'
import type { Tool } from '../../../../packages/echelon/src/core/tool/tool.ts'
import { EchelonError } from '../../../../packages/echelon/src/core/value/error.ts'
import {
  fallback,
  parallel,
  type ParallelOptions,
  retry,
} from '../../../../packages/echelon/src/middleware.ts'
import { faultyModel, type Reply } from './faulty-model.ts'
import { foundModel } from './found-model.ts'
import { flakyTool, textOf, type World } from './world.ts'

export const CHAT_ROLE = 'main'

/**
 * A turn of a chat agent: retries, fallbacks, several models at once, a tool that fails, and sub-agents that work
 * side by side on the budget of their caller.
 */
export async function chatRun(world: World): Promise<Amounts> {
  const { chance, clock, faults } = world
  const children = chance.many(chance.whole(0, 3), () => 0).map((_, place) => `child${place}`)
  if (children.length > 1) faults.add('parallel children')
  const look = flakyTool(world)
  const tools = children.map((name) =>
    agentOf(world, name, [look]).asTool({ name, description: 'works on a part' }),
  )
  const run = agentOf(world, 'parent', [look, ...tools]).run(textOf(chance.whole(1, 600)))
  if (chance.happens(0.1)) {
    faults.add('run canceled')
    clock.after(chance.whole(0, 100), () => run.cancel())
  }
  await clock.runUntil(run.result.then(() => undefined, expected))
  return run.spent
}

/** A turn whose model failed rejects; anything else is a fault of the runtime. */
function expected(error: unknown): void {
  if (!(error instanceof EchelonError) || error.code !== 'MODEL_FAILED') throw error
}

function agentOf(world: World, name: string, tools: readonly Tool[]): Agent {
  const { chance, clock, ids, reservations: journal, limits } = world
  const models = ['a', 'b', 'c'].map((letter) => modelOf(world, `${name}/${letter}`, tools))
  const [own] = models
  const maxTokens = chance.whole(20, 500)
  return createAgent({
    name,
    ...(own && { model: own }),
    registry: { resolve: async (id) => foundModel(models, id) },
    tools,
    use: layersOf(world, name),
    limits: chatLimits(limits),
    errorHandling: { retries: chance.whole(0, 3), baseMs: 10, jitter: 0 },
    maxIterations: chance.whole(1, 5),
    maxTokens,
    ...(chance.happens(0.5) && { timeoutMs: chance.whole(20, 200) }),
    ...(chance.happens(0.5) && { telemetry: () => undefined }),
    journal,
    clock,
    ids,
    timeZone: 'UTC',
  })
}

function modelOf(world: World, id: string, tools: readonly Tool[]): BoundModel {
  const { chance } = world
  const [first, ...others] = tools
  const reply = (): Reply => {
    const text = textOf(chance.whole(1, 600))
    if (first === undefined || chance.happens(0.4)) return { text }
    const toolCalls = chance.many(chance.whole(1, 3), () => {
      const { name, delegates } = chance.pick([first, ...others])
      return { tool: name, input: delegates ? { task: textOf(chance.whole(1, 200)) } : {} }
    })
    return { text, toolCalls }
  }
  return faultyModel(world, { id, role: CHAT_ROLE, reply })
}

function layersOf({ chance, faults }: World, name: string): readonly Middleware[] {
  const middlewares: Middleware[] = []
  if (chance.happens(0.4)) {
    middlewares.push(retry({ retries: chance.whole(1, 3), baseMs: 10, jitter: 0 }))
  }
  if (chance.happens(0.4)) middlewares.push(fallback([`${name}/b`, `${name}/c`]))
  if (chance.happens(0.3)) {
    faults.add('several models at once')
    middlewares.push(parallel([`${name}/b`, `${name}/c`], chance.pick(PARALLEL)))
  }
  return middlewares
}

const PARALLEL: readonly [ParallelOptions, ...ParallelOptions[]] = [
  { mode: 'first' },
  { mode: 'first', afterMs: 10 },
  { mode: 'vote', early: true },
]

/** The same limits under the names that an agent gives them. */
const chatLimits = (limits: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(limits).map(([counter, limit]) => [
      counter === `calls.${CHAT_ROLE}` ? 'calls' : counter,
      limit,
    ]),
  )
