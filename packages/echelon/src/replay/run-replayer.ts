import type { ModelWrapper } from '../core/agent/agent-services.ts'
import type { Artifact, ArtifactStore } from '../core/tool/artifact.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Journal } from '../core/journal/journal.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { CacheStore, Clock, Ids, MemoryStore, SharedStates } from '../core/agent/ports.ts'
import type { ChildSurroundings, Tool } from '../core/tool/tool.ts'
import { Comparison, type Likeness } from './comparison.ts'
import { type ChildWorld, delegatingTool } from '../core/tool/delegating-tool.ts'
import { replayedCache, replayedMemory, replayedStates } from './replayed-stores.ts'
import { recordedFiles, replayedTool } from './replayed-tool.ts'
import { type Act, ReplayingTimeline } from './replaying-timeline.ts'
import type { LoadedRecording } from './loaded-recording.ts'
import { timedJournal } from './timed-journal.ts'
import { givenModel, timedModel } from './timed-model.ts'
import { type SteeredRun, watchedRun } from './watched-run.ts'

/** Everything that a run uses, replayed from a recording. Touches nothing else. */
export class RunReplayer implements ChildWorld {
  readonly record: LoadedRecording
  readonly clock: Clock
  readonly ids: Ids
  readonly artifacts: ArtifactStore
  readonly timeline: ReplayingTimeline
  readonly within: readonly ModelWrapper[]
  readonly #memory: MemoryStore
  readonly #tape: (id: string) => BoundModel
  readonly #comparison: Comparison
  readonly #files = new WeakMap<Uint8Array, Artifact>()
  readonly #wrapped = new WeakSet<object>()
  readonly #runs = new Map<string, SteeredRun>()

  /** @param tape returns a recorded model by its id */
  constructor(record: LoadedRecording, tape: (id: string) => BoundModel) {
    this.record = record
    this.#tape = tape
    this.#comparison = new Comparison(record)
    const timeline = new ReplayingTimeline(record.moments, {
      breaksOff: record.breaksOff,
      perform: (act) => this.#perform(act),
    })
    this.timeline = timeline
    this.clock = {
      now: () => timeline.now(),
      after: (ms, callback) => timeline.after(ms, callback),
    }
    this.#memory = replayedMemory(this)
    this.within = [
      (model) => (this.#wrapped.has(model) ? model : this.model(givenModel(model)).model),
    ]
    this.ids = recordedIds(record)
    this.artifacts = recordedFiles(this.#files)
  }

  /** Compares the replay so far with the recording. */
  get likeness(): Likeness {
    return this.#comparison.likeness
  }

  tool(tool: Tool): Tool {
    if (this.#wrapped.has(tool)) return tool
    const { record, timeline } = this
    const wrapped = tool.delegates
      ? delegatingTool(tool, this)
      : replayedTool(tool, { record, timeline, files: this.#files })
    this.#wrapped.add(wrapped)
    return wrapped
  }

  memory(_inner: MemoryStore): MemoryStore {
    return this.#memory
  }

  cache(_inner: CacheStore): CacheStore {
    return replayedCache(this)
  }

  shared(_inner: SharedStates, store: string): SharedStates {
    return replayedStates(this.record, store)
  }

  /** A recorded model with the same id; the given one is never called. */
  model({ id }: Pick<BoundModel, 'id'>): BoundModel {
    return this.timed(this.#tape(id))
  }

  timed(bound: BoundModel): BoundModel {
    const timed = timedModel(bound, this.timeline)
    this.#wrapped.add(timed.model)
    return timed
  }

  models(
    _own: NonNullable<ChildSurroundings['models']>,
    key: string,
  ): NonNullable<ChildSurroundings['models']> {
    return async () => await this.timeline.settle(key, this.#childModels(key))
  }

  /** Compares written entries with the recording. */
  journal(inner: Journal | undefined): Journal {
    return timedJournal(inner, this.timeline, (run, entries) => this.#comparison.hear(run, entries))
  }

  /** The same run, controlled only by the recorded actions. */
  watch<Watched extends SteeredRun>(run: Watched): Watched {
    this.#runs.set(run.id, run)
    return watchedRun(run, { respond: ignored, hear: ignored, cancel: ignored })
  }

  async #childModels(key: string): Promise<Readonly<Record<string, BoundModel>>> {
    const child = await Promise.resolve(this.record.child(key))
    if (child === undefined) {
      throw new EchelonError(
        'UNRECORDED_CALL',
        `${this.record.path} holds no sub-agent at ${key}; replay with the recorded agent`,
      )
    }
    const models = Object.entries(child.models).map(([role, id]) => [role, this.model({ id })])
    return Object.fromEntries(models)
  }

  #perform(act: Act): boolean {
    const run = this.#runs.get(act.run)
    if (run === undefined) return false
    if (act.act === 'respond' && !run.requests.includes(act.request)) return false
    try {
      if (act.act === 'respond') run.respond(act.request, act.reply)
      else if (act.act === 'hear') run.hear(act.text)
      else run.cancel()
    } catch {
      // An action that failed in the recording fails here too.
    }
    return true
  }
}

const ignored = (): undefined => undefined

function recordedIds({ ids, path }: LoadedRecording): Ids {
  let usedIds = 0
  return {
    next() {
      const id = ids[usedIds++]
      if (id !== undefined) return id
      throw new EchelonError(
        'UNRECORDED_CALL',
        `${path} holds ${ids.length} ids, and another is requested; replay the recorded calls in the same order`,
      )
    },
  }
}
