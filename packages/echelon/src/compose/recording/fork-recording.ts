import { systemIds } from '../../platform/ids.ts'
import { readLine } from '../../providers/tape/tape-line.ts'
import { readRuns } from '../../replay/read-runs.ts'
import { type ForkOptions, RunFork } from '../../replay/run-fork.ts'
import type { LoadedRecording } from '../../replay/loaded-recording.ts'
import type { RunRecording } from './record-run.ts'
import { agentIn, asRegistry, deciderIn, type World } from './world.ts'

/** A recorded run that continues from one of its steps. */
export interface Fork extends Pick<RunRecording, 'forAgent' | 'forDecider'> {
  readonly record: LoadedRecording
  /** The id of the run to `resume`. */
  readonly runId: string
}

/**
 * Continues a recorded run from one of its steps: earlier steps come from the recording, and models
 * are live from there on. Tools that read answer from the recording if the same call is there, and
 * live otherwise. Tools that act answer from the recording, each call once; other calls are denied,
 * unless `act` names the tool, which may then repeat actions from before the step. Memories are
 * treated the same way.
 * Create the agent with `forAgent` or `forDecider`, and call its `resume(fork.runId)`.
 * @throws EchelonError INVALID_INPUT for a step or a role that the run does not have, UNKNOWN_RUN;
 * an unknown tool name in `act` is rejected by `resume`
 */
export async function forkRecording(path: string, options: ForkOptions): Promise<Fork> {
  const { record } = await readRuns(path, readLine)
  const fork = new RunFork(record, systemIds.next(), options)
  const world: World = {
    ports: {},
    registry: asRegistry,
    model: (bound) => bound,
    tool: (tool) => fork.tools.tool(tool),
    journal: (inner) => fork.journal(inner),
    memory: (inner) => fork.tools.memory(inner),
    // These use live models and what they answered.
    cache: (inner) => inner,
    shared: (inner) => inner,
    within: [],
    numbered: (name) => name,
  }
  return {
    record,
    runId: fork.runId,
    forAgent: (options) => agentIn(world, options),
    forDecider: (options = {}) => deciderIn(world, options),
  }
}
