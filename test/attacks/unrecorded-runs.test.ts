import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { createAssistant } from '@echelon/assist'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { openStore, type Store } from '@echelon/store'
import { createSupportAgent } from '@echelon/support'
import { asBound, scriptedModel } from 'echelon/testing'
import { CANNOT, fillUp, smallDisk } from './small-disk.ts'

const model = () => asBound(scriptedModel(['Hello.', 'Hello.']), 'demo/small')

/** Starts a run, or a fork of the stored one, and returns its events. */
type Begin = (store: Store, kept: string) => Promise<readonly RunEvent[]>

const heardOf = async (run: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> => {
  const heard: RunEvent[] = []
  try {
    for await (const event of run) heard.push(event)
  } catch (error) {
    throw new Heard(error, heard)
  }
  return heard
}

/** How it ended, and the events until then. */
class Heard extends Error {
  readonly heard: readonly RunEvent[]

  constructor(cause: unknown, heard: readonly RunEvent[]) {
    super('the run failed', { cause })
    this.heard = heard
  }
}

const BEGUN: Readonly<Record<string, Begin>> = {
  'a chat': async (store) =>
    heardOf(createAgent({ model: model(), permissions: {}, journal: store.runs }).run('hello')),
  'a turn of a conversation that is kept': async (store) => {
    const agent = createAgent({ model: model(), permissions: {}, store })
    const session = await agent.openSession('kept')
    return heardOf(agent.run('hello', { session }))
  },
  'a fork': async (store, kept) => {
    const agent = createAgent({ model: model(), permissions: {}, journal: store.runs })
    return heardOf(await agent.fork(kept, { at: 0 }))
  },
  'a case': async (store) => {
    const heard: RunEvent[] = []
    const decider = await createDecider({ journal: store.runs })
    const onEvent = (event: RunEvent): void => void heard.push(event)
    try {
      await decider.runCase('What is 15 * 23?', { onEvent })
    } catch (error) {
      throw new Heard(error, heard)
    }
    return heard
  },
  'a support turn': async (store) => {
    const agent = await createSupportAgent({ store })
    const message = { id: 'm1', text: 'Where is my order O-12345?', customerId: 'C-001' }
    const run = await agent.start(message, 'session-1')
    const heard = await heardOf(run)
    await run.response
    return heard
  },
  'an assistant': async (store) => {
    const assistant = createAssistant({ store })
    const session = await assistant.openSession('assisted', { keep: true })
    return heardOf(assistant.run('hello', { session }))
  },
}

async function keptIn(t: TestContext) {
  const disk = smallDisk(t, 1024)
  if (disk === undefined) return undefined
  const store = await openStore(join(disk, 'store.db'))
  const run = createAgent({ model: model(), permissions: {}, journal: store.runs }).run('hello')
  await run.result
  return { disk, store, kept: run.id }
}

suite('a run that is not on record', () => {
  for (const [name, begin] of Object.entries(BEGUN)) {
    test(`${name} with a full store returns no id, and says so in a sentence`, async (t) => {
      const there = await keptIn(t)
      if (there === undefined) return t.skip(CANNOT)
      const { disk, store, kept } = there
      t.after(() => store.close().catch(() => undefined))
      fillUp(disk)
      const failed = await begin(store, kept).then(
        () => undefined,
        (error: unknown) => error,
      )
      const heard = failed instanceof Heard ? failed.heard : []
      const error = failed instanceof Heard ? failed.cause : failed
      assert.ok(error instanceof EchelonError, String(error))
      assert.match(error.message, /database or disk is full|disk I\/O error/)
      assert.doesNotMatch(error.message, /\n|and resume/)
      assert.deepEqual(
        heard.filter(({ type }) => type !== 'log'),
        [],
      )
      const ids = (await store.runs.list()).map(({ id }) => id)
      assert.deepEqual(ids, [kept])
      for (const id of error.message.match(/[\da-f]{8}-[\da-f-]{27}/g) ?? []) {
        assert.ok(ids.includes(id), 'names a run that is not there')
      }
    })
  }

  test('a run emits held-back events in order once it is recorded', async () => {
    const store = await openStore(':memory:')
    for (const [name, begin] of Object.entries(BEGUN)) {
      if (name === 'a fork') continue
      const [first, second] = await begin(store, '')
      assert.deepEqual([first?.type, second !== undefined], ['run-start', true], name)
      assert.ok(first?.type === 'run-start')
      assert.equal((await store.runs.find(first.runId))?.id, first.runId, name)
    }
    await store.close()
  })
})
