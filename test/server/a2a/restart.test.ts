import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { a2aServing, copiesTool, demoSupport, folderOf, scriptedChat } from './a2a-served.ts'
import { allOf, folded, type PeerMaker, PEERS, type ShownTask } from './peers.ts'

interface Killed {
  readonly file: string
  readonly asked: ShownTask
}

const KILLED = mkdtempSync(join(tmpdir(), 'echelon-a2a-'))
after(() => rmSync(KILLED, { recursive: true, force: true }))
let killed: Promise<Killed> | undefined

/** A copy of a store whose server was killed while a task waited for a reply. */
async function killedWhileItWaits(t: TestContext, peerOf: PeerMaker): Promise<Killed> {
  killed ??= killOne(peerOf)
  const { file, asked } = await killed
  const folder = await folderOf(t)
  cpSync(dirname(file), folder, { recursive: true })
  return { file: join(folder, 'store.db'), asked }
}

async function killOne(peerOf: PeerMaker): Promise<Killed> {
  const file = join(KILLED, 'store.db')
  const program = join(import.meta.dirname, 'serving-child.ts')
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=echelon-source', program, file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url]: unknown[] = await once(createInterface(child.stdout), 'line')
  const asked = await (await peerOf(String(url), 'chat')).send('Print it')
  assert.equal(asked.state, 'input-required')
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
  return { file, asked }
}

for (const [name, peerOf] of Object.entries(PEERS)) {
  describe(`[DD-19] a server that starts again, for a client of ${name}`, () => {
    test('knows the tasks of before as they were', async (t) => {
      const file = join(await folderOf(t), 'store.db')
      const first = await a2aServing(t, (store) => [scriptedChat(store, ['Hello.'])], { file })
      const task = await (await peerOf(first.url, 'chat')).send('hi', { context: 'c-1' })
      await first.stop()
      const second = await a2aServing(t, (store) => [scriptedChat(store, [])], { file })
      assert.deepEqual(await (await peerOf(second.url, 'chat')).get(task.id), task)
    })

    test('takes the reply to a task that waits, and goes on with it', async (t) => {
      const { file, asked } = await killedWhileItWaits(t, peerOf)
      const tools = [copiesTool]
      const second = await a2aServing(t, (store) => [scriptedChat(store, ['Three.'], { tools })], {
        file,
      })
      const peer = await peerOf(second.url, 'chat')
      const found = await peer.get(asked.id)
      assert.deepEqual([found.state, found.says, found.data], [asked.state, asked.says, asked.data])
      const events = await allOf(peer.stream('3', { task: asked }))
      assert.equal(folded(events)['answer'], 'Three.')
      const task = await peer.get(asked.id)
      assert.equal(task.state, 'completed')
      assert.deepEqual(task.history, ['user', 'agent', 'user', 'agent'])
    })

    test('lets a client follow a task that waited, and another one answers it', async (t) => {
      const { file, asked } = await killedWhileItWaits(t, peerOf)
      const tools = [copiesTool]
      const second = await a2aServing(t, (store) => [scriptedChat(store, ['Two.'], { tools })], {
        file,
      })
      const peer = await peerOf(second.url, 'chat')
      const following = allOf(peer.resubscribe(asked.id))
      await wait(100)
      await peer.send({ data: { reply: 2 } }, { task: asked })
      const events = await following
      assert.equal(folded(events)['answer'], 'Two.')
      assert.equal(events.filter(({ type }) => type === 'task').length, 1)
    })

    test('cancels a task that waited', async (t) => {
      const { file, asked } = await killedWhileItWaits(t, peerOf)
      const tools = [copiesTool]
      const second = await a2aServing(t, (store) => [scriptedChat(store, [], { tools })], { file })
      const peer = await peerOf(second.url, 'chat')
      assert.equal((await peer.cancel(asked.id)).state, 'canceled')
      assert.equal((await peer.get(asked.id)).state, 'canceled')
    })

    test('keeps the turns of a conversation that asked for more', async (t) => {
      const folder = await folderOf(t)
      const file = join(folder, 'store.db')
      const agents = async (store: Parameters<typeof demoSupport>[0]) => [
        await demoSupport(store, folder),
      ]
      const first = await a2aServing(t, agents, { file })
      const asked = await (await peerOf(first.url, 'support')).send('I want to cancel an order')
      await first.stop()
      const second = await a2aServing(t, agents, { file })
      const peer = await peerOf(second.url, 'support')
      assert.deepEqual(await peer.get(asked.id), asked)
      const next = await peer.send('O-12347', { task: asked })
      assert.deepEqual([next.id, next.history.slice(0, 3)], [asked.id, ['user', 'agent', 'user']])
      await second.stop()
      const third = await a2aServing(t, agents, { file })
      assert.deepEqual(await (await peerOf(third.url, 'support')).get(asked.id), next)
    })
  })
}
