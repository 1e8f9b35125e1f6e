import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, mock, test } from 'node:test'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { z } from 'zod'
import type { ArtifactStore } from '../core/tool/artifact.ts'
import { defineMiddleware } from '../core/extension/define-middleware.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Beside, Entry, FromOutside, Journal, Leaving } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { BoundModel, Provider } from '../core/model/model.ts'
import type { CacheStore, Clock, MemoryStore, SharedStates } from '../core/agent/ports.ts'
import { seededIds } from '../core/value/random.ts'
import { createRedactor, DEFAULT_REDACTION, type Redactor } from '../core/redaction/redaction.ts'
import type { Recorder, RunRecord } from '../core/observability/run-record.ts'
import type { Snapshot } from '../core/journal/snapshot.ts'
import { userMessage } from '../core/message/thread.ts'
import { defineTool, type Tool, ToolError, type ToolSpec } from '../core/tool/tool.ts'
import { systemClock } from '../platform/clock.ts'
import { systemIds } from '../platform/ids.ts'
import { artifactFolder } from '../platform/artifact-folder.ts'
import { MemoryJournal } from '../runtime/journal/memory-journal.ts'
import { artifactStoreContract } from './contract/store/artifact-store-contract.ts'
import { cacheContract } from './contract/store/cache-contract.ts'
import { clockContract } from './contract/clock-contract.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { idsContract } from './contract/ids-contract.ts'
import { journalContract } from './contract/store/journal-contract.ts'
import { memoryStoreContract } from './contract/store/memory-store-contract.ts'
import { middlewareContract } from './contract/middleware-contract.ts'
import { modelContract } from './contract/model-contract.ts'
import { modelSourceContract } from './contract/model-source-contract.ts'
import { providerContract } from './contract/provider-contract.ts'
import { recorderContract } from './contract/recorder-contract.ts'
import { redactorContract } from './contract/redactor-contract.ts'
import { asBound, scriptedModel } from './scripted-model.ts'
import { SetClock } from './set-clock.ts'
import { sharedStatesContract } from './contract/shared-states-contract.ts'
import { toolContract } from './contract/tool-contract.ts'

/** These images are not measured. */
const unmeasured = (): Promise<null> => Promise.resolve(null)

// --- journal

/** A journal as text that the next process can open, append by append like a file. */
class TextJournal implements Journal {
  lines: string[]
  broken = false
  constructor(lines: string[] = []) {
    this.lines = lines
  }
  append(runId: string, entries: readonly Entry[], { snapshot }: Beside = {}): void {
    if (this.broken) throw new Error('the disk is full')
    this.lines.push(JSON.stringify([runId, entries, snapshot]))
  }
  snapshot(runId: string): Snapshot | undefined {
    const ofRun = this.lines.flatMap((line) => {
      const [id, , snapshot]: [string, Entry[], Snapshot | null] = JSON.parse(line)
      return id === runId && snapshot ? [snapshot] : []
    })
    return ofRun.at(-1)
  }
  follow(_runId: string, _hear: (entry: FromOutside) => void): () => void {
    return () => {}
  }
  leave(_runId: string, _how: Leaving): void {}
  read(runId: string): readonly Entry[] {
    return this.lines.flatMap((line) => {
      const [id, entries]: [string, Entry[]] = JSON.parse(line)
      return id === runId ? entries : []
    })
  }
}

const journals = (open: () => TextJournal) =>
  journalContract(open, {
    reopen: (journal) => new TextJournal(journal instanceof TextJournal ? journal.lines : []),
    obstruct: (journal) => {
      if (journal instanceof TextJournal) journal.broken = true
    },
  })

const journal = (broken: (good: TextJournal) => Partial<Journal>) => () => {
  const good = new TextJournal()
  return Object.assign(new TextJournal(good.lines), broken(good))
}

