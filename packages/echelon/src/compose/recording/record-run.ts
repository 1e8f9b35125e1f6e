import type { ModelSource } from '../../agents/chat/model-binding.ts'
import type { Clock, Ids } from '../../core/agent/ports.ts'
import type { Json } from '../../core/value/json.ts'
import { systemClock } from '../../platform/clock.ts'
import { systemIds } from '../../platform/ids.ts'
import { HiddenKeys } from '../../platform/recording/hidden-keys.ts'
import { openRecordingFile } from '../../platform/recording/recording-file.ts'
import { recordedBound, recordingRegistry } from '../../providers/tape/recording-registry.ts'
import { keyCleaner } from '../../providers/tape/secrets.ts'
import { TapeWriter } from '../../providers/tape/tape-line.ts'
import { type RecordingSink, RunRecorder } from '../../replay/run-recorder.ts'
import type { DeciderOptions } from '../decider-options.ts'
import { configuredModels } from '../models.ts'
import {
  agentIn,
  type AgentPorts,
  asRegistry,
  deciderIn,
  storesOf,
  timedRegistry,
  type WithPorts,
  type World,
} from './world.ts'

export interface RecordOptions {
  /**
   * Data that the program wants to find in the recording, such as its own options. Default `null`.
   */
  readonly about?: Json
  /** Default: the system clock. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** A recording of whole runs in progress. */
export interface RunRecording {
  /** The options for `createAgent`, with the recording's clock and ids. */
  forAgent<Options extends AgentPorts>(options: Options): WithPorts<Options>
  /** The options for `createDecider`. */
  forDecider(options?: DeciderOptions): Promise<DeciderOptions>
  /**
   * The same run. Control the returned run (`respond`, `hear`, `cancel`), so that the actions are
   * recorded.
   */
  watch: RunRecorder['watch']
  /** Keeps a value for the program's own replay, in order: `record.notes` has it. */
  note(note: Json): void
  /** Ends the recording. Returns a sentence about what could not be recorded, if anything. */
  close(): string | undefined
}

/**
 * Records whole runs, sequential or concurrent: requests and answers of models and tools, time,
 * ids, replies, and the journal. Written lines survive a crash. The file must be new or empty, and
 * only its owner can read it: it holds prompts, answers and files unredacted, since a replay must
 * be exact. Provider keys are hidden and secret headers are omitted.
 * @param target a path, or a destination for lines
 * @throws EchelonError INVALID_CONFIG when the file cannot be written or is not empty
 */
export function recordRun(
  target: string | RecordingSink,
  { about = null, clock = systemClock, ids = systemIds }: RecordOptions = {},
): RunRecording {
  const sink = typeof target === 'string' ? openRecordingFile(target) : target
  const lines = new TapeWriter((line) => recorder.write(line))
  // A key can be split across stream parts, which only the tape joins.
  const keys = new HiddenKeys()
  const clean = keyCleaner(keys)
  const recorder = new RunRecorder({
    sink,
    about,
    clock,
    ids,
    keys,
    tape: (bound) => recordedBound(bound, lines, { name: bound.id, clean, settings: {} }),
  })
  const world: World = {
    ...storesOf(recorder),
    ports: { clock: recorder.clock, ids: recorder.ids },
    registry(given) {
      const source = given === configuredModels ? hidingConfiguredKeys(keys) : given
      const taped = recordingRegistry(asRegistry(source), lines, (used) => {
        keys.add(used)
        return clean
      })
      return timedRegistry(taped, recorder)
    },
    model: (bound) => recorder.model(bound),
    tool: (tool) => recorder.tool(tool),
    journal: (inner) => recorder.journal(inner),
  }
  return {
    forAgent: (options) => agentIn(world, options),
    forDecider: (options = {}) => deciderIn(world, options),
    watch: (run) => recorder.watch(run),
    note: (note) => recorder.note(note),
    close: () => recorder.close(),
  }
}

/** Keys of the configuration do not appear in an agent's options. */
const hidingConfiguredKeys = (keys: HiddenKeys): ModelSource => ({
  async resolve(name, settings) {
    if (!name.startsWith('offline/')) keys.add(await configuredKeys())
    return configuredModels.resolve(name, settings)
  },
})

/** An unreadable configuration counts as empty here; its user gets the error. */
async function configuredKeys(): Promise<readonly string[]> {
  try {
    const { loadConfig } = await import('../config.ts')
    const { providers } = await loadConfig()
    return Object.values(providers).flatMap(({ apiKey }) => apiKey ?? [])
  } catch {
    return []
  }
}
