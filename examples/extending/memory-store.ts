// A memory of your own behind an agent: what it recalls and remembers goes through your store.
import {
  type AgentDefinition,
  artifactFolder,
  startRun,
  systemClock,
  type Json,
  type MemoryStore,
  systemIds,
  ToolRegistry,
} from 'echelon/runtime'
import { memoryStoreContract } from 'echelon/testing'

/** In this process. A database does the same with a table of memory, version, value and key. */
function mapMemory(): MemoryStore {
  const kept = new Map<string, readonly { readonly key: string; readonly value: Json }[]>()
  return {
    async read(memory) {
      const writes = kept.get(memory) ?? []
      return { value: structuredClone(writes.at(-1)?.value ?? null), version: writes.length }
    },
    async write(memory, value, { key, ifVersion }) {
      const writes = kept.get(memory) ?? []
      // A run that is resumed may ask for the same write again.
      const done = writes.findIndex((write) => write.key === key)
      if (done >= 0) return done + 1
      if (ifVersion !== undefined && ifVersion !== writes.length) return 'conflict'
      kept.set(memory, [...writes, { key, value: structuredClone(value) }])
      return writes.length + 1
    },
  }
}

type State = { readonly phase: 'recall' | 'remember' | 'done'; visits: number; version: number }
const START: State = { phase: 'recall', visits: 0, version: 0 }

const greeter: AgentDefinition<string, State, number> = {
  name: 'greeter',
  version: 1,
  actors: { host: { reads: ['visits'], writes: ['visits'] } },
  start: () => ({ state: START }),
  next({ phase, visits: value, version: ifVersion }) {
    if (phase === 'done') return { type: 'finish', result: value, reason: 'greeted' }
    if (phase === 'recall') return { type: 'recall', actor: 'host', memory: 'visits' }
    return { type: 'remember', actor: 'host', memory: 'visits', value, ifVersion }
  },
  observe(state, seen) {
    if (seen.type === 'recalled') {
      const visits = Number(seen.value) + 1
      return { state: { phase: 'remember', visits, version: seen.version } }
    }
    // Another writer was faster: read again.
    const isLost = seen.type === 'failed' && seen.error.code === 'conflict'
    return { state: { ...state, phase: isLost ? 'recall' : 'done' } }
  },
  load: () => START,
}

const artifacts = artifactFolder({ folder: 'artifacts' })
const world = { models: {}, tools: new ToolRegistry([]), artifacts, timeZone: 'UTC' }
const machine = { clock: systemClock, ids: systemIds, limits: { steps: 20 } }
const services = { ...world, ...machine, memory: mapMemory() }
const runs = ['Ada', 'Bob', 'Cleo'].map((name) => startRun(greeter, name, services).result)
for (const { result } of await Promise.all(runs)) console.log('visit', result)

for (const { holds } of memoryStoreContract(mapMemory)) await holds()
