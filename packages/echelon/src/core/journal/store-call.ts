import { canonicalJson } from '../value/canonical-json.ts'
import { isJsonObject, type Json } from '../value/json.ts'

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

/** What was read of a memory, as it is on record. */
export function readIn(answer: Json): { readonly value: Json; readonly version: number } {
  const { value = null, version = 0 } = isJsonObject(answer) ? answer : {}
  return { value, version: typeof version === 'number' ? version : 0 }
}

/** What a write came to, as it is on record. */
export const writtenIn = (answer: Json): number | 'conflict' =>
  typeof answer === 'number' ? answer : 'conflict'