holdsAndFails('a journal', journals, () => new TextJournal(), {
  'an unknown run has no entries': journal(() => ({
    read: () => {
      throw new Error('no such run')
    },
  })),
  'entries of every kind are returned unchanged': journal((good) => ({
    append: (id, entries) =>
      good.append(
        id,
        entries.filter(({ type }) => type !== 'cancel-asked'),
      ),
  })),
  'entries are returned in append order': journal((good) => ({
    read: (id) => good.read(id).toReversed(),
  })),
  'runs with any ids are distinct': journal((good) => ({
    append: (id, entries) => good.append(id.trim(), entries),
    read: (id) => good.read(id.trim()),
  })),
  'concurrent appends stay atomic, and none is lost': journal((good) => ({
    append: async (id, entries) => {
      for (const entry of entries) {
        await Promise.resolve()
        good.append(id, [entry])
      }
    },
  })),
  'an empty append changes nothing': journal((good) => ({
    append: (id, entries) => {
      if (entries.length === 0) good.lines.pop()
      else good.append(id, entries)
    },
  })),
  'changes to a written or returned list do not affect the journal': () => {
    const kept: Entry[] = []
    return Object.assign(new TextJournal(), {
      append: (_: string, entries: readonly Entry[]) => void kept.push(...entries),
      read: () => kept,
    })
  },
  'a run is left and resumed': journal(() => ({
    leave: (id) => {
      if (id === 'nobody') throw new Error('there is no such run')
    },
  })),
  'the newest snapshot is returned and changes no entry': journal((good) => ({
    append: (id, entries, beside) => {
      if (good.snapshot(id) === undefined) good.append(id, entries, beside)
      else good.append(id, entries)
    },
  })),
  'appended entries are there when it is opened again': () => {
    const memory = new MemoryJournal()
    return Object.assign(new TextJournal(), {
      append: memory.append.bind(memory),
      read: memory.read.bind(memory),
    })
  },
  'a failed append throws and writes nothing': journal((good) => ({
    append: (id, entries) => good.append(id, entries),
  })),
})

test('[C-26] tells a journal that does not copy to do so', async () => {
  const open = (): Journal => {
    const kept: Entry[] = []
    return { append: async (_, entries) => void kept.push(...entries), read: async () => kept }
  }
  const rule = journalContract(open).find(({ name }) =>
    name.startsWith('changes to a written or returned list'),
  )
  assert.ok(rule !== undefined)
  await assert.rejects(rule.holds, {
    message: /^append and read must copy: the list was changed after it was passed\n[^]*actual/,
  })
})

for (const { name, holds } of journalContract(() => new MemoryJournal())) {
  test(`[C-26] the journal in memory: ${name}`, holds)
}

test('[C-26] the contract of a journal accepts one that orders concurrent appends its own way', async () => {
  const slow = (good: TextJournal): Partial<Journal> => ({
    append: async (id, entries, beside) => {
      const [first] = entries
      const late = first?.type === 'bound' ? 30 - first.at : 0
      for (let turn = 0; turn < late; turn++) await Promise.resolve()
      good.append(id, entries, beside)
    },
    read: (id) => {
      if (good.broken) throw new Error('the disk is gone')
      return good.read(id)
    },
  })
  const open = (): TextJournal => {
    const good = new TextJournal()
    const opened = Object.assign(new TextJournal(good.lines), slow(good))
    // Breaking one handle breaks the other.
    return Object.defineProperty(opened, 'broken', {
      set(broken: boolean) {
        good.broken = broken
      },
    })
  }
  for (const { holds } of journals(open)) await holds()
})

// --- memory store

interface Kept {
  value: Json
  version: number
  keys: Map<string, number>
}

class TestMemory implements MemoryStore {
  readonly kept = new Map<string, Kept>()
  at(memory: string): Kept {
    const there = this.kept.get(memory) ?? { value: null, version: 0, keys: new Map() }
    this.kept.set(memory, there)
    return there
  }
  async read(memory: string, _query: Json): Promise<{ value: Json; version: number }> {
    const { value, version } = this.at(memory)
    return { value: structuredClone(value), version }
  }
  async write(
    memory: string,
    value: Json,
    { key, ifVersion }: { readonly key: string; readonly ifVersion?: number },
  ): Promise<number | 'conflict'> {
    const there = this.at(memory)
    const done = there.keys.get(key)
    if (done !== undefined) return done
    if (ifVersion !== undefined && ifVersion !== there.version) return 'conflict'
    there.value = structuredClone(value)
    there.keys.set(key, ++there.version)
    return there.version
  }
}

