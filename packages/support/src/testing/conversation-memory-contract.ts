import assert from 'node:assert/strict'
import type { ConversationMemory } from '../primitives/conversation-memory.ts'
import type { Message } from '../message.ts'
import { casesOf, JSON_VALUES, notCopied, ODD_NAMES } from 'echelon/internal/testing'
import type { ContractCase } from 'echelon/testing'

/** A trial for a memory that outlives its process. */
export interface LastingConversations {
  /** The same conversations, opened as by another process. Adds cases. */
  readonly another?: (
    memory: ConversationMemory,
  ) => ConversationMemory | Promise<ConversationMemory>
}

type Open = () => ConversationMemory | Promise<ConversationMemory>

/**
 * Contract tests for every `ConversationMemory`: `for (const { name, holds } of conversationMemoryContract(open))
 * test(name, holds)`.
 * @param open opens a new, empty memory for each case
 */
export function conversationMemoryContract(
  open: Open,
  { another }: LastingConversations = {},
): readonly ContractCase[] {
  return [
    ...keeping(open),
    ...apart(open),
    ...(another === undefined ? [] : sharing(open, another)),
  ]
}

const said = (text: string, over: Partial<Message> = {}): Message => ({
  role: 'user',
  text,
  timestamp: '2025-10-18T09:30:00.000Z',
  metadata: {},
  ...over,
})

const textsOf = async (memory: ConversationMemory, session: string): Promise<readonly string[]> =>
  (await memory.getHistory(session)).map(({ text }) => text)

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a conversation that nobody has begun is empty', async (memory) => {
      assert.deepEqual(await memory.getHistory('s'), [])
      await memory.clear('s')
      assert.deepEqual(await memory.getHistory('s'), [])
    }),
    caseOf('messages come back as they were, oldest first', async (memory) => {
      const messages = [
        said('Where is my order?', { metadata: { id: 'i1', values: JSON_VALUES } }),
        said('What’s your order ID? 😀\n\u2028', {
          role: 'agent',
          timestamp: '2025-10-18T09:30:01.234Z',
          metadata: { dialogue: { open: { param: 'order_id' }, queued: [] } },
        }),
        said(''),
      ]
      for (const message of messages) await memory.append('s', message)
      assert.deepEqual(await memory.getHistory('s'), messages)
    }),
    caseOf('the same text twice is two messages', async (memory) => {
      await memory.append('s', said('yes'))
      await memory.append('s', said('yes'))
      assert.deepEqual(await textsOf(memory, 's'), ['yes', 'yes'])
    }),
    caseOf('a message with an id is kept once, however often it is delivered', async (memory) => {
      const first = said('hello', { metadata: { id: 'i1' } })
      await memory.append('s', first)
      await memory.append('s', said('hi', { role: 'agent', metadata: { id: 'i1' } }))
      await memory.append('s', said('bye', { metadata: { id: 'i2' } }))
      await memory.append('s', first)
      await memory.append('t', first)
      assert.deepEqual(await textsOf(memory, 's'), ['hello', 'hi', 'bye'])
      assert.deepEqual(await textsOf(memory, 't'), ['hello'], 'each session has its own')
    }),
  ]
}

function apart(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('sessions of any name are told apart, and cleared one by one', async (memory) => {
      for (const name of ODD_NAMES) await memory.append(name, said(name))
      for (const name of ODD_NAMES) assert.deepEqual(await textsOf(memory, name), [name])
      const [gone = '', ...others] = ODD_NAMES
      await memory.clear(gone)
      assert.deepEqual(await memory.getHistory(gone), [])
      for (const name of others) assert.deepEqual(await textsOf(memory, name), [name])
      await memory.append(gone, said('anew'))
      assert.deepEqual(await textsOf(memory, gone), ['anew'])
    }),
    caseOf('what a reader or a writer does is not seen by the next', async (memory) => {
      const metadata = { list: [1] }
      await memory.append('s', said('hello', { metadata }))
      metadata.list.push(2)
      const [read] = await memory.getHistory('s')
      Object.assign(Object(read), { text: 'changed' })
      Object.assign(Object(read?.metadata), { list: 'changed' })
      const [again] = await memory.getHistory('s')
      assert.equal(again?.text, 'hello', notCopied('getHistory', 'message'))
      assert.deepEqual(again?.metadata, { list: [1] }, notCopied('append', 'metadata'))
    }),
    caseOf('of messages that are appended at once none is lost', async (memory) => {
      const texts = Array.from({ length: 20 }, (_, nth) => `m${nth}`)
      await Promise.all(texts.map(async (text) => memory.append('s', said(text))))
      assert.deepEqual((await textsOf(memory, 's')).toSorted(), texts.toSorted())
    }),
  ]
}

const sharing = (
  open: Open,
  another: NonNullable<LastingConversations['another']>,
): readonly ContractCase[] => [
  casesOf(open)('what one process appends and clears others see at once', async (memory) => {
    const other = await another(memory)
    await memory.append('s', said('one', { metadata: { id: 'i1' } }))
    await other.append('s', said('two'))
    await other.append('s', said('one', { metadata: { id: 'i1' } }))
    await memory.append('s', said('three'))
    for (const each of [memory, other]) {
      assert.deepEqual(await textsOf(each, 's'), ['one', 'two', 'three'])
    }
    await other.clear('s')
    assert.deepEqual(await memory.getHistory('s'), [])
  }),
  casesOf(open)('of two processes at once no message is lost or comes twice', async (memory) => {
    const both = [memory, await another(memory)]
    const texts = Array.from({ length: 10 }, (_, nth) => `m${nth}`)
    const message = (text: string): Message => said(text, { metadata: { id: text } })
    await Promise.all(
      both.flatMap((each) => texts.map(async (text) => each.append('s', message(text)))),
    )
    assert.deepEqual((await textsOf(memory, 's')).toSorted(), texts.toSorted())
  }),
]
