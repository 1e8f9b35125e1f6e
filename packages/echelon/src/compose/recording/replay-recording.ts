import type { Json } from '../../core/value/json.ts'
import { replayedBound, replayingRegistry } from '../../providers/tape/replaying-registry.ts'
import { ModelTape } from '../../providers/tape/tape.ts'
import { readLine } from '../../providers/tape/tape-line.ts'
import { readRuns } from '../../replay/read-runs.ts'
import type { LoadedRecording } from '../../replay/loaded-recording.ts'
import { RunReplayer } from '../../replay/run-replayer.ts'
import type { RunRecording } from './record-run.ts'
import { agentIn, deciderIn, storesOf, timedRegistry, type World } from './world.ts'

/** A recording, ready to run again without models, tools, network or cost. */
export interface RunReplay extends Omit<RunRecording, 'note' | 'close'> {
  readonly record: LoadedRecording
  /** How the replay compares with the recording; final when the runs have ended. */
  readonly likeness: RunReplayer['likeness']
}

/**
 * Reads a recording and returns the ports to run the same agent again, without delay and with the
 * same result, events and journal. A call that was not recorded ends the run with EchelonError
 * UNRECORDED_CALL, which shows the nearest recorded one; no real model or tool is ever called.
 * @throws EchelonError INVALID_INPUT when the file cannot be read or is not a recording of this
 * version
 */
export async function replayRecording(path: string): Promise<RunReplay> {
  const { record, calls } = await readRuns(path, readLine)
  const tape = new ModelTape(path, calls, { clean: unchanged })
  const models = new Map(tape.models.map((line) => [line.id, line]))
  const replayer = new RunReplayer(record, (id) => {
    const line = models.get(id) ?? { kind: 'model', name: id, id, provider: id, modelId: id }
    return replayedBound(line, tape, {})
  })
  const { clock, ids, artifacts } = replayer
  const timeZone = timeZoneOf(record)
  const world: World = {
    ...storesOf(replayer),
    ports: { clock, ids, artifacts, ...(timeZone !== undefined && { timeZone }) },
    registry: () => timedRegistry(replayingRegistry(tape), replayer),
    model: (bound) => replayer.model(bound),
    tool: (tool) => replayer.tool(tool),
    journal: (inner) => replayer.journal(inner),
  }
  return {
    record,
    forAgent: (options) => agentIn(world, options),
    forDecider: (options = {}) => deciderIn(world, options),
    watch: (run) => replayer.watch(run),
    get likeness() {
      return replayer.likeness
    },
  }
}

function timeZoneOf({ entries }: LoadedRecording): string | undefined {
  const [first = []] = entries.values()
  const started = first.find((entry) => entry.type === 'started')
  return started?.timeZone
}

const unchanged = <Value extends Json>(value: Value): Value => value