const memory = (broken: (good: TestMemory) => Partial<MemoryStore>) => (): MemoryStore => {
  const good = new TestMemory()
  return {
    read: (...asked) => good.read(...asked),
    write: (...asked) => good.write(...asked),
    ...broken(good),
  }
}

holdsAndFails<() => MemoryStore>('a memory store', memoryStoreContract, () => new TestMemory(), {
  'an unwritten memory is null with version 0': memory((good) => ({
    read: async (name, query) => {
      if (!good.kept.has(name)) throw new Error('there is no such memory')
      return good.read(name, query)
    },
  })),
  'a value of any kind is returned unchanged': memory((good) => ({
    write: (name, value, options) => good.write(name, value === '' ? null : value, options),
  })),
  'memories with any name are distinct': memory((good) => ({
    write: (name, ...more) => good.write(name.toLowerCase(), ...more),
    read: (name, query) => good.read(name.toLowerCase(), query),
  })),
  'each write raises the version': memory((good) => ({
    write: async (name, value, options) => {
      const { value: now } = await good.read(name, null)
      return now === value ? good.at(name).version : good.write(name, value, options)
    },
  })),
  'a write with a key is done once, and repeating it returns the same result': memory((good) => ({
    write: (name, value, { ifVersion }) =>
      good.write(name, value, {
        key: `${Math.random()}`,
        ...(ifVersion !== undefined && { ifVersion }),
      }),
  })),
  'a write over the version that was read succeeds': memory((good) => ({
    write: async (name, value, options) =>
      options.ifVersion === undefined ? good.write(name, value, options) : 'conflict',
  })),
  'a write over another version is a conflict and changes nothing': memory((good) => ({
    write: (name, value, { key }) => good.write(name, value, { key }),
  })),
  'repeating a write with its key is not a conflict': memory((good) => ({
    write: async (name, value, options) => {
      const { ifVersion } = options
      if (ifVersion !== undefined && ifVersion !== good.at(name).version) return 'conflict'
      return good.write(name, value, options)
    },
  })),
  'of concurrent writes over one version exactly one succeeds': memory((good) => ({
    write: async (name, value, { key, ifVersion }) => {
      const { version } = await good.read(name, null)
      await Promise.resolve()
      return ifVersion === undefined || ifVersion === version
        ? good.write(name, value, { key })
        : 'conflict'
    },
  })),
  'changes to a written or returned value do not affect the store': memory((good) => ({
    read: async (name) => good.at(name),
  })),
})

test('[C-26] the contract of a memory store accepts one with its own versions and facts', async () => {
  const open = memory((good) => ({
    read: async (name, query) => {
      const { value, version } = await good.read(name, query)
      return { value, version: version * 17, writtenBy: 'ada' }
    },
    write: async (name, value, { key, ifVersion }) => {
      const before = ifVersion === undefined ? {} : { ifVersion: ifVersion / 17 }
      const version = await good.write(name, value, { key, ...before })
      return version === 'conflict' ? version : version * 17
    },
  }))
  for (const { holds } of memoryStoreContract(open)) await holds()
})

// --- shared states, cache

const shared = (broken: (map: Map<string, Json>) => Partial<SharedStates>) => (): SharedStates => {
  const map = new Map<string, Json>()
  return {
    get: (key) => map.get(key),
    set: (key, state) => void map.set(key, state),
    ...broken(map),
  }
}

holdsAndFails<() => SharedStates>(
  'shared states',
  sharedStatesContract,
  shared(() => ({})),
  {
    'an unset state does not exist': () => {
      const states: Record<string, Json> = {}
      return { get: (key) => states[key], set: (key, state) => void (states[key] = state) }
    },
    'a state of any kind is visible at once': shared((map) => ({
      set: (key, state) => queueMicrotask(() => map.set(key, state)),
    })),
    'states with any key are distinct': shared((map) => ({
      get: (key) => map.get(key.trim()),
      set: (key, state) => void map.set(key.trim(), state),
    })),
    'an unchanged state returns the same value': shared((map) => ({
      get: (key) => structuredClone(map.get(key)),
    })),
  },
)

