import { type Principal, storedSession } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { notFound } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { followParts } from '../runs/follow-parts.ts'
import type { StartOptions } from '../runs/run-launcher.ts'
import type { ThreadTurns } from './thread-turns.ts'

export interface HubTurnsOptions extends Pick<ServerContext, 'hub' | 'store'> {
  readonly agent: ServedAgent
  readonly principal: Principal
  readonly trace: Pick<StartOptions, 'traceparent' | 'tracestate'>
}

/** The runs of a server. A run that waits is found after a restart too. */
export function hubTurns({ hub, store, agent, principal, trace }: HubTurnsOptions): ThreadTurns {
  const sessionOf = (thread: string): string | null =>
    agent.accepts.sessions ? storedSession(principal, agent.name, thread) : null
  return {
    agent,
    owner: principal.name,
    async start(input, thread) {
      const session = agent.accepts.sessions && { session: thread }
      return (await hub.start(agent, input, { principal, ...session, ...trace })).id
    },
    async isKept(thread) {
      const session = sessionOf(thread)
      return session !== null && (await store.sessions.load(session)) !== undefined
    },
    async *follow(run, signal) {
      for await (const { part } of followParts(hub, run, { principal, signal })) yield part
    },
    async openRequests(run, thread) {
      const live = hub.live(run, principal)
      if (live !== undefined && !live.log.isOver) {
        if (live.agent !== agent || live.session !== sessionOf(thread)) throw notFound(`run ${run}`)
        return live.openRequests
      }
      const summary = await hub.find(run, principal)
      if (summary.agent !== agent.definition || summary.session !== sessionOf(thread)) {
        throw notFound(`run ${run}`)
      }
      return summary.requests.map(({ id }) => id)
    },
    async answer(run, request, reply) {
      await hub.answer(run, { request, reply }, principal)
      const live = hub.live(run, principal)
      if (live === undefined || live.log.isOver) await hub.resume(await hub.find(run, principal))
    },
    giveResults(run, request, results) {
      hub.live(run, principal)?.giveResults(request, results)
    },
    async cancel(run) {
      const live = hub.live(run, principal)
      if (live === undefined || live.log.isOver) return void (await hub.cancel(run, principal))
      live.cancel()
      await live.outcome
    },
  }
}
