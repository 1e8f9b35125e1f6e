import { digestText } from '../core/value/digest.ts'
import type { Json } from '../core/value/json.ts'
import type { CacheStore, MemoryStore, SharedStates } from '../core/agent/ports.ts'
import { memoryRead, memoryWrite, type StoreCall } from '../core/journal/store-call.ts'
import { endOf, type ToolEnd } from '../core/tool/tool-end.ts'
import type { RunLine } from './line.ts'
import type { RecordingTimeline } from './recording-timeline.ts'

export const cacheGet = (key: string): StoreCall => ({
  tool: 'cache.get',
  input: { digest: digestOf(key) },
  name: `cache.get ${digestOf(key)}`,
})

/** The cached value is a model's answer, which is recorded already. */
export const cacheSet = (key: string): StoreCall => ({
  tool: 'cache.set',
  input: { digest: digestOf(key) },
  name: `cache.set ${digestOf(key)}`,
})

/** Keys can be whole prompts. */
const digestOf = (key: string): string => digestText(key).toString(36)

/** The same memory, with requests and results recorded. */
export const recordedMemory = (inner: MemoryStore, timeline: RecordingTimeline): MemoryStore => ({
  read: (memory, query) =>
    recorded(memoryRead(memory, query), () => inner.read(memory, query), timeline),
  write: (memory, value, options) =>
    recorded(
      memoryWrite(memory, value, options),
      () => inner.write(memory, value, options),
      timeline,
    ),
})

/** The same cache, with requests and results recorded. */
export const recordedCache = (inner: CacheStore, timeline: RecordingTimeline): CacheStore => ({
  async get(key) {
    const get = async (): Promise<{ readonly found: Json }> => ({
      found: (await inner.get(key)) ?? null,
    })
    return (await recorded(cacheGet(key), get, timeline)).found ?? undefined
  },
  async set(key, value, ttlMs, session) {
    const set = async (): Promise<null> => {
      await inner.set(key, value, ttlMs, session)
      return null
    }
    await recorded(cacheSet(key), set, timeline)
  },
})

function recorded<Value extends Json>(
  { tool, input, name }: StoreCall,
  work: () => Promise<Value>,
  timeline: RecordingTimeline,
): Promise<Value> {
  const key = timeline.numbered(name)
  timeline.write({ kind: 'tool', key, tool, input })
  return new Promise((resolve, reject) => {
    const over = (end: ToolEnd, settle: () => void): void =>
      timeline.occur((at) => ({ kind: 'tool-end', key, end, at }), settle)
    // Turns a synchronous throw of a store into a rejection.
    new Promise<Value>((begun) => begun(work())).then(
      (value) => over({ type: 'ok', value }, () => resolve(value)),
      (error: unknown) => over(endOf(error), () => reject(error)),
    )
  })
}

/**
 * The same states. A read is recorded if its result differs from what this run last wrote or read,
 * because other runs share the states.
 * @param store the name of the store in the recording
 */
export function recordedStates(
  inner: SharedStates,
  store: string,
  write: (line: RunLine) => void,
): SharedStates {
  const known = new Map<string, string | undefined>()
  const reads = new Map<string, number>()
  return {
    get(key) {
      const state = inner.get(key)
      const read = (reads.get(key) ?? 0) + 1
      reads.set(key, read)
      const text = JSON.stringify(state)
      if (text !== known.get(key)) {
        known.set(key, text)
        write({ kind: 'state', store, key, read, ...(state !== undefined && { state }) })
      }
      return state
    },
    set(key, state) {
      known.set(key, JSON.stringify(state))
      inner.set(key, state)
    },
  }
}