class TestCache implements CacheStore {
  readonly clock: Clock = new SetClock()
  readonly kept = new Map<string, { value: Json; until: number }>()
  async get(key: string): Promise<Json | undefined> {
    const found = this.kept.get(key)
    return found === undefined || found.until <= this.clock.now()
      ? undefined
      : structuredClone(found.value)
  }
  async set(key: string, value: Json, ttlMs: number, _session?: string): Promise<void> {
    this.kept.set(key, { value: structuredClone(value), until: this.clock.now() + ttlMs })
  }
}

const cache = (broken: (good: TestCache) => Partial<CacheStore>) => () => {
  const good = new TestCache()
  const store: CacheStore = {
    get: (key) => good.get(key),
    set: (...given) => good.set(...given),
    ...broken(good),
  }
  const { clock } = good
  return {
    store,
    pass: async (ms: number) => (clock instanceof SetClock ? clock.advance(ms) : undefined),
  }
}

holdsAndFails(
  'a cache',
  cacheContract,
  cache(() => ({})),
  {
    'an unknown key has no value': cache((good) => ({
      get: async (key) => (await good.get(key)) ?? null,
    })),
    'a value of any kind is returned unchanged': cache((good) => ({
      get: async (key) => (await good.get(key)) || undefined,
    })),
    'a later value replaces an earlier one': cache((good) => ({
      set: async (key, ...more) => (good.kept.has(key) ? undefined : good.set(key, ...more)),
    })),
    'keys with any text are distinct': cache((good) => ({
      get: (key) => good.get(key.slice(0, 1)),
      set: (key, ...more) => good.set(key.slice(0, 1), ...more),
    })),
    'changes to a returned value do not affect the next read': cache((good) => ({
      get: async (key) => good.kept.get(key)?.value,
    })),
    'a value expires after its lifetime and not before': cache((good) => ({
      get: async (key) => good.kept.get(key)?.value,
    })),
    'setting a value again restarts its lifetime': cache((good) => ({
      set: async (key, value, ttlMs) => {
        const until = good.kept.get(key)?.until ?? good.clock.now() + ttlMs
        good.kept.set(key, { value, until })
      },
    })),
  },
)

test('[C-26] the contract of a cache accepts one with room for few', async () => {
  const open = cache((good) => ({
    set: async (key, ...more) => {
      await good.set(key, ...more)
      const [oldest = ''] = good.kept.keys()
      if (good.kept.size > 3) good.kept.delete(oldest)
    },
  }))
  for (const { holds } of cacheContract(open)) await holds()
})

// --- clock, ids

const clock = (broken: (good: SetClock) => Partial<Clock>) => () => {
  const good = new SetClock()
  const { now, after: set } = broken(good)
  const brokenClock: Clock = {
    now: now ?? (() => good.now()),
    after: set ?? ((ms, callback) => good.after(ms, callback)),
  }
  return { clock: brokenClock, pass: (ms: number) => good.advance(ms) }
}

holdsAndFails(
  'a clock',
  clockContract,
  clock(() => ({})),
  {
    'returns milliseconds that never decrease': clock(() => ({ now: () => 5 })),
    'calls back once, not early and never synchronously': clock((good) => ({
      after: (ms, callback) => {
        if (ms > 0) return good.after(ms, callback)
        callback()
        return () => undefined
      },
    })),
    'calls back in the order of due times': clock((good) => ({
      after: (_, callback) => good.after(100, callback),
    })),
    'calls back for a time limit on time, unless it is cleared': clock((good) => ({
      after: (ms, callback, kind) =>
        kind === 'limit' ? () => undefined : good.after(ms, callback),
    })),
    'a cleared timer does not call back, and may be cleared again': clock((good) => ({
      after: (ms, callback) => {
        good.after(ms, callback)
        return () => undefined
      },
    })),
  },
)

