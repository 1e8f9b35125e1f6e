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
import type { Layer } from '../core/extension/middleware.ts'
import type { BoundModel, Provider } from '../core/model/model.ts'
import type { CacheStore, Clock, MemoryStore, SharedStates } from '../core/agent/ports.ts'
import { seededIds } from '../core/value/random.ts'
import { createRedactor, DEFAULT_REDACTION, type Redactor } from '../core/redaction/redaction.ts'
import type { Recorder, RunRecord } from '../core/observability/run-record.ts'
import type { Snapshot } from '../core/journal/snapshot.ts'
import { userMessage } from '../core/message/thread.ts'
import { defineTool, type Tool, ToolError, type ToolSpec } from '../core/tool/tool.ts'
import { systemClock } from '../host/clock.ts'
import { systemIds } from '../host/ids.ts'
import { artifactFolder } from '../host/artifact-folder.ts'
import { MemoryJournal } from '../runtime/record/memory-journal.ts'
import { artifactStoreContract } from './contract/artifact-store-contract.ts'
import { cacheContract } from './contract/cache-contract.ts'
import { clockContract } from './contract/clock-contract.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { idsContract } from './contract/ids-contract.ts'
import { journalContract } from './contract/journal-contract.ts'
import { memoryStoreContract } from './contract/memory-store-contract.ts'
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

/** None of these images is looked at. */
const unmeasured = (): Promise<null> => Promise.resolve(null)

// --- journal

/** A journal as text, that the next process can open: append by append, as a file would be. */
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
  'a run that was never written has no entries': journal(() => ({
    read: () => {
      throw new Error('no such run')
    },
  })),
  'every kind of entry comes back as it was': journal((good) => ({
    append: (id, entries) =>
      good.append(
        id,
        entries.filter(({ type }) => type !== 'cancel-asked'),
      ),
  })),
  'entries come back in the order of their appends': journal((good) => ({
    read: (id) => good.read(id).toReversed(),
  })),
  'runs are kept apart, whatever their ids': journal((good) => ({
    append: (id, entries) => good.append(id.trim(), entries),
    read: (id) => good.read(id.trim()),
  })),
  'appends at once stay whole, and none is lost': journal((good) => ({
    append: async (id, entries) => {
      for (const entry of entries) {
        await Promise.resolve()
        good.append(id, [entry])
      }
    },
  })),
  'an append of nothing changes nothing': journal((good) => ({
    append: (id, entries) => {
      if (entries.length === 0) good.lines.pop()
      else good.append(id, entries)
    },
  })),
  'a list that is read or was written belongs to whoever has it': () => {
    const kept: Entry[] = []
    return Object.assign(new TextJournal(), {
      append: (_: string, entries: readonly Entry[]) => void kept.push(...entries),
      read: () => kept,
    })
  },
  'a run is left and taken up again': journal(() => ({
    leave: (id) => {
      if (id === 'nobody') throw new Error('there is no such run')
    },
  })),
  'the newest snapshot comes back, and changes no entry': journal((good) => ({
    append: (id, entries, beside) => {
      if (good.snapshot(id) === undefined) good.append(id, entries, beside)
      else good.append(id, entries)
    },
  })),
  'what was appended is there for whoever opens it next': () => {
    const memory = new MemoryJournal()
    return Object.assign(new TextJournal(), {
      append: memory.append.bind(memory),
      read: memory.read.bind(memory),
    })
  },
  'an append that fails throws, and none of it is there': journal((good) => ({
    append: (id, entries) => good.append(id, entries),
  })),
})

test('[C-26] a journal that does not copy is told to', async () => {
  const open = (): Journal => {
    const kept: Entry[] = []
    return { append: async (_, entries) => void kept.push(...entries), read: async () => kept }
  }
  const rule = journalContract(open).find(({ name }) => name.startsWith('a list that is read'))
  assert.ok(rule !== undefined)
  await assert.rejects(rule.holds, {
    message: /^append and read must copy: the list was changed after it was given\n[^]*actual/,
  })
})

for (const { name, holds } of journalContract(() => new MemoryJournal())) {
  test(`[C-26] the journal in memory: ${name}`, holds)
}

