import { canonicalJson } from '../value/canonical-json.ts'
import type { Json } from '../value/json.ts'
import type { MemoryStore } from '../agent/ports.ts'
import { memoryRead, memoryWrite, readIn, writtenIn } from './store-call.ts'
import type { CallOnRecord } from '../tool/tool-end.ts'

export interface ForkedFrom {
  /** Recorded calls from before the fork. */
  readonly before: readonly CallOnRecord[]
  /** Recorded calls from after it. */
  readonly later: readonly CallOnRecord[]
  /** Names of memories that may be written again. */
  readonly memories: ReadonlySet<string>
}

/**
 * A memory in a fork. Recorded reads return their answers in order, and then the last one again; other
 * reads are live. Recorded writes return their answers, each once; other writes fail, unless the memory
 * may be written, in which case everything is live from then on.
 */
export class ForkedMemory implements MemoryStore {
  readonly #inner: MemoryStore
  readonly #from: ForkedFrom
  readonly #given = new Set<CallOnRecord>()
  readonly #last = new Map<string, Json>()
  readonly #live = new Set<string>()

  constructor(inner: MemoryStore, from: ForkedFrom) {
    this.#inner = inner
    this.#from = from
  }

  async read(memory: string, query: Json): ReturnType<MemoryStore['read']> {
    if (this.#live.has(memory)) return this.#inner.read(memory, query)
    const { tool, input, name } = memoryRead(memory, query)
    const value = this.#take(tool, input) ?? this.#last.get(name) ?? this.#earlier(tool, input)
    if (value === undefined) return this.#inner.read(memory, query)
    this.#last.set(name, value)
    return readIn(value)
  }

  async write(
    memory: string,
    value: Json,
    options: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'> {
    if (!this.#live.has(memory)) {
      const { tool, input } = memoryWrite(memory, value, options)
      const answer = this.#take(tool, input)
      if (answer !== undefined) return writtenIn(answer)
      if (!this.#from.memories.has(memory)) throw new Error(notWritten(memory))
      this.#live.add(memory)
    }
    return this.#inner.write(memory, value, options)
  }

  /** The next recorded answer to the same call, if any. */
  #take(tool: string, input: Json): Json | undefined {
    const line = this.#from.later.find((one) => !this.#given.has(one) && isSame(one, tool, input))
    if (line !== undefined) this.#given.add(line)
    return valueOf(line)
  }

  #earlier(tool: string, input: Json): Json | undefined {
    return valueOf(this.#from.before.findLast((line) => isSame(line, tool, input)))
  }
}

const isSame = (line: CallOnRecord, tool: string, input: Json): boolean =>
  line.tool === tool &&
  line.end?.type === 'ok' &&
  canonicalJson(line.input) === canonicalJson(input)

const valueOf = (line: CallOnRecord | undefined): Json | undefined =>
  line?.end?.type === 'ok' ? line.end.value : undefined

const notWritten = (memory: string): string =>
  `the memory ${memory} is not written in a fork, and this write is not on record; name it in memories to allow it`
