import type { Artifact, ArtifactStore } from '../core/tool/artifact.ts'
import { isJson, type Json, type JsonObject } from '../core/value/json.ts'
import type { Tool, ToolContext } from '../core/tool/tool.ts'
import { endOf, runChecked, type ToolEnd, uncheckedBy } from '../core/tool/tool-end.ts'
import type { ToolAct } from './line.ts'
import type { RecordingTimeline } from './recording-timeline.ts'

/** A larger file is recorded only by its hash. */
const MOST_KEPT_BYTES = 1024 * 1024

/** The same tool with every call recorded: its input, its acts and its result. */
export function recordedTool(tool: Tool, timeline: RecordingTimeline): Tool {
  return {
    ...tool,
    ...uncheckedBy(tool),
    async run(given, context) {
      const key = timeline.numbered(context.key)
      const input = isJson(given) ? given : null
      const recorded = new RecordedContext(context, key, timeline)
      timeline.write({ kind: 'tool', key, tool: tool.name, input })
      const running = runChecked(tool, input, recorded)
      return new Promise((resolve, reject) => {
        const over = (end: ToolEnd, settle: () => void): void =>
          timeline.occur((at) => ({ kind: 'tool-end', key, end, at }), settle)
        running.then(
          (value) => over({ type: 'ok', value }, () => resolve(value)),
          (error: unknown) => over(endOf(error), () => reject(error)),
        )
      })
    },
  }
}

/** The context passed to a recorded tool; records what the tool does with it. */
class RecordedContext implements ToolContext {
  readonly #inner: ToolContext
  readonly #key: string
  readonly #timeline: RecordingTimeline
  #acts = 0

  constructor(inner: ToolContext, key: string, timeline: RecordingTimeline) {
    this.#inner = inner
    this.#key = key
    this.#timeline = timeline
  }

  get key(): string {
    return this.#inner.key
  }
  get signal(): AbortSignal {
    return this.#inner.signal
  }
  get at(): number {
    // The run's own clock stands still until the tool ends.
    return this.#timeline.real()
  }
  get timeZone(): string {
    return this.#inner.timeZone
  }
  get traceparent(): string | undefined {
    return this.#inner.traceparent
  }
  get worksFor(): ToolContext['worksFor'] {
    return this.#inner.worksFor
  }
  get artifacts(): ArtifactStore {
    const { artifacts } = this.#inner
    return {
      write: async (name, content) => {
        const artifact = await artifacts.write(name, content)
        this.#do({ act: 'write', name, artifact, content: kept(artifact, content) }, nothing)
        return artifact
      },
    }
  }
  get progress(): ToolContext['progress'] {
    return (data) => this.#do({ act: 'progress', data }, () => this.#inner.progress(data))
  }
  get ask(): ToolContext['ask'] {
    const { ask } = this.#inner
    return ask && ((question, schema) => this.#ask(ask, question, schema))
  }

  #ask(
    ask: NonNullable<ToolContext['ask']>,
    question: string,
    schema: JsonObject | undefined,
  ): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.#do({ act: 'ask', question, schema: schema ?? null }, () => {
        ask(question, schema).then(resolve, reject)
      })
    })
  }

  /** Delivers an act like an arrival: in its turn, after the earlier acts. */
  #do(does: ToolAct, perform: () => void): void {
    const call = this.#key
    const key = `${call}.${++this.#acts}`
    this.#timeline.occur((at) => ({ kind: 'tool-act', key, call, does, at }), perform)
  }
}

const nothing = (): undefined => undefined

const kept = ({ bytes }: Artifact, content: Uint8Array): string | null =>
  bytes > MOST_KEPT_BYTES ? null : Buffer.from(content).toString('base64')
