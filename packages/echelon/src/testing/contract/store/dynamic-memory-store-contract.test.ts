import type { DynamicMemoryStore, MemoryNote } from '../../../core/knowledge/working-memory.ts'
import { openStore } from '../../../../../store/src/sqlite/in-tests.ts'
import { dynamicMemoryStoreContract } from './dynamic-memory-store-contract.ts'
import { holdsAndFails } from '../../holds-and-fails.ts'
import { SetClock } from '../../set-clock.ts'

type Broken = (good: DynamicMemoryStore) => Partial<DynamicMemoryStore>

const clock = new SetClock()
const parts = new WeakMap<DynamicMemoryStore, () => Promise<DynamicMemoryStore>>()

const notes =
  (broken: Broken = () => ({}), isShared = true) =>
  async (): Promise<DynamicMemoryStore> => {
    const { notes: good, path } = await openStore(':memory:', { clock })
    const over = (one: DynamicMemoryStore): DynamicMemoryStore => ({
      find: (...asked) => one.find(...asked),
      write: (...asked) => one.write(...asked),
      erase: (scope) => one.erase(scope),
      ...broken(one),
    })
    const store = over(good)
    const other = isShared ? path : ':memory:'
    parts.set(store, async () => over((await openStore(other, { clock })).notes))
    return store
  }

/** Returns the note itself, not a copy. */
const leaking: Broken = (good) => {
  const known = new Map<string, MemoryNote>()
  return {
    async find(...asked) {
      const found = await good.find(...asked)
      return found.map((note) => known.get(note.id) ?? note)
    },
    async write(change, key) {
      const answer = await good.write(change, key)
      if (answer !== null && answer !== 'conflict') known.set(answer.id, answer)
      return answer
    },
  }
}

/** Ignores the given keys. */
let fresh = 0

holdsAndFails<() => Promise<DynamicMemoryStore>>(
  'a store of notes',
  (open) =>
    dynamicMemoryStoreContract(open, {
      another: (store) => parts.get(store)?.() ?? store,
    }),
  notes(),
  {
    'a new note is returned as written, with version 1': notes((good) => ({
      write: (change, key) =>
        good.write(
          change.type === 'create' ? { ...change, text: change.text.trim().slice(0, 3) } : change,
          key,
        ),
    })),
    'an update changes only the given fields and raises the version': notes((good) => ({
      write: (change, key) =>
        good.write(change.type === 'update' ? { title: '', text: '', ...change } : change, key),
    })),
    'an update of another version is a conflict and changes nothing': notes((good) => ({
      write(change, key) {
        if (change.type !== 'update') return good.write(change, key)
        const { ifVersion: _ignored, ...rest } = change
        return good.write(rest, key)
      },
    })),
    'a deleted note is gone, and its id is not reused': notes((good) => ({
      write: (change, key) =>
        change.type === 'delete'
          ? good.write({ ...change, type: 'update', text: '' }, key)
          : good.write(change, key),
    })),
    'changes to a written or returned note do not affect the store': notes(leaking),
    'notes are found newest first by last update': notes((good) => ({
      find: async (...asked) =>
        [...(await good.find(...asked))].sort((a, b) => b.id.localeCompare(a.id)),
    })),
    'a query finds notes with all its words, ignoring case': notes((good) => ({
      find: async (scopes, query, limit) =>
        (await good.find(scopes, undefined, limit)).filter(({ text }) =>
          text.includes(query ?? ''),
        ),
    })),
    'at most the requested number is found, 100 by default': notes((good) => ({
      find: (scopes, query) => good.find(scopes, query),
    })),
    'a note is visible only in its own scope': notes((good) => ({
      find: (scopes, ...more) =>
        good.find(
          scopes.flatMap(({ id }) => [
            { kind: 'user', id },
            { kind: 'session', id },
          ]),
          ...more,
        ),
    })),
    'a note is changed and deleted only in its own scope': notes((good) => ({
      write: async (change, key) =>
        (await good.write(change, key)) ??
        good.write({ ...change, scope: { kind: 'user', id: 'ada' } }, `${key}!`),
    })),
    'scopes with any name are distinct': notes((good) => ({
      find: (scopes, ...more) =>
        good.find(
          scopes.map(({ kind, id }) => ({ kind, id: id.trim() })),
          ...more,
        ),
      write: (change, key) =>
        good.write({ ...change, scope: { ...change.scope, id: change.scope.id.trim() } }, key),
    })),
    'erasing removes all notes of one scope and returns their number': notes((good) => ({
      erase: async (scope) => Math.min(1, await good.erase(scope)),
    })),
    'repeating a write after its note was erased restores nothing': notes((good) => ({
      async write(change, key) {
        return (await good.write(change, key)) ?? good.write(change, `${key}!`)
      },
    })),
    'a write with a key is done once, and repeating it returns the same result': notes((good) => ({
      write: (change) => good.write(change, `fresh-${fresh++}`),
    })),
    'of concurrent updates of one version exactly one succeeds': notes((good) => ({
      async write(change, key) {
        if (change.type !== 'update') return good.write(change, key)
        const { ifVersion, ...rest } = change
        const now = (await good.find([change.scope])).find(({ id }) => id === change.id)
        if (ifVersion !== undefined && now?.version !== ifVersion) return 'conflict'
        return good.write(rest, key)
      },
    })),
    'another process finds, changes and erases the notes': notes(() => ({}), false),
    'a write repeated by another process is not done again': notes(() => ({}), false),
  },
)
