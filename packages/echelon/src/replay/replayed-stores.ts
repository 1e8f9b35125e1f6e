import { canonicalJson } from '../core/value/canonical-json.ts'
import { isJsonObject, type Json } from '../core/value/json.ts'
import type { CacheStore, MemoryStore, SharedStates } from '../core/agent/ports.ts'
import {
  memoryRead,
  memoryWrite,
  readIn,
  type StoreCall,
  writtenIn,
} from '../core/journal/store-call.ts'
import { endAs } from '../core/tool/tool-end.ts'
import { cacheGet, cacheSet } from './recorded-stores.ts'
import type { ReplayedFrom } from './replayed-tool.ts'
import type { LoadedRecording } from './loaded-recording.ts'
import { unrecordedTool } from './unrecorded-tool.ts'

type From = Pick<ReplayedFrom, 'record' | 'timeline'>

/** A memory that answers from the recording, without a store. */
export const replayedMemory = (from: From): MemoryStore => ({
  read: async (memory, query) => readIn(await again(memoryRead(memory, query), from)),
  write: async (memory, value, options) =>
    writtenIn(await again(memoryWrite(memory, value, options), from)),
})

/** A cache that answers from the recording. */
export const replayedCache = (from: From): CacheStore => ({
  async get(key) {
    const answer = await again(cacheGet(key), from)
    return isJsonObject(answer) ? (answer['found'] ?? undefined) : undefined
  },
  async set(key) {
    await again(cacheSet(key), from)
  },
})

async function again({ tool, input, name }: StoreCall, { record, timeline }: From): Promise<Json> {
  const key = timeline.numbered(name)
  const line = record.toolCall(key)
  if (line?.tool !== tool || canonicalJson(line.input) !== canonicalJson(input)) {
    throw unrecordedTool(record, { tool, input, key })
  }
  const { end } = line
  return new Promise((resolve, reject) => {
    timeline.arrive(key, () => end && endAs(end, resolve, reject), reject)
  })
}

/** Recorded states; the run's own writes stay within it. */
export function replayedStates(record: LoadedRecording, store: string): SharedStates {
  const states = new Map<string, Json | undefined>()
  const reads = new Map<string, number>()
  return {
    get(key) {
      const read = (reads.get(key) ?? 0) + 1
      reads.set(key, read)
      const line = record.stateRead(store, key, read)
      if (line !== undefined) states.set(key, line.state)
      return states.get(key)
    },
    set: (key, state) => void states.set(key, state),
  }
}
