import type { Json, MemoryStore } from 'echelon/runtime'

interface Memory {
  /** JSON text, so that readers cannot change the stored value. */
  readonly text: string
  readonly version: number
}

/** Named memories within this process, for an assistant without a store. Ignores queries. */
export class ProcessMemory implements MemoryStore {
  readonly #memories = new Map<string, Memory>()
  /** By write key. */
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
}

const NEVER_WRITTEN: Memory = { text: 'null', version: 0 }
