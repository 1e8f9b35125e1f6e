import assert from 'node:assert/strict'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  a2aServing,
  folderOf,
  noteTool,
  offlineDecider,
  scriptedChat,
  sendTool,
} from './a2a-served.ts'
import { PEERS } from './peers.ts'

interface Notice {
  readonly body: string
  readonly token: string | undefined
  readonly type: string | undefined
}

interface Receiver {
  readonly url: string
  readonly notices: readonly Notice[]
  /** Resolves when a notice fits. */
  until(fits: (body: string) => boolean): Promise<Notice>
}

/** A receiver of notifications. @param statuses what it answers, in turn; then 200 */
async function receiving(t: TestContext, statuses: readonly number[] = []): Promise<Receiver> {
  const notices: Notice[] = []
  const left = [...statuses]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = left.shift() ?? 200
      response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end()
      if (status !== 200) return
      const token = request.headers['x-a2a-notification-token']
      notices.push({
        body: Buffer.concat(chunks).toString(),
        token: Array.isArray(token) ? token[0] : token,
        type: request.headers['content-type'],
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    notices,
    async until(fits) {
      for (let tried = 0; tried < 400; tried++) {
        const found = notices.find(({ body }) => fits(body))
        if (found !== undefined) return found
        await wait(10)
      }
      throw new Error(`no such notice among: ${notices.map(({ body }) => body).join('\n')}`)
    },
  }
}

const isCompleted = (body: string): boolean => /TASK_STATE_COMPLETED|"state":"completed"/.test(body)
const isWaiting = (body: string): boolean =>
  /TASK_STATE_INPUT_REQUIRED|"state":"input-required"/.test(body)

for (const [name, peerOf] of Object.entries(PEERS)) {
  const isOld = name.startsWith('0.3')
  describe(`[DD-19] notifications for a client of ${name}`, () => {
    test('tell of each state and of the whole answer, in the form of its version', async (t) => {
      const receiver = await receiving(t)
      const asks = { toolCalls: [{ tool: 'send', input: { to: 'Ann' } }] }
      const script = [asks, { text: ['It ', 'is ', 'sent.'], betweenMs: 2 }]
      const { url } = await a2aServing(t, (store) => [
        scriptedChat(store, script, { tools: [sendTool()] }),
      ])
      const peer = await peerOf(url, 'chat')
      const asked = await peer.send('send it', { push: receiver.url })
      await receiver.until(isWaiting)
      await peer.send('approve', { task: asked })
      const { token, type } = await receiver.until(isCompleted)
      assert.equal(token, 'secret-1')
      assert.match(type ?? '', isOld ? /^application\/json/ : /^application\/a2a\+json/)
      const bodies = receiver.notices.map(({ body }) => body)
      assert.ok(bodies.some((body) => body.includes('It is sent.')))
      // Pieces are not told.
      assert.ok(!bodies.some((body) => /"text":"It "/.test(body)))
      assert.ok(
        bodies.every((body) => (isOld ? body.includes('"kind":"task"') : !body.includes('"kind"'))),
      )
    })

    test('are set, read, listed and deleted', async (t) => {
      const receiver = await receiving(t)
      const asks = { toolCalls: [{ tool: 'send', input: { to: 'Ann' } }] }
      const { url } = await a2aServing(t, (store) => [
        scriptedChat(store, [asks, 'Sent.'], { tools: [sendTool()] }),
      ])
      const peer = await peerOf(url, 'chat')
      const task = await peer.send('send it')
      const id = await peer.setPush(task.id, receiver.url)
      assert.deepEqual(await peer.listPush(task.id), [receiver.url])
      assert.equal(await peer.getPush(task.id, id), receiver.url)
      await peer.deletePush(task.id, id)
      assert.deepEqual(await peer.listPush(task.id), [])
      await peer.send('approve', { task })
      await wait(100)
      assert.deepEqual(receiver.notices, [])
    })
  })
}

const newPeer = PEERS['1.0 over JSON-RPC']

describe('[DD-19] a notification', () => {
  test('is tried again if the receiver fails, and no redirect is followed', async (t) => {
    assert.ok(newPeer !== undefined)
    const busy = await receiving(t, [503])
    const elsewhere = await receiving(t, [307, 307, 307, 307, 307])
    const { url, log } = await a2aServing(t, async (store) => [await offlineDecider(store)])
    const peer = await newPeer(url, 'decide')
    await peer.send('What is 2 + 2?', { push: busy.url })
    await busy.until(isCompleted)
    await peer.send('What is 2 + 2?', { push: elsewhere.url })
    for (let tried = 0; tried < 200 && log.length === 0; tried++) await wait(10)
    assert.match(log.join('\n'), /could not be told to 127\.0\.0\.1:\d+: it answered 307/)
    // Not a word of the task.
    assert.doesNotMatch(log.join('\n'), /2 \+ 2/)
  })

  test('goes to no address of this machine or of a private network', async (t) => {
    assert.ok(newPeer !== undefined)
    const receiver = await receiving(t)
    const { url, log } = await a2aServing(t, async (store) => [await offlineDecider(store)], {
      allowPrivate: false,
    })
    const peer = await newPeer(url, 'decide')
    const addresses = [
      receiver.url,
      'http://10.0.0.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/latest',
      'http://0x7f.1/',
      'ftp://example.com/',
      'http://user@example.com/',
      'nonsense',
    ]
    for (const push of addresses) {
      await assert.rejects(peer.send('What is 2 + 2?', { push }), /address/, push)
    }
    // A name can only be judged when it is resolved.
    const byName = receiver.url.replace('127.0.0.1', 'localhost')
    await peer.send('What is 2 + 2?', { push: byName })
    for (let tried = 0; tried < 200 && log.length === 0; tried++) await wait(10)
    assert.match(log.join('\n'), /localhost.*it is not public/)
    assert.deepEqual(receiver.notices, [])
  })

  test('names files below the address of its own user, whatever Host others send', async (t) => {
    assert.ok(newPeer !== undefined)
    const receiver = await receiving(t)
    const asks = { toolCalls: [{ tool: 'send', input: { to: 'Ann' } }] }
    const notes = { toolCalls: [{ tool: 'note', input: { text: 'milk' } }], delayMs: 400 }
    const folder = join(await folderOf(t), 'files')
    const { url } = await a2aServing(t, (store) => [
      scriptedChat(store, [asks, notes, 'Noted.'], { tools: [sendTool(), noteTool], folder }),
    ])
    const peer = await newPeer(url, 'chat')
    const task = await peer.send('note milk', { push: receiver.url })
    await receiver.until(isWaiting)
    const approved = peer.send('approve', { task })
    await wait(100)
    const card = new URL('/.well-known/agent-card.json', url)
    const told = await new Promise<number | undefined>((resolve, reject) => {
      get(card, { headers: { host: 'localhost:9' } }, ({ statusCode }) => resolve(statusCode)).on(
        'error',
        reject,
      )
    })
    assert.equal(told, 200)
    await approved
    const { body } = await receiver.until((text) => text.includes('/files/'))
    assert.ok(body.includes(`${url}/a2a/chat/files/`), body)
    assert.ok(!body.includes('localhost'))
  })

  test('has at most ten receivers of a task', async (t) => {
    assert.ok(newPeer !== undefined)
    const { url } = await a2aServing(t, async (store) => [await offlineDecider(store)])
    const peer = await newPeer(url, 'decide')
    const { id } = await peer.send('What is 2 + 2?')
    for (let n = 0; n < 10; n++) await peer.setPush(id, `http://127.0.0.1:9/${n}`)
    await assert.rejects(peer.setPush(id, 'http://127.0.0.1:9/10'), /at most 10/)
  })
})
