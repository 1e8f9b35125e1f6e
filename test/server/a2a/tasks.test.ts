import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  a2aServing,
  copiesTool,
  demoSupport,
  folderOf,
  noteTool,
  offlineDecider,
  scriptedChat,
  sendTool,
} from './a2a-served.ts'
import { allOf, folded, PEERS, type ShownEvent } from './peers.ts'

const GREETING = { text: ['Hel', 'lo ', 'there.'], betweenMs: 5 }
const ASKS = { text: 'I will send it.', toolCalls: [{ tool: 'send', input: { to: 'Ann' } }] }

const statesOf = (events: readonly ShownEvent[]): readonly string[] =>
  events
    .flatMap((event) =>
      event.type === 'task' ? [event.task.state] : event.type === 'status' ? [event.state] : [],
    )
    .filter((state, at, all) => state !== all[at - 1])

for (const [name, peerOf] of Object.entries(PEERS)) {
  describe(`[DD-19] a client of ${name}`, () => {
    test('sends a message and gets the finished task with its answer', async (t) => {
      const { url } = await a2aServing(t, async (store) => [await offlineDecider(store)])
      const peer = await peerOf(url, 'decide')
      const task = await peer.send('What is 15 * 23?')
      assert.equal(task.state, 'completed')
      assert.deepEqual(task.artifacts, { answer: '345' })
      assert.partialDeepStrictEqual(task.metadata, {
        checked: 'proved',
        cost: 0,
        reason: 'success',
      })
      assert.deepEqual(await peer.get(task.id), task)
      assert.equal((await peer.get(task.id, 1)).history.length, 1)
      assert.equal((await peer.get(task.id, 0)).history.length, 0)
    })

    test('streams the snapshot, each piece of the answer and the end', async (t) => {
      const { url } = await a2aServing(t, (store) => [scriptedChat(store, [GREETING])])
      const peer = await peerOf(url, 'chat')
      const events = await allOf(peer.stream('hi', { context: 'greetings' }))
      const [first] = events
      assert.ok(first?.type === 'task' && first.task.context === 'greetings')
      assert.deepEqual(first.task.history, ['user'])
      assert.deepEqual(statesOf(events), ['submitted', 'working', 'completed'])
      const pieces = events.flatMap((event) => (event.type === 'artifact' ? [event] : []))
      assert.deepEqual(
        pieces.map(({ text, append, last }) => ({ text, append, last })),
        [
          { text: 'Hel', append: false, last: false },
          { text: 'lo ', append: true, last: false },
          { text: 'there.', append: true, last: true },
        ],
      )
      assert.partialDeepStrictEqual(pieces.at(-1)?.metadata, { checked: 'unchecked', cost: 0.001 })
    })

    test('does not wait if it says so, and reads the task later', async (t) => {
      const slow = { ...GREETING, betweenMs: 100 }
      const { url } = await a2aServing(t, (store) => [scriptedChat(store, [slow])])
      const peer = await peerOf(url, 'chat')
      const { id, state } = await peer.send('hi', { isImmediate: true })
      assert.equal(state, 'submitted')
      let task = await peer.get(id)
      while (task.state !== 'completed') {
        assert.ok(['submitted', 'working'].includes(task.state))
        await wait(20)
        task = await peer.get(id)
      }
      assert.deepEqual(task.artifacts, { answer: 'Hello there.' })
    })

    test('approves a tool in words, and denies one with a data part', async (t) => {
      const sent: string[] = []
      const script = [ASKS, 'It is sent.', ASKS, 'It is not sent.']
      const { url } = await a2aServing(t, (store) => [
        scriptedChat(store, script, { tools: [sendTool(sent)] }),
      ])
      const peer = await peerOf(url, 'chat')
      const asked = await peer.send('Send it to Ann')
      assert.equal(asked.state, 'input-required')
      assert.match(asked.says, /send needs approval.*once, always, deny, never/)
      const events = await allOf(peer.stream('approve', { task: asked }))
      assert.deepEqual(statesOf(events), ['working', 'completed'])
      assert.equal(folded(events)['answer'], 'It is sent.')
      assert.deepEqual(sent, ['Ann'])
      const { history } = await peer.get(asked.id)
      assert.deepEqual(history, ['user', 'agent', 'user', 'agent'])

      const again = await peer.send('Send another')
      const [request] = again.data
      assert.partialDeepStrictEqual(request, {
        type: 'approval',
        tool: 'send',
        input: { to: 'Ann' },
      })
      const data = { request: idIn(request), reply: 'deny' }
      const denied = await peer.send({ data }, { task: again })
      assert.deepEqual([denied.state, denied.artifacts['answer']], ['completed', 'It is not sent.'])
      assert.deepEqual(sent, ['Ann'])
    })

    test('answers a question, and is told what does not fit', async (t) => {
      const script = [{ toolCalls: [{ tool: 'copies', input: {} }] }, 'Three, then.']
      const { url } = await a2aServing(t, (store) => [
        scriptedChat(store, script, { tools: [copiesTool] }),
      ])
      const peer = await peerOf(url, 'chat')
      const asked = await peer.send('Print it')
      assert.deepEqual([asked.state, asked.says], ['input-required', 'How many copies?'])
      await assert.rejects(peer.send('as many as you like', { task: asked }), /schema/)
      assert.equal((await peer.get(asked.id)).state, 'input-required')
      const told = await peer.send('3', { task: asked })
      assert.deepEqual([told.state, told.artifacts['answer']], ['completed', 'Three, then.'])
    })

    test('cancels a task at work and one that waits, but none that is over', async (t) => {
      const script = [{ ...GREETING, betweenMs: 1000 }, ASKS, 'Hello.']
      const { url } = await a2aServing(t, (store) => [
        scriptedChat(store, script, { tools: [sendTool()] }),
      ])
      const peer = await peerOf(url, 'chat')
      const working = await peer.send('hi', { isImmediate: true })
      await wait(50)
      assert.equal((await peer.cancel(working.id)).state, 'canceled')
      assert.equal((await peer.cancel(working.id)).state, 'canceled')
      const waiting = await peer.send('send it')
      assert.equal((await peer.cancel(waiting.id)).state, 'canceled')
      const over = await peer.send('hi')
      await assert.rejects(peer.cancel(over.id), { name: 'TaskNotCancelableError' })
    })

    test('comes back in the middle of a stream and misses and repeats nothing', async (t) => {
      const words = Array.from({ length: 30 }, (_, at) => `word${at} `)
      const script = [{ text: words, betweenMs: 10 }]
      const { url, hub } = await a2aServing(t, (store) => [scriptedChat(store, script)])
      const peer = await peerOf(url, 'chat')
      let id = ''
      for await (const event of peer.stream('talk')) {
        if (event.type === 'task') id = event.task.id
        if (event.type === 'artifact' && event.text.includes('word5')) break
      }
      const events = await allOf(peer.resubscribe(id))
      const [first] = events
      assert.ok(first?.type === 'task' && first.task.artifacts['answer']?.startsWith('word0 '))
      assert.equal(folded(events)['answer'], words.join(''))
      assert.equal(events.filter(({ type }) => type === 'task').length, 1)
      assert.deepEqual(statesOf(events), ['working', 'completed'])
      await assert.rejects(allOf(peer.resubscribe(id)), { name: 'UnsupportedOperationError' })
      for (let tried = 0; tried < 100 && hub.followers > 0; tried++) await wait(10)
      assert.equal(hub.followers, 0)
    })

    test('leaves a task that waits, and holds nothing of the server', async (t) => {
      const { url, hub } = await a2aServing(t, (store) => [
        scriptedChat(store, [ASKS, 'Sent.'], { tools: [sendTool()] }),
      ])
      const peer = await peerOf(url, 'chat')
      const asked = await peer.send('send it')
      const before = hub.followers
      for await (const { type } of peer.resubscribe(asked.id)) {
        assert.equal(type, 'task')
        break
      }
      // The client of 0.3 stops reading, and closes nothing.
      if (!name.startsWith('0.3')) {
        for (let tried = 0; tried < 100 && hub.followers > before; tried++) await wait(10)
        assert.equal(hub.followers, before)
      }
      assert.equal((await peer.send('approve', { task: asked })).state, 'completed')
    })

    test('goes on with a task whose agent asked for more, in the same conversation', async (t) => {
      const folder = await folderOf(t)
      const { url } = await a2aServing(t, async (store) => [await demoSupport(store, folder)])
      const peer = await peerOf(url, 'support')
      const asked = await peer.send('I want to cancel an order', { context: 'maya' })
      assert.equal(asked.state, 'input-required')
      assert.deepEqual(asked.artifacts, {})
      assert.match(asked.says, /order/i)
      const events = await allOf(peer.stream('O-12347', { task: asked }))
      const [first] = events
      assert.ok(first?.type === 'task')
      assert.equal(first.task.id, asked.id)
      assert.deepEqual(first.task.history, ['user', 'agent', 'user'])
      const next = await peer.get(asked.id)
      assert.notEqual(next.says, asked.says)
      assert.equal(next.context, 'maya')
    })

    test('gets the files that tools made, as addresses that only the user can read', async (t) => {
      const folder = await folderOf(t)
      const script = [{ toolCalls: [{ tool: 'note', input: { text: 'milk' } }] }, 'Noted.']
      const { url } = await a2aServing(t, (store) => [
        scriptedChat(store, script, { tools: [noteTool], folder: join(folder, 'files') }),
      ])
      const peer = await peerOf(url, 'chat')
      const { artifacts } = await peer.send('note milk')
      const address = Object.entries(artifacts).find(([id]) => id.startsWith('file-'))?.[1] ?? ''
      const response = await fetch(address)
      assert.equal(await response.text(), 'milk')
      assert.match(response.headers.get('content-disposition') ?? '', /attachment.*note.*\.txt/)
      const others = await fetch(address, { headers: { authorization: 'Bearer bob' } })
      assert.equal(others.status, 404)
    })

    test('sends data and files to agents that take them, and is told which do not', async (t) => {
      const { url } = await a2aServing(t, async (store) => [
        scriptedChat(store, [({ prompt }) => JSON.stringify(prompt.at(-1)?.content)]),
        await offlineDecider(store),
      ])
      const file = { file: 'some,thing', name: 'a.csv', mediaType: 'text/csv' }
      const chat = await peerOf(url, 'chat')
      const { artifacts } = await chat.send(['look', { data: { a: 1 } }, file])
      assert.match(artifacts['answer'] ?? '', /look\\n\{\\"a\\":1\}/)
      assert.match(artifacts['answer'] ?? '', /"mediaType":"text\/csv"/)
      const decide = await peerOf(url, 'decide')
      await assert.rejects(decide.send(['look', file]), { name: 'ContentTypeNotSupportedError' })
      await assert.rejects(decide.send('hi', { accepted: ['image/png'] }), {
        name: 'ContentTypeNotSupportedError',
      })
    })

    test('passes options to the agent, and reports wrong ones', async (t) => {
      const { url } = await a2aServing(t, async (store) => [await offlineDecider(store)])
      const peer = await peerOf(url, 'decide')
      const wrong = await peer.send('What is 15 * 23?', { options: { gold_answer: '346' } })
      assert.equal(wrong.state, 'failed')
      assert.partialDeepStrictEqual(wrong.metadata, { checked: 'refuted' })
      await assert.rejects(peer.send('What is 2 + 2?', { options: { mode: 'no such' } }), {
        name: 'ContentTypeNotSupportedError',
      })
    })

    test('sees no task of another user', async (t) => {
      const { url } = await a2aServing(t, (store) => [
        scriptedChat(store, [ASKS, 'Sent.'], { tools: [sendTool()] }),
        scriptedChat(store, [], { name: 'other' }),
      ])
      const ann = await peerOf(url, 'chat', 'ann')
      const bob = await peerOf(url, 'chat', 'bob')
      const other = await peerOf(url, 'other', 'ann')
      const task = await ann.send('send it', { push: 'http://127.0.0.1:9/hook' })
      const config = (await ann.listPush(task.id)).length
      assert.equal(config, 1)
      for (const stranger of [bob, other]) {
        const tries = [
          () => stranger.get(task.id),
          () => stranger.cancel(task.id),
          () => allOf(stranger.resubscribe(task.id)),
          () => stranger.send('approve', { task }),
          () => allOf(stranger.stream('approve', { task })),
          () => stranger.setPush(task.id, 'http://127.0.0.1:9/'),
          () => stranger.listPush(task.id),
          () => stranger.getPush(task.id, 'x'),
          () => stranger.deletePush(task.id, 'x'),
        ]
        for (const attempt of tries) {
          await assert.rejects(attempt(), { name: 'TaskNotFoundError' }, attempt.toString())
        }
      }
      assert.equal((await ann.send('deny', { task })).state, 'completed')
    })
  })
}

function idIn(request: unknown): unknown {
  return typeof request === 'object' && request !== null && 'request' in request
    ? request.request
    : undefined
}
