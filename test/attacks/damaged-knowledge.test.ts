import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type {
  FoundChunk,
  KnowledgeSource,
} from '../../packages/echelon/src/core/knowledge/knowledge.ts'
import { openKnowledge } from '../../packages/store/src/compose/open-knowledge.ts'
import { examineKnowledge } from '../../packages/store/src/sqlite/knowledge/examine-knowledge.ts'
import { SUMMED_KNOWLEDGE } from '../../packages/store/src/sqlite/knowledge/knowledge-schema.ts'
import { tried } from './tried.ts'

const DOCUMENTS = ['a.md', 'b.md', 'c.md']
const EMBEDDER = 'test/2'
const vectorAt = (nth: number): Float32Array => Float32Array.from([1, nth / 10])

const CHANGES: Readonly<Record<string, (column: string) => string>> = {
  'one bit': (column) =>
    `case typeof(${column}) when 'null' then 0 when 'integer' then ${column} + 1
     when 'blob' then x'00112233' || substr(${column}, 5)
     else char(unicode(${column}) + 32) || substr(${column}, 2) end`,
  'a huge number': () => '9007199254740993',
  'bytes that are no UTF-8': () => `cast(x'ff7b22fe' as text)`,
}

interface Damage {
  readonly name: string
  readonly spoil: (file: string) => void
  readonly isRow?: true
}

/** In the row of the second document; its checksum stays. The row number is not a cell. */
const changedCells: readonly Damage[] = Object.entries(SUMMED_KNOWLEDGE).flatMap(
  ([table, { columns }]) =>
    columns
      .filter((column) => column !== 'n')
      .flatMap((column) =>
        Object.entries(CHANGES).map(([how, value]) => ({
          name: `${table}.${column} is ${how}`,
          isRow: true as const,
          spoil: (file: string) => rewrite(file, table, `${column} = ${value(column)}`),
        })),
      ),
)

function rewrite(file: string, table: string, change: string): void {
  const db = new DatabaseSync(file)
  const { at, sum } =
    db.prepare(`select rowid as at, sum from ${table} order by rowid limit 1 offset 1`).get() ?? {}
  db.function('row_sum', { deterministic: true, varargs: true }, () => Number(sum))
  db.exec(`update ${table} set ${change} where rowid = ${Number(at)}`)
  db.close()
}

/** Seeded: anywhere in the file. */
const flippedBits: readonly Damage[] = Array.from({ length: 120 }, (_, nth) => ({
  name: `a bit at ${nth} of 120 of the file`,
  spoil: (file) => {
    const bytes = readFileSync(file)
    const at = Math.floor(((nth + 0.37) / 120) * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (nth % 8))
    writeFileSync(file, bytes)
  },
}))

interface Answers {
  readonly sources: readonly KnowledgeSource[]
  readonly found: readonly FoundChunk[]
}

/** Undefined if it is rejected, which must be with a sentence. */
async function answersOf(file: string): Promise<Answers | undefined> {
  let store
  try {
    store = await openKnowledge(file)
    return {
      sources: await store.sources(),
      found: await store.search({ text: 'apple', vector: vectorAt(1), limit: 10 }),
    }
  } catch (error) {
    assert.ok(error instanceof EchelonError, String(error))
    assert.doesNotMatch(error.message, /\n|apple/)
    return undefined
  } finally {
    await store?.close()
  }
}

const sourceOf = ({ sources }: Answers, id: string): KnowledgeSource | undefined =>
  sources.find((source) => source.id === id)

const textsOf = ({ found }: Answers): readonly string[] => found.map(({ text }) => text).toSorted()

suite('knowledge that is damaged', () => {
  let folder = ''
  let filled = ''
  let whole: Answers | undefined

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'echelon-knowledge-'))
    filled = join(folder, 'filled.db')
    const store = await openKnowledge(filled)
    for (const [nth, id] of DOCUMENTS.entries()) {
      const chunk = { nth: 0, text: `apple of ${id}`, headings: [id], page: null, tokens: 3 }
      const source = { id, title: id, digest: `digest of ${id}`, addedAt: 1 }
      await store.put(source, [{ ...chunk, vectors: [vectorAt(nth)] }], EMBEDDER)
    }
    await store.close()
    whole = await answersOf(filled)
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  async function survives({ spoil, isRow }: Damage): Promise<void> {
    const file = join(folder, 'knowledge.db')
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    copyFileSync(filled, file)
    spoil(file)
    const names = await doctorOf(file)
    const answers = await answersOf(file)
    assert.ok(whole !== undefined)
    if (answers !== undefined) {
      const known = new Set(textsOf(whole))
      for (const text of textsOf(answers)) assert.ok(known.has(text), 'tells what is not true')
    }
    if (isRow !== true) return
    assert.ok(names.length > 0, 'the doctor finds nothing')
    assert.ok(answers !== undefined, 'the rest is not found')
    for (const id of ['a.md', 'c.md']) {
      assert.deepEqual(sourceOf(answers, id), sourceOf(whole, id))
      assert.ok(textsOf(answers).includes(`apple of ${id}`), `${id} is found no more`)
    }
    const other = answers.sources.filter(({ id }) => id !== 'a.md' && id !== 'c.md')
    assert.deepEqual(
      other.map(({ digest, damaged }) => [digest, damaged]),
      [['', true]],
      'what is damaged is told, and read again by the next add',
    )
  }

  async function doctorOf(file: string): Promise<readonly string[]> {
    try {
      const { damage, damagedRows } = await examineKnowledge(file)
      const all = [...damage, ...damagedRows]
      assert.doesNotMatch(all.join(), /apple/)
      return all
    } catch (error) {
      assert.ok(error instanceof EchelonError, String(error))
      return [error.message]
    }
  }

  test('a changed cell is reported by the list and the doctor, and hides no other document', async (t) => {
    await tried(t, { cases: changedCells, named: ({ name }) => name, hold: survives })
  })

  test('nothing reports a flipped bit anywhere in the file as valid data', async (t) => {
    await tried(t, { cases: flippedBits, named: ({ name }) => name, hold: survives, fast: 12 })
  })

  test('a damaged document is whole again after it is stored anew', async () => {
    const file = join(folder, 'again.db')
    copyFileSync(filled, file)
    rewrite(file, 'chunks', `text = 'x'`)
    assert.deepEqual((await examineKnowledge(file)).damagedRows, [
      'part 2 of all, part 0 of its document',
    ])
    const store = await openKnowledge(file)
    const chunk = { nth: 0, text: 'apple of b.md', headings: [], page: null, tokens: 3 }
    const source = { id: 'b.md', title: 'b.md', digest: 'digest of b.md', addedAt: 1 }
    await store.put(source, [{ ...chunk, vectors: [vectorAt(1)] }], EMBEDDER)
    assert.ok((await store.sources()).every(({ damaged }) => damaged === undefined))
    await store.close()
    assert.deepEqual((await examineKnowledge(file)).damagedRows, [])
  })
})
