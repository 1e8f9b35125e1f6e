import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Entry } from '../../../echelon/src/core/journal/journal.ts'
import type { Store } from '../../../echelon/src/core/store/store.ts'
import { userMessage } from '../../../echelon/src/core/message/thread.ts'
import { systemClock } from '../../../echelon/src/platform/clock.ts'
import { SqliteStore } from '../../../store/src/sqlite-store.ts'
import type { ContractCase } from '../../../echelon/src/testing/contract.ts'
import { conversationMemoryContract } from '../testing/conversation-memory-contract.ts'
import { ended, started } from '../../../echelon/src/testing/run-store/premises.ts'
import type { ConversationMemory } from '../primitives/conversation-memory.ts'
import { InMemoryConversationMemory } from '../in-memory-conversation-memory.ts'
import type { Message } from '../message.ts'
import { StoreConversationMemory } from './store-conversation-memory.ts'

const folder = await mkdtemp(join(tmpdir(), 'echelon-said-'))
const opened: Store[] = []
after(async () => {
  for (const store of opened) await store.close()
  await rm(folder, { recursive: true })
})

const options = { clock: systemClock, auditLines: () => [] }

let files = 0
async function openStore(path = join(folder, `${files++}.db`)): Promise<SqliteStore> {
  const store = await SqliteStore.open(path, options)
  opened.push(store)
  return store
}

function holds(what: string, cases: readonly ContractCase[]): void {
  describe(`[S-2] the contract of a memory of conversations: ${what}`, () => {
    for (const { name, holds } of cases) test(name, holds)
  })
}

holds(
  'in memory',
  conversationMemoryContract(() => new InMemoryConversationMemory()),
)

const others = new WeakMap<
  ConversationMemory,
  () => ConversationMemory | Promise<ConversationMemory>
>()

const another = (memory: ConversationMemory): ConversationMemory | Promise<ConversationMemory> => {
  const open = others.get(memory)
  assert.ok(open !== undefined)
  return open()
}

async function memoryAt(path?: string): Promise<ConversationMemory> {
  const store = await openStore(path)
  const memory = new StoreConversationMemory(store.sessions)
  others.set(memory, () => memoryAt(store.path))
  return memory
}

holds(
  'in a store in memory',
  conversationMemoryContract(() => memoryAt(':memory:'), { another }),
)

holds(
  'in a file',
  conversationMemoryContract(() => memoryAt(), { another }),
)

const said = (text: string, metadata: Message['metadata'] = {}): Message => ({
  role: 'user',
  text,
  timestamp: '2025-10-18T09:30:00.000Z',
  metadata,
})

const AT = 1_757_300_000_000

test('[S-2] a conversation outlives the process, with its open task', async () => {
  const first = await openStore()
  const dialogue = { open: { intentId: 'order_status', param: 'order_id' }, queued: [] }
  const question: Message = { ...said('What’s your order ID?', { dialogue }), role: 'agent' }
  await new StoreConversationMemory(first.sessions).append('s', question)
  await first.close()
  const next = new StoreConversationMemory((await openStore(first.path)).sessions)
  assert.deepEqual(await next.getHistory('s'), [question])
})

test('[S-2] messages are appended while a run is a turn of the session, and cleared with its runs', async () => {
  for (const store of [await openStore(':memory:'), await openStore()]) {
    const memory = new StoreConversationMemory(store.sessions)
    const turn: Entry = started('r', AT, { turnOf: 's' })
    store.runs.append('r', [turn])
    await memory.append('s', said('My card is 1234'))
    assert.equal((await memory.getHistory('s')).length, 1)
    await assert.rejects(memory.clear('s'), { code: 'SESSION_BUSY' })
    assert.equal((await memory.getHistory('s')).length, 1, 'all of it stays')
    store.runs.append('r', [ended(AT)])
    await memory.clear('s')
    assert.deepEqual(await memory.getHistory('s'), [])
    assert.deepEqual(await store.runs.list(), [])
    assert.deepEqual(await store.sessions.list(), [])
  }
})

test('[S-2] each of two processes that append at once finds its messages in its own order', async () => {
  const store = await openStore()
  const modules = [
    '../../../store/src/sqlite-store.ts',
    '../../../echelon/src/platform/clock.ts',
    './store-conversation-memory.ts',
  ]
  const [file, clock, memory] = modules.map((each) => JSON.stringify(import.meta.resolve(each)))
  const program = `
    const { SqliteStore } = await import(${file})
    const { systemClock } = await import(${clock})
    const { StoreConversationMemory } = await import(${memory})
    const [path, who] = process.argv.slice(1)
    const store = await SqliteStore.open(path, { clock: systemClock, auditLines: () => [] })
    const memory = new StoreConversationMemory(store.sessions)
    for (let n = 0; n < 30; n++) {
      await memory.append('s', { role: 'user', text: who + n, timestamp: '', metadata: {} })
    }
    await store.close()`
  const run = promisify(execFile)
  const args = ['--conditions=echelon-source', '--input-type=module', '--eval', program, store.path]
  await Promise.all(['a', 'b'].map((who) => run(process.execPath, [...args, who])))
  const texts = (await new StoreConversationMemory(store.sessions).getHistory('s')).map(
    ({ text }) => text,
  )
  for (const who of ['a', 'b']) {
    const own = texts.filter((text) => text.startsWith(who))
    assert.deepEqual(
      own,
      Array.from({ length: 30 }, (_, n) => `${who}${n}`),
    )
  }
})

test('[S-2] cleared messages are gone from the bytes of the file', async () => {
  const store = await openStore()
  const memory = new StoreConversationMemory(store.sessions)
  await memory.append('s', said('the-secret-of-the-customer'))
  await memory.append('t', said('another'))
  await memory.clear('s')
  assert.doesNotMatch(await readFile(store.path, 'latin1'), /the-secret-of-the-customer/)
  assert.equal((await memory.getHistory('t')).length, 1)
})

test("[S-2] another agent's conversation is left alone, and an imported one is read", async () => {
  const store = await openStore(':memory:')
  const memory = new StoreConversationMemory(store.sessions)
  const states = {
    states: {},
    schemaSignature: null,
    schemaVersion: 1,
    stateVersions: null,
  } as const
  const change = {
    id: 'support:s',
    agent: 'chat',
    from: 0,
    keep: 0,
    messages: [
      { role: 'system' as const, content: 'be kind' },
      userMessage('hi'),
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'hello' }] },
    ],
    states,
    continues: null,
    at: AT,
  }
  await store.sessions.save(change)
  await assert.rejects(memory.append('s', said('mine')), { code: 'JOURNAL_MISMATCH' })
  const timestamp = new Date(AT).toISOString()
  assert.deepEqual(await memory.getHistory('s'), [
    { role: 'user', text: 'hi', timestamp, metadata: {} },
    { role: 'agent', text: 'hello', timestamp, metadata: {} },
  ])
})

test('[S-2] a store that always refuses is not retried forever', async () => {
  const store = await openStore(':memory:')
  const saves = { asked: 0 }
  const refusing = Object.assign(Object.create(store.sessions), {
    load: async () => undefined,
    save: async (change: Parameters<typeof store.sessions.save>[0]) => {
      saves.asked++
      await store.sessions.save({ ...change, from: 1, keep: 1 })
    },
  })
  const memory = new StoreConversationMemory(refusing)
  await assert.rejects(memory.append('s', said('x')), { code: 'JOURNAL_MISMATCH' })
  assert.equal(saves.asked, 100)
})
