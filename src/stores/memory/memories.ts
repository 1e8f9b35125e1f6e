import type { Json } from '../../core/json.ts'
import type { MemoryStore } from '../../core/ports.ts'

interface Memory {
  /** As JSON, so that nobody who reads it changes it. */
  readonly text: string
  readonly version: number
}

/** Named memories as long as the process lives. A query is not looked at: all is read. */
export class MemoryMemories implements MemoryStore {
  readonly #memories = new Map<string, Memory>()
  readonly #answers = new Map<string, number | 'conflict'>()

  async read(memory: string): Promise<{ readonly value: Json; readonly version: number }> {
    const { text, version } = this.#memories.get(memory) ?? NEVER_WRITTEN
    const value: Json = JSON.parse(text)
    return { value, version }
  }

  async write(
    memory: string,
    value: Json,
    { key, ifVersion }: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'> {
    const done = this.#answers.get(key)
    if (done !== undefined) return done
    const { version: before } = this.#memories.get(memory) ?? NEVER_WRITTEN
    const isConflict = ifVersion !== undefined && ifVersion !== before
    const version = before + 1
    if (!isConflict) this.#memories.set(memory, { text: JSON.stringify(value), version })
    const answer = isConflict ? 'conflict' : version
    this.#answers.set(key, answer)
    return answer
  }

  /** Forgets what these runs were answered with: they are not resumed any more. */
  drop(runs: readonly string[]): void {
    for (const key of this.#answers.keys()) {
      if (runs.some((run) => key.startsWith(`${run}:`))) this.#answers.delete(key)
    }
  }
}

const NEVER_WRITTEN: Memory = { text: 'null', version: 0 }
