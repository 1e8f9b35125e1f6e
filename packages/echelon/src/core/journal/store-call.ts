import { canonicalJson } from '../value/canonical-json.ts'
import { isJsonObject, type Json } from '../value/json.ts'

/** A store call. A recording lists it like a tool call, under a name that no tool can have. */
export interface StoreCall {
  readonly tool: 'memory.read' | 'memory.write' | 'cache.get' | 'cache.set'
  readonly input: Json
  /** Prefix of its key. */
  readonly name: string
}

/** Whether a recorded call is a store call rather than a tool call. */
export const isStoreCall = (tool: string): boolean =>
  ['memory.read', 'memory.write', 'cache.get', 'cache.set'].includes(tool)

export const memoryRead = (memory: string, query: Json): StoreCall => ({
  tool: 'memory.read',
  input: { memory, query },
  name: `memory.read ${memory} ${canonicalJson(query)}`,
})

/** The key names run, path and step, like that of a tool call. */
export const memoryWrite = (
  memory: string,
  value: Json,
  { key, ifVersion }: { readonly key: string; readonly ifVersion?: number },
): StoreCall => ({
  tool: 'memory.write',
  input: { memory, value, ifVersion: ifVersion ?? null },
  name: `${key} memory.write ${memory}`,
})

/** The recorded form of a memory read. */
export function readIn(answer: Json): { readonly value: Json; readonly version: number } {
  const { value = null, version = 0 } = isJsonObject(answer) ? answer : {}
  return { value, version: typeof version === 'number' ? version : 0 }
}

/** The recorded form of a write's result. */
export const writtenIn = (answer: Json): number | 'conflict' =>
  typeof answer === 'number' ? answer : 'conflict'