describe('[C-26] the system clock', () => {
  const machine = () => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    return { clock: systemClock, pass: (ms: number) => mock.timers.tick(ms) }
  }
  after(() => mock.timers.reset())
  for (const { name, holds } of clockContract(machine)) test(name, holds)
})

let last = 0
holdsAndFails('ids', idsContract, () => systemIds, {
  'every id is a lower-case UUID': () => ({ next: () => `run-${last++}` }),
  'ids are unique': () => ({ next: () => '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }),
})
for (const { name, holds } of idsContract(() => seededIds(1)))
  test(`[C-26] seeded ids: ${name}`, holds)

// --- artifacts

const FOLDER = mkdtempSync(join(tmpdir(), 'artifacts-'))
after(() => rmSync(FOLDER, { recursive: true, force: true }))

const folders = new Map<ArtifactStore, string>()
const artifacts =
  (broken: (good: ArtifactStore, folder: string) => Partial<ArtifactStore> = () => ({})) =>
  () => {
    const folder = mkdtempSync(join(FOLDER, 'f-'))
    const good = artifactFolder({ folder, maxArtifactMb: 0.001 }, unmeasured)
    const store = { write: good.write.bind(good), ...broken(good, folder) }
    folders.set(store, folder)
    return store
  }
const refuses = [{ name: 'run.exe' }, { name: 'big.txt', content: new Uint8Array(5000) }]
const count = (store: ArtifactStore): number => readdirSync(folders.get(store) ?? '').length

holdsAndFails(
  'an artifact store',
  (open: () => ArtifactStore) => artifactStoreContract(open, { refuses, count }),
  artifacts(),
  {
    'a file is at the returned place, with the written content': artifacts((good) => ({
      write: async (name) => good.write(name, new TextEncoder().encode('else')),
    })),
    'the returned facts match the file': artifacts((good) => ({
      write: async (name, content) => ({ ...(await good.write(name, content)), name }),
    })),
    'the media type follows the content, whatever the name': artifacts((good) => ({
      write: async (name, content) => ({
        ...(await good.write(name, content)),
        mediaType: 'image/png',
      }),
    })),
    'nothing is written outside the folder': artifacts((good, folder) => ({
      write: async (name, content) => {
        if (!name.includes('..')) return good.write(name, content)
        const kept = await good.write('out.txt', content)
        return { ...kept, path: join(folder, '..', basename(kept.path)) }
      },
    })),
    'files with one name and different contents do not overwrite each other': artifacts(
      (good, folder) => ({
        write: async (name, content) => {
          const kept = await good.write(name, content)
          const path = join(folder, 'same.txt')
          writeFileSync(path, content)
          return { ...kept, path }
        },
      }),
    ),
    '"run.exe" is refused with a code and leaves nothing': artifacts((good) => ({
      write: async (name, content) => good.write(name.replace('.exe', '.txt'), content),
    })),
    '"big.txt" is refused with a code and leaves nothing': artifacts((_, folder) => ({
      write: async (name, content) => {
        writeFileSync(join(folder, name), content)
        throw new ToolError('FILE_TOO_LARGE', 'it is too large')
      },
    })),
  },
)

// --- models

const model =
  (broken: (good: LanguageModelV4) => Partial<LanguageModelV4> = () => ({})) =>
  (): LanguageModelV4 => {
    const good = scriptedModel([['hel', 'lo'], 'hello', 'again'].map((text) => ({ text })))
    return { ...good, ...broken(good) }
  }
const parts = (...kept: readonly string[]) =>
  model((good) => ({
    doStream: async (call) => {
      const { stream } = await good.doStream(call)
      const some = []
      for await (const part of stream) if (!kept.includes(part.type)) some.push(part)
      return { stream: ReadableStream.from(some) }
    },
  }))

holdsAndFails(
  'a model',
  (open: () => LanguageModelV4) => modelContract(open, { patienceMs: 50 }),
  model(),
  {
    'has the specification version, a provider and an id': model(() => ({ modelId: '' })),
    'an answer has content, a finish reason and usage': model((good) => ({
      doGenerate: async (call) => ({ ...(await good.doGenerate(call)), content: [] }),
    })),
    'a stream opens, fills and closes its parts and ends with one finish': parts('finish'),
    'the call options are not changed': model((good) => ({
      doGenerate: async (call) => {
        call.prompt.push({ role: 'system', content: 'be brief' })
        return good.doGenerate(call)
      },
    })),
    'a call aborted before it begins is not answered': model((good) => ({
      doGenerate: (call) => good.doGenerate({ prompt: call.prompt }),
    })),
    'an aborted stream ends': model(() => ({
      doStream: async () => ({ stream: new ReadableStream({ pull: () => new Promise(() => {}) }) }),
    })),
    'concurrent calls do not affect each other': model((good) => {
      let busy = false
      return {
        doGenerate: async (call) => {
          if (busy) throw new Error('busy')
          busy = true
          return good.doGenerate(call)
        },
      }
    }),
  },
)

test('[C-26] the contract of a model: detects a part out of place', async () => {
  for (const missing of ['text-start', 'text-end']) {
    const cases = modelContract(parts(missing), { patienceMs: 50 })
    const [one] = cases.filter(({ name }) => name.startsWith('a stream opens'))
    assert.ok(one !== undefined)
    await assert.rejects(one.holds, /out of place|must be closed/)
  }
})

const acme: Provider = {
  key: 'acme',
  summary: 'two models of Acme',
  models: ['fast', 'good'],
  normalizeError: (error) =>
    error instanceof RangeError ? { message: 'too long', type: 'context-length' } : undefined,
  async load(id, { apiKey }) {
    if (apiKey === undefined) throw new EchelonError('MISSING_KEY', 'set ACME_API_KEY')
    if (!this.models.includes(id)) throw new EchelonError('UNKNOWN_MODEL', `acme has no ${id}`)
    return asBound(scriptedModel(['hello'], { modelId: id }), `acme/${id}`)
  },
}
const settings = { apiKey: 'any' }
const provider = (broken: Partial<Provider>) => () => ({ ...acme, ...broken })
const bound = (broken: Partial<BoundModel>) =>
  provider({ load: async (...asked) => ({ ...(await acme.load(...asked)), ...broken }) })

holdsAndFails(
  'a provider',
  (open: () => Provider) =>
    providerContract(open, {
      model: 'fast',
      settings,
      unknown: 'none',
      withoutKey: {},
      errors: [new RangeError('too long')],
    }),
  () => acme,
  {
    'has a key without a slash, a one-line summary, and ids without the key': provider({
      models: ['acme/fast'],
    }),
    'a model is loaded under the key and its id': bound({ id: 'fast' }),
    'settings are not changed': provider({
      load: (id, given) => acme.load(id, Object.assign(given, { store: true })),
    }),
    'a price is an amount, or null if unknown': bound({
      price: ({ output }) => 1 / output,
    }),
    'classifying an error returns a meaning or nothing, and never throws': bound({
      normalizeError: (error) => ({
        message: String(Object(error).message.trim()),
        type: 'unknown',
      }),
    }),
    'an unknown model is refused with advice': provider({
      load: async () => asBound(scriptedModel([]), 'acme/fast'),
    }),
    'a missing key is refused with advice': provider({
      load: (id) => acme.load(id, settings),
    }),
  },
)

const source = {
  resolve: async (name: string) => {
    const [key, id = ''] = name.split('/')
    if (key !== 'acme') throw new EchelonError('UNKNOWN_MODEL', `nobody knows ${name}`)
    return acme.load(id, settings)
  },
}

holdsAndFails(
  'a source of models',
  (
    open: () => Parameters<typeof modelSourceContract>[0] extends () => infer One
      ? Awaited<One>
      : never,
  ) =>
    modelSourceContract(open, {
      model: 'acme/fast',
      unknown: 'acme/none',
      settings: { acme: settings },
    }),
  () => source,
  {
    'a name resolves to a callable model with provider and id': () => ({
      resolve: async () => asBound(scriptedModel([]), 'fast'),
    }),
    'the same name resolves to the same model': () => {
      let nth = 0
      return { resolve: async () => asBound(scriptedModel([]), `acme/${nth++}`) }
    },
    'settings are not changed': () => ({
      resolve: async (name: string, given?: object) => {
        Object.assign(given ?? {}, { other: {} })
        return source.resolve(name)
      },
    }),
    'an unknown name is refused with advice': () => ({
      resolve: async () => {
        throw new TypeError('undefined is not a function')
      },
    }),
  },
)

// --- tools

let light = 0
const lamp =
  (broken: Partial<ToolSpec<{ level: number }>> = {}) =>
  (): Tool => {
    light = 0
    const done = new Map<string, number>()
    return defineTool({
      name: 'lamp',
      description: 'sets the lamp',
      does: 'idempotent',
      input: z.object({ level: z.number() }),
      run: async ({ level }, { key, signal }) => {
        signal.throwIfAborted()
        if (level > 100) throw new ToolError('INVALID_ARGS', 'give at most 100')
        if (!done.has(key)) light += level
        done.set(key, level)
        return { level }
      },
      reconcile: async (key) =>
        done.has(key) ? { type: 'ok', value: { level: done.get(key) ?? 0 } } : 'not-done',
      ...broken,
    })
  }
const lampTrial = {
  input: { level: 5 },
  fails: [{ level: 101 }],
  world: () => light,
  patienceMs: 50,
}

holdsAndFails('a tool', (open: () => Tool) => toolContract(open, lampTrial), lamp(), {
  'describes its purpose and input to a model': lamp({ description: ' ' }),
  'its schema accepts the input and rejects invalid ones': lamp({
    input: z.looseObject({ level: z.number() }).or(z.string().transform(() => ({ level: 1 }))),
  }),
  'its result is complete as JSON': lamp({ run: () => ({ toJSON: () => assert.fail() }) }),
  'its input is not mutated': lamp({
    run: (input) => Object.assign(input, { level: 6 }),
  }),
  'an aborted call ends': lamp({ run: () => new Promise(() => {}) }),
  'fails with a code for {"level":101}': lamp({
    run: () => {
      throw new TypeError('x is undefined')
    },
  }),
  'a second call with the same key changes nothing more': lamp({
    run: ({ level }) => ({ level: (light += level) }),
  }),
  'can report whether a call was made': lamp({ reconcile: async () => 'not-done' }),
})

holdsAndFails(
  'a tool that reads',
  (open: () => Tool) =>
    toolContract(open, { ...lampTrial, fails: [] }).filter(({ name }) => name.includes('reads')),
  lamp({ does: 'reads', run: () => light }),
  { 'a tool that only reads changes nothing': lamp({ does: 'reads' }) },
)

test('[C-26] the contract of a tool detects one that ignores its signal once it has begun', async () => {
  const ignoresSignal = lamp({
    run: async (_, { signal }) => {
      signal.throwIfAborted()
      return new Promise(() => {})
    },
  })
  const one = toolContract(ignoresSignal, lampTrial).find(({ name }) => name.includes('aborted'))
  assert.ok(one !== undefined)
  await assert.rejects(one.holds, /does not listen/)
})

// --- middleware

const counted = {
  version: 2,
  schema: z.object({ count: z.number() }),
  initial: { count: 0 },
  migrate: { 1: () => ({ count: 0 }) },
}

/** Has every hook, each with minimal behavior. */
const counter =
  (broken: Partial<Middleware> = {}) =>
  (): Middleware => ({
    ...defineMiddleware({
      name: 'counter',
      state: counted,
      turn: (turn, next) => next(turn),
      prompt: (prompt, next) => next({ ...prompt, head: [...prompt.head, userMessage('hi')] }),
      permit: (request, next) => next(request),
      tool: (call, next) => next(call),
      generate: (call, next, { update }) => {
        update(({ count }) => ({ count: count + 1 }))
        return next(call)
      },
      stream: () => ({ text: (delta) => delta.toUpperCase() }),
    })(),
    ...broken,
  })

const stateful = (state: typeof counted, change: (count: number) => number) => () =>
  defineMiddleware({
    name: 'counter',
    state,
    stream: () => ({ text: (delta) => delta }),
    generate: (call, next, { update }) => {
      update(({ count }) => ({ count: change(count) }))
      return next(call)
    },
  })()

let leaked = 0
const forgetful: { count: number } = { count: 0 }

holdsAndFails(
  'middleware',
  (make: () => Middleware) => middlewareContract(make, { patienceMs: 100 }),
  counter(),
  {
    'each hook returns a valid result for its chain': counter({
      permit: async () => Object({ type: 'perhaps' }),
    }),
    'a failed call is passed as a value and results in one': counter({
      generate: async (call, next) => {
        const outcome = await next(call)
        if (outcome.type === 'failed') throw new Error(outcome.error.message)
        return outcome
      },
    }),
    'an error that ends the run is not swallowed': counter({
      tool: (call, next) => next(call).catch(() => ({ type: 'unknown', message: 'who knows' })),
    }),
    'a canceled run ends every wait': counter({
      generate: async (call, next, { clock: time }) => {
        await new Promise<void>((resolve) => time.after(1000, resolve))
        return next(call)
      },
    }),
    'its state matches its schema and size limit, however many events occur': stateful(
      { ...counted, schema: z.object({ count: z.number().max(50) }) },
      (count) => count + 1,
    ),
    'the state of one run does not affect another': stateful(counted, () => ++leaked),
    'it continues from its stored state': counter({ read: () => ({ count: forgetful.count++ }) }),
    'states of all earlier versions can be migrated': stateful(
      { ...counted, version: 3 },
      (count) => count,
    ),
    'text is transformed the same, however it is split': counter({
      stream: () => ({ text: (delta) => delta.replaceAll('sk-12ab34', '[key]') }),
    }),
  },
)

test('[C-26] the contract of middleware detects a wait that a cancel does not end', async () => {
  const ignoresSignal = counter({
    generate: async (call, next, { clock: time, signal }) => {
      const outcome = await next(call)
      if (outcome.type !== 'failed' || signal.aborted) return outcome
      await new Promise<void>((resolve) => time.after(1000, resolve))
      return next(call)
    },
  })
  const cases = middlewareContract(ignoresSignal, { patienceMs: 100 })
  const one = cases.find(({ name }) => name.includes('canceled run'))
  assert.ok(one !== undefined)
  await assert.rejects(one.holds, /ends within/)
})

// --- recorder, redactor

const recorder =
  (broken: (kept: string[]) => Partial<Recorder> = () => ({})) =>
  () => {
    const kept: string[] = []
    const good: Recorder = {
      record: (record: RunRecord) => void kept.push(`${record.type} of ${record.ts}`),
    }
    return {
      recorder: { ...good, ...broken(kept) },
      kept: () => kept.join('\n'),
      obstruct: () => void kept.push('broken'),
    }
  }

holdsAndFails('a recorder', recorderContract, recorder(), {
  'keeps a run’s records without the user’s text': recorder((kept) => ({
    record: (record) => void kept.push(JSON.stringify(record)),
  })),
  'never throws, for any records in any order': recorder((kept) => ({
    record: ({ type }) => {
      if (type === 'run-ended' && kept.length === 0) throw new Error('nothing began')
    },
  })),
  'never throws, even if writing fails': recorder((kept) => ({
    record: () => {
      if (kept.length > 0) throw new Error('the disk is full')
    },
  })),
})

const SECRET = ['sk', 'live', '51Hq8sB2vTnKfA0w9xYzC3mDeF'].join('_')
const own = createRedactor({ ...DEFAULT_REDACTION, secrets: [SECRET] })

holdsAndFails(
  'a redactor',
  (open: () => Redactor) => redactorContract(open, { hides: [SECRET] }),
  () => own,
  {
    'secrets are hidden at any depth': () => createRedactor(null),
    'harmless text is unchanged': () => (value) => {
      const redacted = own(value)
      return typeof redacted === 'number' ? Object(0) : redacted
    },
    'the given value is not mutated': () => (value) => {
      Object.assign(Object(value), { name: 'y' })
      return value
    },
    'redacting twice changes nothing more': () => (value) => {
      const again: unknown = JSON.parse(JSON.stringify(own(value)).replaceAll('after', 'after!'))
      return Object(again)
    },
  },
)
