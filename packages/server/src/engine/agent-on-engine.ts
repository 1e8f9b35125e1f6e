import type { Clock, Engine, Started } from 'echelon/runtime'
import type { ServedAgent, TurnEnd } from '../agents/served-agent.ts'
import type { ServerStore } from '../runs/server-store.ts'
import { FollowedRun } from './followed-run.ts'
import { sendOrder } from './send-order.ts'
import { orderOf } from './turn-order.ts'

export interface OnEngineOptions {
  readonly engine: Engine
  readonly store: Pick<ServerStore, 'runs' | 'events'>
  readonly clock: Clock
  /** Receives errors of answers and cancels that are not awaited. */
  readonly onFault: (error: unknown, run: string) => void
}

/**
 * The same agent, with its runs on an engine: a turn is ordered, and followed by its stored events. An agent
 * whose runs need this machine is not wrapped.
 */
export function agentOnEngine(agent: ServedAgent, options: OnEngineOptions): ServedAgent {
  if (agent.resume === undefined || agent.needsThisMachine === true) return agent
  const endOf = async (id: string, session: string | null): Promise<TurnEnd | undefined> =>
    (await agent.resume?.(id, session))?.outcome
  const follow = (id: string, session: string | null): FollowedRun =>
    new FollowedRun({ ...options, id, endOf: () => endOf(id, session) })
  return {
    ...asData(agent),
    get models() {
      return agent.models
    },
    isElsewhere: true,
    endOf,
    async start(input, context) {
      const { engine, clock } = options
      await sendOrder(engine, orderOf(agent, input, { context, at: clock.now() }), clock)
      return follow(context.runId, context.session ?? null)
    },
    resume: async (runId, session) => follow(runId, session),
  }
}

/** The properties that describe an agent, and its reads from the store. Its runs cannot be forked elsewhere. */
const asData = (agent: ServedAgent) => ({
  name: agent.name,
  definition: agent.definition,
  kind: agent.kind,
  description: agent.description,
  tools: agent.tools,
  accepts: agent.accepts,
  options: agent.options,
  maxCost: agent.maxCost,
  ...(agent.keptUnder !== undefined && { keptUnder: agent.keptUnder }),
  ...(agent.intents !== undefined && { intents: agent.intents }),
  ...(agent.reviews !== undefined && { reviews: agent.reviews }),
  ...(agent.definitionOf !== undefined && {
    definitionOf: (started: Started) => agent.definitionOf?.(started),
  }),
})
