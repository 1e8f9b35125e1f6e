import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { Session } from '../../packages/echelon/src/agents/chat/session/session.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { AgentBuilder } from '../../packages/echelon/src/chat.ts'
import { openStore } from '@echelon/store'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { isError } from '../chat/kit.ts'
import { actsIn, assistant, sending } from './assistant.ts'
import { fileOf } from '../programs.ts'

type Assistant = ReturnType<typeof assistant>

const STORES: Readonly<Record<string, (t: TestContext) => Promise<Store>>> = {
  'in memory': () => openStore(':memory:'),
  'in a file': async (t) => {
    const store = await openStore(join(await folderFor(t), 'echelon.db'))
    t.after(() => store.close())
    return store
  },
}

const texts = ({ messages }: Session): readonly string[] =>
  messages.map(({ content }) =>
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : part.type)).join(),
  )

async function say(agent: Agent, session: Session, text: string): Promise<string> {
  return (await agent.run(text, { session }).result).text
}

for (const [where, open] of Object.entries(STORES)) {
  suite(`a conversation that is kept ${where}`, () => {
    test('[C-31] is opened again unchanged, with its states, by another agent of the same name', async (t) => {
      const store = await open(t)
      const first = assistant({ store, instructions: 'Be brief.' })
      const session = await first.openSession('ada')
      assert.equal(session.isKept, true)
      assert.equal(await say(first, session, 'one'), 'Turn 1: one')
      assert.equal(await say(first, session, 'two'), 'Turn 2: two')

      const second = assistant({ store, instructions: 'Be brief.' })
      const again = await second.openSession('ada')
      assert.deepEqual(again.messages, session.messages)
      const run = second.run('three', { session: again })
      const { text, state } = await run.result
      assert.equal(text, 'Turn 3: three')
      assert.equal(state.middleware.turns.count, 3)
      assert.deepEqual(texts(await first.openSession('ada')), texts(again))
      assert.deepEqual(texts(again).slice(0, 3), ['Be brief.', 'one', 'Turn 1: one'])
    })

    test('is rewritten completely if the instructions changed', async (t) => {
      const store = await open(t)
      const first = assistant({ store, instructions: 'Be brief.' })
      await say(first, await first.openSession('ada'), 'one')
      const second = assistant({ store, instructions: 'Be long.' })
      const session = await second.openSession('ada')
      await say(second, session, 'two')
      const kept = await store.sessions.load('ada')
      assert.deepEqual(kept?.messages, JSON.parse(JSON.stringify(session.messages)))
      assert.equal(texts(session)[0], 'Be long.')
      assert.equal(texts(session).length, 5)
    })

    test('an undone turn is removed with the next turn', async (t) => {
      const store = await open(t)
      const agent = assistant({ store })
      const session = await agent.openSession('ada')
      for (const text of ['one', 'two', 'three']) await say(agent, session, text)
      assert.equal(session.undo(), true)
      assert.equal(session.undo(), true)
      assert.equal((await agent.openSession('ada')).length, 6)
      await say(agent, session, 'other')
      const kept = ['one', 'Turn 1: one', 'other', 'Turn 2: other']
      assert.deepEqual(texts(await agent.openSession('ada')), kept)
      // And so is the one after it.
      await say(agent, session, 'last')
      assert.equal((await agent.openSession('ada')).length, 6)
    })

    test('an object opened before another process continued the session must be opened again', async (t) => {
      const store = await open(t)
      const agent = assistant({ store })
      const early = await agent.openSession('ada')
      const late = await agent.openSession('ada')
      await say(agent, late, 'one')
      const refused = isError('SESSION_BUSY', /was continued elsewhere.*openSession/)
      await assert.rejects(agent.run('two', { session: early }).result, refused)
      assert.equal((await store.runs.list()).length, 1, 'nothing of it is on record')
      assert.equal(await say(agent, await agent.openSession('ada'), 'two'), 'Turn 2: two')
    })

    test('a waiting turn comes before all others, and is found by its run', async (t) => {
      const store = await open(t)
      const acts = join(await folderFor(t), 'acts')
      const make = (): Assistant =>
        assistant({ store, tools: [sending(acts, true)], suspend: { afterMs: 0 } })
      const first = make()
      const session = await first.openSession('ada')
      await say(first, session, 'one')
      const waiting = first.run('send it', { session })
      await assert.rejects(waiting.result, isError('RUN_SUSPENDED'))
      assert.equal(session.unfinished?.run, waiting.id)
      assert.equal(session.unfinished.status, 'waiting')
      const [request] = session.unfinished.requests
      assert.ok(request !== undefined)
      const refused = isError('RUN_BUSY', new RegExp(waiting.id))
      await assert.rejects(first.run('two', { session }).result, refused)
      assert.throws(() => session.undo(), isError('RUN_BUSY'))

      // In another process, the next day.
      const second = make()
      const opened = await second.openSession('ada')
      assert.deepEqual(opened.unfinished, session.unfinished)
      assert.equal(opened.length, 2)
      await store.runs.reply(waiting.id, request.id, 'once', 'ada')
      const { text } = await (await second.resume(waiting.id)).result
      assert.equal(text, 'It is sent.')
      assert.equal(actsIn(acts).length, 1)
      const after = await second.openSession('ada')
      assert.equal(after.unfinished, undefined)
      assert.equal(after.length, 6)
      assert.equal(await say(second, after, 'last'), 'Turn 3: last')
      // An outdated object is reported as such, not as waiting.
      const older = first.run('x', { session })
      await assert.rejects(older.result, isError('SESSION_BUSY', /open it again/))
      // An ended run returns its end again and changes nothing.
      assert.equal((await (await make().resume(waiting.id)).result).text, 'It is sent.')
      assert.equal((await make().openSession('ada')).length, 8)
    })

    test('a disposable one leaves nothing when it ends', async (t) => {
      const store = await open(t)
      const agent = assistant({ store })
      const session = await agent.openSession('secret', { disposable: true })
      await say(agent, session, 'one')
      assert.equal((await store.sessions.load('secret'))?.isDisposable, true)
      // Also with an object that was opened without the option.
      const again = await agent.openSession('secret')
      await again.end()
      assert.equal(await store.sessions.load('secret'), undefined)
      assert.deepEqual(await store.runs.list(), [])
      assert.deepEqual(again.messages, [])
      assert.throws(
        () => agent.run('two', { session: again }),
        isError('INVALID_INPUT', /has ended/),
      )

      const other = await agent.openSession('kept')
      await say(agent, other, 'one')
      await other.end()
      assert.equal((await agent.openSession('kept')).length, 2)
    })

    test('it belongs to one agent, by name', async (t) => {
      const store = await open(t)
      const agent = assistant({ store })
      await say(agent, await agent.openSession('ada'), 'one')
      const other = assistant({ store, name: 'other' })
      await assert.rejects(
        other.openSession('ada'),
        isError('INVALID_INPUT', /of the agent assistant/),
      )
      await assert.rejects(agent.openSession(''), isError('INVALID_INPUT'))
    })
  })
}

