import type { Json } from '../../core/value/json.ts'
import type { CacheStore, Clock } from '../../core/agent/ports.ts'
import { utf8Bytes } from '../../core/value/utf8.ts'
import { atLeast, type Known, knownOptions, wholeFrom } from '../option-check.ts'

export interface MemoryCacheOptions {
  readonly clock: Clock
  /** Maximum number of entries. Default 1,000. */
  readonly maxEntries?: number
  /** Maximum bytes of keys and values as JSON in UTF-8. Default 32 MiB. */
  readonly maxBytes?: number
}

/**
 * Keeps answers in this process and drops the least recently used entry when it is full. An entry larger
 * than the maximum is not kept.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function memoryCache(options: MemoryCacheOptions): CacheStore {
  knownOptions('memoryCache', options, OPTIONS)
  const { clock, maxEntries = 1000, maxBytes = 32 * 1024 * 1024 } = options
  wholeFrom(1, 'memoryCache', { maxEntries })
  atLeast(1, 'memoryCache', { maxBytes })
  // A map keeps its order: the first entry is the least recently used one.
  const entries = new Map<string, Entry>()
  let bytes = 0
  const remove = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    async get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (clock.now() >= entry.until) {
        bytes -= entry.bytes
        return undefined
      }
      entries.set(key, entry)
      const value: Json = JSON.parse(entry.text)
      return value
    },
    async set(key, value, ttlMs) {
      remove(key)
      const text = JSON.stringify(value)
      const size = utf8Bytes(key) + utf8Bytes(text)
      if (size > maxBytes) return
      entries.set(key, { text, bytes: size, until: clock.now() + ttlMs })
      bytes += size
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && bytes <= maxBytes) return
        remove(oldest)
      }
    },
  }
}

const OPTIONS: Known<MemoryCacheOptions> = { clock: true, maxEntries: true, maxBytes: true }

interface Entry {
  /** As JSON, so that readers cannot change it. */
  readonly text: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly until: number
}
