import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { MemoryStore } from '../../src/core/ports.ts'
import { openStore as openFile, type SqliteStore } from '../../src/stores.ts'

export interface CrashStore {
  readonly runs: SqliteStore['runs']
  readonly memories: MemoryStore
  close(): Promise<void>
}

const Memories = z.record(
  z.string(),
  z.object({ value: z.json(), version: z.number(), keys: z.record(z.string(), z.number()) }),
)

export async function openStore(path: string): Promise<CrashStore> {
  const store = await openFile(path)
  const file = `${path}.memories`
  const all = (): z.infer<typeof Memories> =>
    existsSync(file) ? Memories.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
  return {
    runs: store.runs,
    memories: {
      read: async (name) => all()[name] ?? { value: null, version: 0 },
      async write(name, value, { key }) {
        const now = all()
        const one = (now[name] ??= { value: null, version: 0, keys: {} })
        const known = one.keys[key]
        if (known !== undefined) return known
        now[name] = {
          value: JSON.parse(JSON.stringify(value)),
          version: one.version + 1,
          keys: { ...one.keys, [key]: one.version + 1 },
        }
        writeFileSync(file, JSON.stringify(now))
        return one.version + 1
      },
    },
    close: () => store.close(),
  }
}