test('a session can be continued only by an agent of its own store', async () => {
  const [one, other] = [await openStore(':memory:'), await openStore(':memory:')]
  const session = await assistant({ store: one }).openSession('ada')
  const refused = isError('INVALID_INPUT', /in a store other than/)
  assert.throws(() => assistant({ store: other }).run('one', { session }), refused)
  assert.throws(() => assistant({}).run('one', { session }), refused)
  const built = new AgentBuilder().name('assistant').model('offline/small').store(one).build()
  const run = built.run('What is 15 * 23?', { session, made: { from: 'a test' } })
  assert.equal((await run.result).reason, 'stop')
  const [kept] = await one.runs.list({ session: 'ada' })
  assert.deepEqual([kept?.id, kept?.made], [run.id, { from: 'a test' }])
})

test('without a store, or with another journal, no conversation is stored', async () => {
  const isRefused = isError('INVALID_CONFIG', /store|journal/)
  await assert.rejects(assistant({}).openSession('ada'), isRefused)
  const journal = (await openStore(':memory:')).runs
  await assert.rejects(
    assistant({ store: await openStore(':memory:'), journal }).openSession('ada'),
    isRefused,
  )
})

test(
  '[C-31] killed between any two appends of a turn: earlier messages stay, and the turn is resumed',
  {
    timeout: 120_000,
  },
  async (t) => {
    const folder = await folderFor(t)
    const expected =
      'one,Turn 1: one,two,Turn 2: two,three,Turn 3: three,send it,tool-call,tool-result,It is sent.,five,Turn 5: five'.split(
        ',',
      )
    for (let appends = 0, isDead = true; isDead; appends++) {
      const [file, acts] = [join(folder, `${appends}.db`), join(folder, `${appends}-acts`)]
      const child = fork(fileOf('lasting/turns-in-child.ts'), [file, acts, `${appends}`])
      const [, signal] = await once(child, 'exit')
      isDead = signal === 'SIGKILL'
      const store = await openStore(file)
      const agent = assistant({ store, tools: [sending(acts)] })
      const session = await agent.openSession('ada')
      assert.deepEqual(texts(session), expected.slice(0, isDead ? 6 : 10))
      const { unfinished } = session
      assert.equal(unfinished?.status, isDead && appends > 0 ? 'interrupted' : undefined)
      if (unfinished !== undefined) await (await agent.resume(unfinished.run, { session })).result
      else if (isDead) await say(agent, session, 'send it')
      assert.equal(await say(agent, session, 'five'), 'Turn 5: five')
      assert.deepEqual(texts(await agent.openSession('ada')), expected)
      assert.equal(actsIn(acts).length, 1, `killed after ${appends} appends`)
      await store.close()
    }
  },
)
