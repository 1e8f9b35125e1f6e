import type { AgentDefinition } from '../../../../packages/echelon/src/core/agent/agent.ts'
import type { Amounts } from '../../../../packages/echelon/src/core/agent/budget.ts'
import type {
  CallTools,
  Effect,
  Generate,
} from '../../../../packages/echelon/src/core/agent/effect.ts'
import type { Observation } from '../../../../packages/echelon/src/core/agent/observation.ts'
import { Thread, userMessage } from '../../../../packages/echelon/src/core/message/thread.ts'
import { startRun, ToolRegistry } from '../../../../packages/echelon/src/runtime.ts'
import { faultyModel, type Reply } from './faulty-model.ts'
import { flakyTool, textOf, type World } from './world.ts'

export const STEP_ROLES = ['small', 'big'] as const

interface Here {
  readonly thread: Thread
  readonly left: readonly Step[]
}

/** An effect that is asked about the conversation so far. */
type Step = (thread: Thread) => Effect

/**
 * A run of the bare runtime on a small and a big model: calls one after the other in one conversation, second
 * opinions side by side, and batches of tools. It goes on after a failure and after a refusal, so that a limit is
 * tried again and again.
 */
export async function stepsRun(world: World): Promise<Amounts> {
  const { chance, clock, ids, limits, reservations: journal, faults } = world
  const reply = (): Reply => ({ text: textOf(chance.whole(1, 600)) })
  const models = Object.fromEntries(
    STEP_ROLES.map((role) => [role, faultyModel(world, { id: `scripted/${role}`, role, reply })]),
  )
  const run = startRun(agentOf(world), null, {
    models,
    tools: new ToolRegistry([flakyTool(world)]),
    artifacts: { write: () => Promise.reject(new Error('no tool of it writes files')) },
    clock,
    ids,
    timeZone: 'UTC',
    limits,
    journal,
    retry: { retries: chance.whole(0, 3), baseMs: 10, factor: 2, jitter: 0.2 },
    ...(chance.happens(0.5) && { listeners: [{ hear: () => undefined }] }),
  })
  if (chance.happens(0.1)) {
    faults.add('run canceled')
    clock.after(chance.whole(0, 100), () => run.cancel())
  }
  await clock.runUntil(run.result)
  return run.spent
}

function agentOf(world: World): AgentDefinition<null, Here, string> {
  const { chance } = world
  const steps = chance.many(chance.whole(1, 8), () => stepOf(world))
  const between = textOf(chance.whole(1, 500))
  const start: Here = {
    thread: Thread.of([userMessage(textOf(chance.whole(1, 400)))]),
    left: steps,
  }
  return {
    name: 'steps',
    version: 1,
    actors: { all: { roles: STEP_ROLES, tools: ['look'] } },
    start: () => ({ state: start }),
    next({ thread, left: [step] }) {
      return step?.(thread) ?? { type: 'finish', reason: 'done', result: 'done' }
    },
    observe({ thread, left }, seen) {
      const rest = seen.type === 'canceled' ? [] : left.slice(1)
      return { state: { thread: continued(thread, seen, between), left: rest } }
    },
    load: () => {
      throw new Error('no run of it is resumed')
    },
  }
}

function stepOf(world: World): Step {
  const { chance, faults } = world
  const one = generateOf(world)
  const kind = chance.share()
  if (kind < 0.6) return one
  if (kind < 0.7) return () => toolsOf(world)
  faults.add('second opinions')
  const others = chance.many(chance.whole(1, 3), () => generateOf(world))
  const tools = chance.happens(0.3) ? [toolsOf(world)] : []
  return (thread) => ({
    type: 'together',
    effects: [one, ...others].map((ask): Generate | CallTools => ask(thread)).concat(tools),
  })
}

function generateOf({ chance }: World): (thread: Thread) => Generate {
  const asked: Omit<Generate, 'messages'> = {
    type: 'generate',
    actor: 'all',
    role: chance.pick(STEP_ROLES),
    ...(chance.happens(0.9) && { maxTokens: chance.whole(1, 500) }),
    ...(chance.happens(0.5) && { show: 'user' }),
    ...(chance.happens(0.5) && { timeoutMs: chance.whole(20, 200) }),
    ...(chance.happens(0.3) && { tools: ['look'] }),
  }
  return (messages) => ({ ...asked, messages })
}

const toolsOf = ({ chance }: World): CallTools => ({
  type: 'call-tools',
  actor: 'all',
  calls: Array.from({ length: chance.whole(1, 4) }, (_, place) => ({
    id: `c${place}`,
    tool: 'look',
    input: {},
  })),
  atOnce: chance.whole(1, 3),
})

/** The conversation grows by an answer, so that the next call is about more than the last. */
function continued(thread: Thread, seen: Observation, between: string): Thread {
  if (seen.type !== 'generated' || seen.text === '') return thread
  const { text } = seen
  return thread.add({ role: 'assistant', content: [{ type: 'text', text }] }, userMessage(between))
}
