import assert from 'node:assert/strict'
import type {
  DynamicMemoryStore,
  MemoryNote,
  NoteScope,
} from '../../../core/knowledge/working-memory.ts'
import { casesOf, type ContractCase, notCopied, ODD_NAMES } from '../../contract.ts'

/** Options for a store that outlives its process. */
export interface LastingNotes {
  /** The same notes, opened by another process. Adds cases. */
  readonly another?: (store: DynamicMemoryStore) => DynamicMemoryStore | Promise<DynamicMemoryStore>
}

/**
 * The requirements of every `DynamicMemoryStore`: `for (const { name, holds } of
 * dynamicMemoryStoreContract(open)) test(name, holds)`.
 * @param open a new, empty store for each case
 */
export function dynamicMemoryStoreContract(
  open: () => DynamicMemoryStore | Promise<DynamicMemoryStore>,
  { another }: LastingNotes = {},
): readonly ContractCase[] {
  return [
    ...keeping(open),
    ...finding(open),
    ...scopes(open),
    ...keys(open),
    ...(another === undefined ? [] : sharing(open, another)),
  ]
}

type Open = () => DynamicMemoryStore | Promise<DynamicMemoryStore>

const ADA: NoteScope = { kind: 'user', id: 'ada' }
const BOB: NoteScope = { kind: 'user', id: 'bob' }
const TALK: NoteScope = { kind: 'session', id: 'ada' }

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a new note is returned as written, with version 1', async (store) => {
      const text = 'ä€😀\u2028"\\\n<b>&'
      const note = await written(store, { title: 'a title', text })
      const { id, scope, title, version } = note
      assert.deepEqual(
        { scope, title, text: note.text, version },
        { scope: ADA, title, text, version: 1 },
      )
      assert.equal(title, 'a title')
      assert.ok(id.length > 0)
      assert.deepEqual(await store.find([ADA]), [note])
    }),
    caseOf('an update changes only the given fields and raises the version', async (store) => {
      const first = await written(store, { title: 'seat', text: 'window' })
      const change = { type: 'update', scope: ADA, id: first.id } as const
      const second = await store.write({ ...change, text: 'aisle' }, 'u1')
      assert.ok(second !== null && second !== 'conflict')
      assert.deepEqual([second.title, second.text, second.version], ['seat', 'aisle', 2])
      assert.equal(second.createdAt, first.createdAt)
      const third = await store.write({ ...change, title: 'place' }, 'u2')
      assert.deepEqual(await store.find([ADA]), [third])
      assert.ok(third !== null && third !== 'conflict')
      assert.deepEqual([third.title, third.text, third.version], ['place', 'aisle', 3])
    }),
    caseOf('an update of another version is a conflict and changes nothing', async (store) => {
      const { id } = await written(store)
      const change = { type: 'update', scope: ADA, id } as const
      await store.write({ ...change, text: 'second', ifVersion: 1 }, 'u1')
      assert.equal(await store.write({ ...change, text: 'third', ifVersion: 1 }, 'u2'), 'conflict')
      assert.equal((await store.find([ADA]))[0]?.text, 'second')
    }),
    caseOf('a deleted note is gone, and its id is not reused', async (store) => {
      const gone = await written(store)
      assert.ok(await store.write({ type: 'delete', scope: ADA, id: gone.id }, 'd1'))
      assert.deepEqual(await store.find([ADA]), [])
      assert.equal(await store.write({ type: 'delete', scope: ADA, id: gone.id }, 'd2'), null)
      assert.notEqual((await written(store, { key: 'c2' })).id, gone.id)
    }),
    caseOf('changes to a written or returned note do not affect the store', async (store) => {
      const scope = { ...ADA }
      const note = await store.write({ type: 'create', scope, title: 't', text: 'mine' }, 'c')
      Object.assign(scope, { id: 'bob' })
      Object.assign(Object(note), { text: 'changed' })
      Object.assign(Object((await store.find([ADA]))[0]), { text: 'changed' })
      const kept = (await store.find([ADA])).map(({ text }) => text)
      assert.deepEqual(kept, ['mine'], notCopied('write and find', 'note'))
    }),
  ]
}

function finding(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('notes are found newest first by last update', async (store) => {
      const [a] = [await written(store, { title: 'a', key: 'c1' })]
      await written(store, { title: 'b', key: 'c2' })
      await written(store, { title: 'c', key: 'c3' })
      await store.write({ type: 'update', scope: ADA, id: a.id, text: 'new' }, 'u1')
      assert.deepEqual(await titles(store, [ADA]), ['a', 'c', 'b'])
    }),
    caseOf('a query finds notes with all its words, ignoring case', async (store) => {
      await written(store, { title: 'Flights', text: 'Prefers the WINDOW seat', key: 'c1' })
      await written(store, { title: 'Trains', text: 'takes any seat', key: 'c2' })
      assert.deepEqual(await titles(store, [ADA], 'window SEAT'), ['Flights'])
      assert.deepEqual(await titles(store, [ADA], 'trains seat'), ['Trains'])
      assert.deepEqual(await titles(store, [ADA], 'boat'), [])
      assert.deepEqual(await titles(store, [ADA], '%'), [])
    }),
    caseOf('at most the requested number is found, 100 by default', async (store) => {
      for (let nth = 1; nth <= 101; nth++) await written(store, { title: `${nth}`, key: `c${nth}` })
      assert.deepEqual(await titles(store, [ADA], undefined, 2), ['101', '100'])
      assert.equal((await store.find([ADA])).length, 100)
      assert.equal((await store.find([ADA], undefined, 101)).length, 101)
    }),
  ]
}