test('[C-26] the contract of a journal takes one that orders what comes at once as it likes', async () => {
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
    // What obstructs the one obstructs the other.
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
  'a memory that was never written is null, and of version 0': memory((good) => ({
    read: async (name, query) => {
      if (!good.kept.has(name)) throw new Error('there is no such memory')
      return good.read(name, query)
    },
  })),
  'a value comes back as it was, whatever its kind': memory((good) => ({
    write: (name, value, options) => good.write(name, value === '' ? null : value, options),
  })),
  'memories of any name are told apart': memory((good) => ({
    write: (name, ...more) => good.write(name.toLowerCase(), ...more),
    read: (name, query) => good.read(name.toLowerCase(), query),
  })),
  'each write has a higher version than the one before': memory((good) => ({
    write: async (name, value, options) => {
      const { value: now } = await good.read(name, null)
      return now === value ? good.at(name).version : good.write(name, value, options)
    },
  })),
  'a write under a key is done once, and says the same again': memory((good) => ({
    write: (name, value, { ifVersion }) =>
      good.write(name, value, {
        key: `${Math.random()}`,
        ...(ifVersion !== undefined && { ifVersion }),
      }),
  })),
  'a write over the version that was read takes place': memory((good) => ({
    write: async (name, value, options) =>
      options.ifVersion === undefined ? good.write(name, value, options) : 'conflict',
  })),
  'a write over another version is a conflict, and changes nothing': memory((good) => ({
    write: (name, value, { key }) => good.write(name, value, { key }),
  })),
  'a write that is repeated under its key is no conflict with itself': memory((good) => ({
    write: async (name, value, options) => {
      const { ifVersion } = options
      if (ifVersion !== undefined && ifVersion !== good.at(name).version) return 'conflict'
      return good.write(name, value, options)
    },
  })),
  'of writes at once over the same version one takes place': memory((good) => ({
    write: async (name, value, { key, ifVersion }) => {
      const { version } = await good.read(name, null)
      await Promise.resolve()
      return ifVersion === undefined || ifVersion === version
        ? good.write(name, value, { key })
        : 'conflict'
    },
  })),
  'what a reader or a writer does to a value is not seen by the next': memory((good) => ({
    read: async (name) => good.at(name),
  })),
})

