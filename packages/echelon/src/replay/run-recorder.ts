import type { ModelWrapper } from '../core/agent/agent-services.ts'
import type { Journal } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { CacheStore, Clock, Ids, MemoryStore, SharedStates } from '../core/agent/ports.ts'
import type { ChildSurroundings, Tool } from '../core/tool/tool.ts'
import { type ChildWorld, delegatingTool } from '../core/tool/delegating-tool.ts'
import type { Done, RunLine } from './line.ts'
import { headerOf } from '../platform/recording/header.ts'
import type { HiddenKeys } from '../platform/recording/hidden-keys.ts'
import { recordedCache, recordedMemory, recordedStates } from './recorded-stores.ts'
import { recordedTool } from './recorded-tool.ts'
import { RecordingTimeline } from './recording-timeline.ts'
import { timedJournal } from './timed-journal.ts'
import { givenModel, timedModel } from './timed-model.ts'
import { type SteeredRun, watchedRun } from './watched-run.ts'

/** A destination for the lines of a recording. */
export interface RecordingSink {
  /** Must not throw: a failed recording must not end the run. */
  append(lines: readonly string[]): void
  /** @returns a sentence about what could not be kept, if anything */
  close(): string | undefined
}

export interface RecorderParts {
  readonly sink: RecordingSink
  readonly about: Json
  readonly clock: Clock
  readonly ids: Ids
  /** Keys that must not appear in the recording. */
  readonly keys: HiddenKeys
  /** Returns the model with its calls recorded. */
  readonly tape: (bound: BoundModel) => BoundModel
}

/** The maximum length of a recording in characters; the rest is dropped. */
const MOST_CHARACTERS = 256 * 1024 * 1024

/** Wraps everything that a run uses and records its results. */
export class RunRecorder implements ChildWorld {
  readonly clock: Clock
  readonly ids: Ids
  readonly timeline: RecordingTimeline
  readonly #sink: RecordingSink
  readonly #tape: RecorderParts['tape']
  readonly within: readonly ModelWrapper[]
  readonly #keys: HiddenKeys
  readonly #wrapped = new WeakSet<object>()
  readonly #replies = new Set<string>()
  readonly #canceled = new Set<string>()
  readonly #ended = new Set<string>()
  #problem: string | undefined
  #written = 0
  #isOver = false

  constructor({ sink, about, clock, ids, keys, tape }: RecorderParts) {
    this.#sink = sink
    this.#keys = keys
    this.#tape = tape
    this.within = [
      (model) => (this.#wrapped.has(model) ? model : this.model(givenModel(model)).model),
    ]
    const timeline = new RecordingTimeline(clock, (line) => this.write(line))
    this.timeline = timeline
    this.clock = {
      now: () => timeline.now(),
      after: (ms, callback) => timeline.after(ms, callback),
    }
    this.ids = { next: () => this.#next(ids) }
    this.write(headerOf('runs', about))
  }

  write(line: RunLine | object): void {
    if (this.#isOver) return
    const text = this.#keys.hideInJson(JSON.stringify(line))
    this.#written += text.length
    if (this.#written > MOST_CHARACTERS) {
      this.#problem ??= 'the recording is full, and holds only the beginning; record a shorter run'
      return
    }
    this.#sink.append([text])
  }

  /** Records a value that a program keeps for its own replay. */
  note(note: Json): void {
    this.write({ kind: 'note', note })
  }

  tool(tool: Tool): Tool {
    return this.#once(tool, () =>
      tool.delegates ? delegatingTool(tool, this) : recordedTool(tool, this.timeline),
    )
  }

  memory(inner: MemoryStore): MemoryStore {
    return this.#once(inner, () => recordedMemory(inner, this.timeline))
  }

  cache(inner: CacheStore): CacheStore {
    return this.#once(inner, () => recordedCache(inner, this.timeline))
  }

  /** @param store the name of the store in the recording */
  shared(inner: SharedStates, store: string): SharedStates {
    return recordedStates(inner, store, (line) => this.write(line))
  }

  model(bound: BoundModel): BoundModel {
    if (this.#wrapped.has(bound.model)) return bound
    return this.timed(this.#tape(bound))
  }

  /** A model whose calls are already taped. */
  timed(bound: BoundModel): BoundModel {
    const timed = timedModel(bound, this.timeline)
    this.#wrapped.add(timed.model)
    return timed
  }

  models(
    own: NonNullable<ChildSurroundings['models']>,
    key: string,
  ): NonNullable<ChildSurroundings['models']> {
    return async (recorded) => {
      const loading = typeof own === 'function' ? own(recorded) : Promise.resolve(own)
      const loaded = await this.timeline.settle(key, loading)
      const wrapped = Object.entries(loaded).map(
        ([role, bound]) => [role, this.model(bound)] as const,
      )
      const models = Object.fromEntries(wrapped.map(([role, { id }]) => [role, id]))
      this.write({ kind: 'child', key, models })
      return Object.fromEntries(wrapped)
    }
  }

  journal(inner: Journal | undefined): Journal {
    return timedJournal(inner, this.timeline, (run, entries) => {
      this.write({ kind: 'entries', run, entries })
      const unseen = entries.find(
        (entry) => entry.type === 'replied' && !this.#replies.has(entry.request),
      )
      const end = entries.find((entry) => entry.type === 'ended' && entry.path === '')
      if (end !== undefined) this.#ended.add(run)
      if (end?.type === 'ended' && end.status === 'canceled' && !this.#canceled.has(run)) {
        this.#problem ??= `the run ${run} was canceled without recording it; pass the run to watch, and cancel the returned run`
      }
      if (unseen !== undefined) {
        this.#problem ??= `the run ${run} got a reply that was not recorded; pass the run to watch, and reply to the returned run`
      }
    })
  }

  /**
   * The same run. Actions on the returned run are recorded. A cancel or a message is delivered
   * after all earlier arrivals have been processed, as in a replay.
   */
  watch<Watched extends SteeredRun>(run: Watched): Watched {
    const { timeline } = this
    const line =
      (done: Done) =>
      (at: number): RunLine => ({ kind: 'act', run: run.id, at, ...done })
    return watchedRun(run, {
      respond: (request, reply) => {
        if (run.requests.includes(request)) {
          this.#replies.add(request)
          timeline.act(line({ act: 'respond', request, reply }))
        }
        run.respond(request, reply)
      },
      hear: (text) => {
        // An ended run rejects the message, so its caller gets the error.
        if (this.#ended.has(run.id)) run.hear(text)
        timeline.occur(line({ act: 'hear', text }), () => {
          if (!this.#ended.has(run.id)) run.hear(text)
        })
      },
      cancel: () => {
        this.#canceled.add(run.id)
        timeline.occur(line({ act: 'cancel' }), () => run.cancel())
      },
    })
  }

  /** Ends the recording. Returns a sentence about what could not be recorded, if anything. */
  close(): string | undefined {
    if (this.#isOver) return this.#problem
    this.write({ kind: 'end', problem: this.#problem ?? null })
    this.#isOver = true
    const unkept = this.#sink.close()
    return (this.#problem ??= unkept)
  }

  #once<Part extends object>(part: Part, wrap: () => Part): Part {
    if (this.#wrapped.has(part)) return part
    const wrapped = wrap()
    this.#wrapped.add(wrapped)
    return wrapped
  }

  #next(ids: Ids): string {
    const id = ids.next()
    this.write({ kind: 'id', id })
    return id
  }
}
