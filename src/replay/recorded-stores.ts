import { canonicalJson } from '../core/canonical-json.ts'
import { digestText } from '../core/digest.ts'
import type { Json } from '../core/json.ts'
import type { CacheStore, MemoryStore, SharedStates } from '../core/ports.ts'
import type { RunLine, ToolEnd } from './line.ts'
import { endOf } from './recorded-tool.ts'
import type { RecordingTimeline } from './recording-timeline.ts'

/** A call of a store. It stands in a recording as that of a tool, under a name that no tool can have. */
export interface StoreCall {
  readonly tool: 'memory.read' | 'memory.write' | 'cache.get' | 'cache.set'
  readonly input: Json
  /** What its key begins with. */
  readonly name: string
}

/** Whether a call on record is one of a store, and none of a tool. */
export const isStoreCall = (tool: string): boolean =>
  ['memory.read', 'memory.write', 'cache.get', 'cache.set'].includes(tool)

export const memoryRead = (memory: string, query: Json): StoreCall => ({
  tool: 'memory.read',
  input: { memory, query },
  name: `memory.read ${memory} ${canonicalJson(query)}`,
})

/** The key names run, path and step, as that of a tool call. */
export const memoryWrite = (
  memory: string,
  value: Json,
  { key, ifVersion }: { readonly key: string; readonly ifVersion?: number },
): StoreCall => ({
  tool: 'memory.write',
  input: { memory, value, ifVersion: ifVersion ?? null },
  name: `${key} memory.write ${memory}`,
})

export const cacheGet = (key: string): StoreCall => ({
  tool: 'cache.get',
  input: { digest: digestOf(key) },
  name: `cache.get ${digestOf(key)}`,
})

/** What is kept is the answer of a model, which is on record. */
export const cacheSet = (key: string): StoreCall => ({
  tool: 'cache.set',
  input: { digest: digestOf(key) },
  name: `cache.set ${digestOf(key)}`,
})

/** Keys can be whole prompts. */
const digestOf = (key: string): string => digestText(key).toString(36)

/** The same memory, with what it was asked and what came of it on record. */
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

/** The same cache, recorded likewise. */
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
    // A store that throws at once, as none should, fails as any other.
    new Promise<Value>((begun) => begun(work())).then(
      (value) => over({ type: 'ok', value }, () => resolve(value)),
      (error: unknown) => over(endOf(error), () => reject(error)),
    )
  })
}

/**
 * The same states. What was read is on record wherever it is not what was written or read before:
 * others share them.
 * @param store what they are called in the recording
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