test('[C-26] the contract of a memory store takes one with versions and facts of its own', async () => {
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
    'a state that was never set is not there': () => {
      const states: Record<string, Json> = {}
      return { get: (key) => states[key], set: (key, state) => void (states[key] = state) }
    },
    'what was set is there at once, whatever its kind': shared((map) => ({
      set: (key, state) => queueMicrotask(() => map.set(key, state)),
    })),
    'states of any key are told apart': shared((map) => ({
      get: (key) => map.get(key.trim()),
      set: (key, state) => void map.set(key.trim(), state),
    })),
    'a state that nobody set again is the same value': shared((map) => ({
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
    'a key that was never set has nothing': cache((good) => ({
      get: async (key) => (await good.get(key)) ?? null,
    })),
    'a value comes back as it was, whatever its kind': cache((good) => ({
      get: async (key) => (await good.get(key)) || undefined,
    })),
    'a later value takes the place of an earlier one': cache((good) => ({
      set: async (key, ...more) => (good.kept.has(key) ? undefined : good.set(key, ...more)),
    })),
    'keys of any text are told apart': cache((good) => ({
      get: (key) => good.get(key.slice(0, 1)),
      set: (key, ...more) => good.set(key.slice(0, 1), ...more),
    })),
    'what a reader does to a value is not seen by the next': cache((good) => ({
      get: async (key) => good.kept.get(key)?.value,
    })),
    'a value lasts for its time and no longer': cache((good) => ({
      get: async (key) => good.kept.get(key)?.value,
    })),
    'a value that is set again has its time anew': cache((good) => ({
      set: async (key, value, ttlMs) => {
        const until = good.kept.get(key)?.until ?? good.clock.now() + ttlMs
        good.kept.set(key, { value, until })
      },
    })),
  },
)

test('[C-26] the contract of a cache takes one that has room for few', async () => {
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
  const made: Clock = {
    now: now ?? (() => good.now()),
    after: set ?? ((ms, callback) => good.after(ms, callback)),
  }
  return { clock: made, pass: (ms: number) => good.advance(ms) }
}

holdsAndFails(
  'a clock',
  clockContract,
  clock(() => ({})),
  {
    'it tells milliseconds, which never go back': clock(() => ({ now: () => 5 })),
    'it calls back once, not before the time and never at once': clock((good) => ({
      after: (ms, callback) => {
        if (ms > 0) return good.after(ms, callback)
        callback()
        return () => undefined
      },
    })),
    'it calls back in the order in which things fall due': clock((good) => ({
      after: (_, callback) => good.after(100, callback),
    })),
    'it calls back for a time limit in time, unless that is forgotten': clock((good) => ({
      after: (ms, callback, kind) =>
        kind === 'limit' ? () => undefined : good.after(ms, callback),
    })),
    'what is forgotten is not called, and may be forgotten again': clock((good) => ({
      after: (ms, callback) => {
        good.after(ms, callback)
        return () => undefined
      },
    })),
  },
)

describe('[C-26] the clock of the machine', () => {
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
  'each is a UUID in lower case': () => ({ next: () => `run-${last++}` }),
  'none comes twice': () => ({ next: () => '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }),
})
for (const { name, holds } of idsContract(() => seededIds(1)))
  test(`[C-26] ids of a seed: ${name}`, holds)

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
    'a file is where the store says, with what was written': artifacts((good) => ({
      write: async (name) => good.write(name, new TextEncoder().encode('else')),
    })),
    'its facts are those of the file': artifacts((good) => ({
      write: async (name, content) => ({ ...(await good.write(name, content)), name }),
    })),
    'a file is what its content says, whatever its name': artifacts((good) => ({
      write: async (name, content) => ({
        ...(await good.write(name, content)),
        mediaType: 'image/png',
      }),
    })),
    'nothing is written outside of the folder': artifacts((good, folder) => ({
      write: async (name, content) => {
        if (!name.includes('..')) return good.write(name, content)
        const kept = await good.write('out.txt', content)
        return { ...kept, path: join(folder, '..', basename(kept.path)) }
      },
    })),
    'files of one name and different contents do not overwrite each other': artifacts(
      (good, folder) => ({
        write: async (name, content) => {
          const kept = await good.write(name, content)
          const path = join(folder, 'same.txt')
          writeFileSync(path, content)
          return { ...kept, path }
        },
      }),
    ),
    '"run.exe" is refused with a code, and leaves nothing': artifacts((good) => ({
      write: async (name, content) => good.write(name.replace('.exe', '.txt'), content),
    })),
    '"big.txt" is refused with a code, and leaves nothing': artifacts((_, folder) => ({
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
    'it has the version, a provider and an id': model(() => ({ modelId: '' })),
    'an answer says something, why it ended and what it used': model((good) => ({
      doGenerate: async (call) => ({ ...(await good.doGenerate(call)), content: [] }),
    })),
    'a stream opens, fills and closes its parts, and ends with one finish': parts('finish'),
    'what it is asked is not changed': model((good) => ({
      doGenerate: async (call) => {
        call.prompt.push({ role: 'system', content: 'be brief' })
        return good.doGenerate(call)
      },
    })),
    'a call that is given up before it begins is not answered': model((good) => ({
      doGenerate: (call) => good.doGenerate({ prompt: call.prompt }),
    })),
    'a stream that is given up ends': model(() => ({
      doStream: async () => ({ stream: new ReadableStream({ pull: () => new Promise(() => {}) }) }),
    })),
    'calls at the same time do not get in each other’s way': model((good) => {
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

test('[C-26] the contract of a model: a part that is out of place is seen', async () => {
  for (const missing of ['text-start', 'text-end']) {
    const cases = modelContract(parts(missing), { patienceMs: 50 })
    const [one] = cases.filter(({ name }) => name.startsWith('a stream opens'))
    assert.ok(one !== undefined)
    await assert.rejects(one.holds, /out of place|is closed/)
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
    'it is listed by a key without a slash, a line, and ids without the key': provider({
      models: ['acme/fast'],
    }),
    'a model is loaded under the key and its id': bound({ id: 'fast' }),
    'settings are not changed': provider({
      load: (id, given) => acme.load(id, Object.assign(given, { store: true })),
    }),
    'a price is an amount, or null where nobody knows it': bound({
      price: ({ output }) => 1 / output,
    }),
    'what an error means is told or left open, and never thrown': bound({
      normalizeError: (error) => ({
        message: String(Object(error).message.trim()),
        type: 'unknown',
      }),
    }),
    'a model that it does not have is refused with what to do': provider({
      load: async () => asBound(scriptedModel([]), 'acme/fast'),
    }),
    'a key that is missing is refused with what to do': provider({
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
    'a name gives a model that can be called, under provider and id': () => ({
      resolve: async () => asBound(scriptedModel([]), 'fast'),
    }),
    'the same name gives the same model': () => {
      let nth = 0
      return { resolve: async () => asBound(scriptedModel([]), `acme/${nth++}`) }
    },
    'settings are not changed': () => ({
      resolve: async (name: string, given?: object) => {
        Object.assign(given ?? {}, { other: {} })
        return source.resolve(name)
      },
    }),
    'a name that it does not know is refused with what to do': () => ({
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
  'it tells a model what it is for and what it takes': lamp({ description: ' ' }),
  'its schema takes the input, and refuses what does not fit': lamp({
    input: z.looseObject({ level: z.number() }).or(z.string().transform(() => ({ level: 1 }))),
  }),
  'its result can be told whole as JSON': lamp({ run: () => ({ toJSON: () => assert.fail() }) }),
  'its input is not changed': lamp({
    run: (input) => Object.assign(input, { level: 6 }),
  }),
  'a call that is given up ends': lamp({ run: () => new Promise(() => {}) }),
  'what it cannot do with {"level":101} has a code': lamp({
    run: () => {
      throw new TypeError('x is undefined')
    },
  }),
  'a second call under the same key changes nothing more': lamp({
    run: ({ level }) => ({ level: (light += level) }),
  }),
  'it can tell whether a call was made': lamp({ reconcile: async () => 'not-done' }),
})

holdsAndFails(
  'a tool that reads',
  (open: () => Tool) =>
    toolContract(open, { ...lampTrial, fails: [] }).filter(({ name }) => name.includes('reads')),
  lamp({ does: 'reads', run: () => light }),
  { 'a tool that reads changes nothing': lamp({ does: 'reads' }) },
)

test('[C-26] the contract of a tool sees one that is deaf once it has begun', async () => {
  const deaf = lamp({
    run: async (_, { signal }) => {
      signal.throwIfAborted()
      return new Promise(() => {})
    },
  })
  const one = toolContract(deaf, lampTrial).find(({ name }) => name.includes('given up'))
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

/** One that has every hook, and does little in each. */
const counter =
  (broken: Partial<Layer> = {}) =>
  (): Layer => ({
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
  (make: () => Layer) => middlewareContract(make, { patienceMs: 100 }),
  counter(),
  {
    'each hook gives what its chain may give': counter({
      permit: async () => Object({ type: 'perhaps' }),
    }),
    'a failure is a value, and comes to one': counter({
      generate: async (call, next) => {
        const outcome = await next(call)
        if (outcome.type === 'failed') throw new Error(outcome.error.message)
        return outcome
      },
    }),
    'an error that ends the run is not swallowed': counter({
      tool: (call, next) => next(call).catch(() => ({ type: 'unknown', message: 'who knows' })),
    }),
    'nothing is waited for when the run is canceled': counter({
      generate: async (call, next, { clock: time }) => {
        await new Promise<void>((resolve) => time.after(1000, resolve))
        return next(call)
      },
    }),
    'its state fits its schema and its room, however much happens': stateful(
      { ...counted, schema: z.object({ count: z.number().max(50) }) },
      (count) => count + 1,
    ),
    'the state of one run does not show in another': stateful(counted, () => ++leaked),
    'it goes on from its stored state': counter({ read: () => ({ count: forgetful.count++ }) }),
    'a state of every earlier version has a way to this one': stateful(
      { ...counted, version: 3 },
      (count) => count,
    ),
    'a text is the same however it comes in pieces': counter({
      stream: () => ({ text: (delta) => delta.replaceAll('sk-12ab34', '[key]') }),
    }),
  },
)

test('[C-26] the contract of middleware sees a wait that a cancel does not end', async () => {
  const deaf = counter({
    generate: async (call, next, { clock: time, signal }) => {
      const outcome = await next(call)
      if (outcome.type !== 'failed' || signal.aborted) return outcome
      await new Promise<void>((resolve) => time.after(1000, resolve))
      return next(call)
    },
  })
  const cases = middlewareContract(deaf, { patienceMs: 100 })
  const one = cases.find(({ name }) => name.includes('is canceled'))
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
  'it keeps what it hears of a run, and none of what the user wrote': recorder((kept) => ({
    record: (record) => void kept.push(JSON.stringify(record)),
  })),
  'it never throws, whatever comes in whatever order': recorder((kept) => ({
    record: ({ type }) => {
      if (type === 'run-ended' && kept.length === 0) throw new Error('nothing began')
    },
  })),
  'it never throws, not even when nothing can be kept': recorder((kept) => ({
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
    'what it must hide is hidden, however deep it stands': () => createRedactor(null),
    'what is harmless stays as it is': () => (value) => {
      const told = own(value)
      return typeof told === 'number' ? Object(0) : told
    },
    'the value itself is not changed': () => (value) => {
      Object.assign(Object(value), { name: 'y' })
      return value
    },
    'what was hidden once is not changed again': () => (value) => {
      const again: unknown = JSON.parse(JSON.stringify(own(value)).replaceAll('after', 'after!'))
      return Object(again)
    },
  },
)
