import { EchelonError, type LegEnd, type Performer, type RunOrder } from 'echelon/runtime'
import { hasEnded } from 'echelon/internal/store'
import type { LiveRun } from '../runs/live-run.ts'
import { HttpProblem } from '../http/problem.ts'
import type { RunHub } from '../runs/run-hub.ts'
import type { ServerStore } from '../runs/server-store.ts'
import type { Principal } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { principalOf, readTurn } from './turn-order.ts'

export interface HubPerformerOptions {
  readonly hub: RunHub
  readonly store: Pick<ServerStore, 'runs'>
}

/** A run that sleeps this long leaves its worker. */
const SLEEPS_HERE_MS = 1000
const NEVER = new AbortController().signal

/** Performs the turns that a server orders, with the agents of a hub. */
export function hubPerformer({ hub, store }: HubPerformerOptions): Performer {
  const live = new Set<LiveRun>()
  const leg = async (run: LiveRun): Promise<LegEnd> => {
    live.add(run)
    try {
      await Promise.all([run.outcome, leaveWhenIdle(run)])
    } finally {
      live.delete(run)
    }
    const summary = await store.runs.find(run.id)
    return run.state === 'suspended'
      ? { type: 'waiting', wakeAt: summary?.wakeAt ?? null }
      : { type: 'ended' }
  }
  return {
    async begin({ run: runId, task }: RunOrder) {
      const turn = readTurn(task)
      const principal = principalOf(turn)
      const { context, held, input } = turn
      const agent = agentFor(hub, turn.agent, principal)
      const trace = { traceparent: context.traceparent, tracestate: context.tracestate }
      const stored = context.session
      const session = stored === undefined ? {} : { storedSession: stored }
      const options = { principal, runId, held, ...trace, ...session }
      return leg(await hub.start(agent, input, options).catch(refused))
    },
    async resume(runId) {
      const summary = await store.runs.find(runId)
      if (summary === undefined) return { type: 'failed', reason: `there is no run ${runId}` }
      const { status, wakeAt } = summary
      if (hasEnded(summary)) return { type: 'ended' }
      const isDue = status !== 'waiting' || (wakeAt !== null && wakeAt <= Date.now())
      return isDue ? leg(await hub.resume(summary)) : { type: 'waiting', wakeAt }
    },
    release() {
      for (const run of live) run.suspend()
    },
  }
}

/** @throws EchelonError UNKNOWN_RUN if only workers of another version serve the agent */
function agentFor(hub: RunHub, name: string, principal: Principal): ServedAgent {
  try {
    return hub.agent(name, principal)
  } catch (cause) {
    const what = `this worker does not serve the agent ${name}; start one that does`
    throw new EchelonError('UNKNOWN_RUN', what, { cause })
  }
}

/** @throws EchelonError RUN_BUSY for a worker that is full or stops: the order is for another one */
function refused(error: unknown): never {
  const isFull = error instanceof HttpProblem && (error.status === 429 || error.status === 503)
  if (!isFull) throw error
  throw new EchelonError('RUN_BUSY', error.message, { cause: error })
}

/** Suspends a run while it only waits, so that it holds no slot. */
async function leaveWhenIdle(run: LiveRun): Promise<void> {
  // The tools of a client are known only here.
  if (run.clientTools.length > 0) return
  let forget: (() => void) | undefined
  while (!run.log.isOver) {
    forget?.()
    if (run.isWaiting) run.suspend()
    else if (run.isAsleep) {
      const timer = setTimeout(() => run.suspend(), SLEEPS_HERE_MS)
      forget = () => clearTimeout(timer)
    }
    await run.log.more(NEVER)
  }
  forget?.()
}