function scopes(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a note is visible only in its own scope', async (store) => {
      await written(store, { title: 'hers' })
      await written(store, { title: 'his', scope: BOB, key: 'c2' })
      await written(store, { title: 'of the talk', scope: TALK, key: 'c3' })
      assert.deepEqual(await titles(store, [ADA]), ['hers'])
      assert.deepEqual(await titles(store, [TALK]), ['of the talk'])
      assert.deepEqual(await titles(store, [ADA, BOB, ADA]), ['his', 'hers'])
      assert.deepEqual(await titles(store, []), [])
    }),
    caseOf('a note is changed and deleted only in its own scope', async (store) => {
      const { id } = await written(store, { text: 'hers' })
      for (const [nth, scope] of [BOB, TALK].entries()) {
        const update = { type: 'update', scope, id, text: 'taken over' } as const
        assert.equal(await store.write(update, `u${nth}`), null)
        assert.equal(await store.write({ type: 'delete', scope, id }, `d${nth}`), null)
      }
      assert.equal((await store.find([ADA]))[0]?.text, 'hers')
    }),
    caseOf('scopes with any name are distinct', async (store) => {
      for (const id of ODD_NAMES) {
        await written(store, { title: id, scope: { kind: 'user', id }, key: `c-${id}` })
      }
      for (const id of ODD_NAMES) {
        assert.deepEqual(await titles(store, [{ kind: 'user', id }]), [id])
      }
    }),
    caseOf('erasing removes all notes of one scope and returns their number', async (store) => {
      await written(store, { key: 'c1' })
      await written(store, { key: 'c2' })
      await written(store, { scope: BOB, title: 'his', key: 'c3' })
      assert.equal(await store.erase(ADA), 2)
      assert.equal(await store.erase(ADA), 0)
      assert.deepEqual(await titles(store, [ADA, BOB]), ['his'])
    }),
    caseOf('repeating a write after its note was erased restores nothing', async (store) => {
      await written(store, { text: 'erase me' })
      await store.erase(ADA)
      const again = await store.write(
        { type: 'create', scope: ADA, title: 't', text: 'erase me' },
        'c',
      )
      assert.equal(again, null, 'neither the note nor the answer that holds it may be there')
      assert.deepEqual(await store.find([ADA]), [])
    }),
  ]
}

function keys(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf(
      'a write with a key is done once, and repeating it returns the same result',
      async (store) => {
        const create = { type: 'create', scope: ADA, title: 't', text: 'first' } as const
        const first = await store.write(create, 'k1')
        assert.ok(first !== null && first !== 'conflict')
        const update = { type: 'update', scope: ADA, id: first.id, text: 'second' } as const
        const second = await store.write({ ...update, ifVersion: 1 }, 'k2')
        assert.deepEqual(await store.write(create, 'k1'), first)
        assert.deepEqual(await store.write({ ...update, ifVersion: 1 }, 'k2'), second)
        const gone = await store.write({ type: 'delete', scope: ADA, id: first.id }, 'k3')
        assert.deepEqual(
          await store.write({ type: 'delete', scope: ADA, id: first.id }, 'k3'),
          gone,
        )
        assert.deepEqual(await store.find([ADA]), [])
      },
    ),
    caseOf('of concurrent updates of one version exactly one succeeds', async (store) => {
      const { id } = await written(store)
      const write = async (nth: number): Promise<MemoryNote | null | 'conflict'> =>
        await store.write(
          { type: 'update', scope: ADA, id, text: `${nth}`, ifVersion: 1 },
          `u${nth}`,
        )
      const answers = await Promise.all([1, 2, 3].map(write))
      assert.equal(
        answers.filter((answer) => answer === 'conflict').length,
        2,
        'two of three updates with the same ifVersion must conflict: compare and write atomically',
      )
    }),
  ]
}

const sharing = (
  open: Open,
  another: NonNullable<LastingNotes['another']>,
): readonly ContractCase[] => [
  casesOf(open)('another process finds, changes and erases the notes', async (store) => {
    const note = await written(store, { text: 'mine' })
    const other = await another(store)
    assert.deepEqual(await other.find([ADA]), [note])
    const update = { type: 'update', scope: ADA, id: note.id, text: 'theirs' } as const
    await other.write({ ...update, ifVersion: 1 }, 'u1')
    assert.equal((await store.find([ADA]))[0]?.text, 'theirs')
    assert.equal(await other.erase(ADA), 1)
    assert.deepEqual(await store.find([ADA]), [])
  }),
  casesOf(open)('a write repeated by another process is not done again', async (store) => {
    await written(store, { key: 'c0' })
    const note = await written(store)
    const other = await another(store)
    assert.deepEqual(
      await other.write({ type: 'create', scope: ADA, title: 'title', text: 'text' }, 'c'),
      note,
    )
    assert.equal((await store.find([ADA])).length, 2)
  }),
]

interface Made {
  readonly title?: string
  readonly text?: string
  readonly scope?: NoteScope
  readonly key?: string
}

async function written(
  store: DynamicMemoryStore,
  { title = 'title', text = 'text', scope = ADA, key = 'c' }: Made = {},
): Promise<MemoryNote> {
  const note = await store.write({ type: 'create', scope, title, text }, key)
  assert.ok(note !== null && note !== 'conflict', 'a note is created')
  return note
}

const titles = async (
  store: DynamicMemoryStore,
  ...asked: Parameters<DynamicMemoryStore['find']>
): Promise<readonly string[]> => (await store.find(...asked)).map(({ title }) => title)
