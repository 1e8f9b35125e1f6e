import { EchelonError, systemClock, systemIds } from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'
import { notFound } from '../http/problem.ts'
import { LiveRun } from '../runs/live-run.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { TurnParts } from '../runs/turn-parts.ts'
import type { ThreadTurns } from './thread-turns.ts'

export interface LocalTurnsOptions {
  readonly caller: string
  /** Whether the agent keeps the conversation of a thread. */
  readonly sessions: boolean
}

/** Ended runs that can be read again. */
const MOST_ENDED = 100

/** The runs of an agent in this process, without a server and a store of ours. */
export function localTurns(
  agent: ServedAgent,
  { caller, sessions }: LocalTurnsOptions,
): ThreadTurns {
  const runs = new Map<string, LiveRun>()
  const liveOf = (run: string): LiveRun => {
    const live = runs.get(run)
    if (live === undefined) throw notFound(`run ${run}`)
    return live
  }
  return {
    agent,
    owner: caller,
    async start(input, thread) {
      const session = sessions && agent.accepts.sessions ? thread : undefined
      const context = { runId: systemIds.next(), caller, made: null, ...(session && { session }) }
      const live = new LiveRun({
        agent,
        run: await agent.start(input, context),
        owner: caller,
        session: thread,
        clientTools: (input.tools ?? []).map(({ name }) => name),
        now: () => systemClock.now(),
        hear: () => undefined,
      })
      forgetEnded(runs)
      runs.set(live.id, live)
      return live.id
    },
    isKept: async () => sessions && agent.accepts.sessions,
    follow: (run, signal) => partsOf(liveOf(run), signal),
    async openRequests(run, thread) {
      const live = liveOf(run)
      if (live.session !== thread) throw notFound(`run ${run}`)
      return live.openRequests
    },
    answer: async (run, request, reply) => liveOf(run).respond(request, reply),
    giveResults: (run, request, results) => liveOf(run).giveResults(request, results),
    async cancel(run) {
      const live = liveOf(run)
      live.cancel()
      await live.outcome
    },
  }
}

function forgetEnded(runs: Map<string, LiveRun>): void {
  const ended = [...runs.values()].filter(({ log }) => log.isOver)
  for (const { id } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) runs.delete(id)
}

async function* partsOf(live: LiveRun, signal: AbortSignal): AsyncGenerator<TurnPart, void> {
  const { log } = live
  const parts = new TurnParts({ clientTools: live.clientTools })
  for (let position = 0; !signal.aborted;) {
    const [logged] = log.from(position, 1)
    if (logged !== undefined) {
      position++
      yield* parts.of(logged.event)
    } else if (log.isGone(position)) {
      throw new EchelonError('LIMIT_REACHED', 'the reader is too slow; the run went on without it')
    } else if (log.isOver) break
    else await log.more(signal)
  }
  if (signal.aborted) return
  const end = await live.outcome
  if (end !== undefined) yield* parts.end(end)
}
