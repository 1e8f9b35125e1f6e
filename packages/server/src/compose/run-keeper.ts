import { type Clock, type Host, startHost } from 'echelon/runtime'
import type { RunHub } from '../runs/run-hub.ts'
import type { ServerStore } from '../runs/server-store.ts'
import type { ServedAgent } from '../agents/served-agent.ts'

export interface RunKeeperOptions {
  readonly hub: RunHub
  readonly agents: readonly ServedAgent[]
  readonly store: Pick<ServerStore, 'runs'>
  readonly clock: Clock
  /** Receives a run that cannot be resumed, or the store's error. */
  readonly onProblem: (problem: unknown, run: string | undefined) => void
}

/** Resumes due runs here, and suspends runs that wait long. */
export interface RunKeeper {
  stop(): Promise<void>
}

const AT_ONCE = 64
const LOOK_MS = 10_000
/** A run that waits longer for a person leaves the memory; an answer resumes it. */
const WAITS_HERE_MS = 10 * 60_000

/**
 * Resumes the runs of this server's agents that are due in the store: answered, woken, canceled, or left
 * by a process that stopped or died. Only runs that a server started are resumed, since those of a
 * command belong to its own settings.
 */
export function keepRuns(options: RunKeeperOptions): RunKeeper {
  const { hub, agents, store, clock, onProblem } = options
  const definitions = new Set(
    agents.flatMap((agent) => (agent.resume === undefined ? [] : [agent.definition])),
  )
  const host: Host = startHost({
    store: {
      runs: {
        due: async (limit) => (await store.runs.due(limit)).filter((run) => hub.mayResume(run)),
        read: (run) => store.runs.read(run),
      },
    },
    agents: [...definitions].map((name) => ({
      name,
      async resume(runId) {
        const summary = await store.runs.find(runId)
        if (summary === undefined) return { result: Promise.resolve(), suspend: () => undefined }
        const live = await hub.resume(summary)
        return { result: live.outcome, suspend: () => live.suspend() }
      },
    })),
    clock,
    atOnce: AT_ONCE,
    onProblem: (problem, run) => onProblem(problem, run?.id),
  })
  let forget: (() => void) | undefined
  const look = (): void => {
    hub.suspendIdle(WAITS_HERE_MS)
    forget = clock.after(LOOK_MS, look)
  }
  forget = clock.after(LOOK_MS, look)
  return {
    async stop() {
      forget?.()
      await host.stop(0)
    },
  }
}
