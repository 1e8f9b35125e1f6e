import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import type { RunSummary } from '../../packages/echelon/src/core/store/run-store.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { openStore } from '@echelon/store'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { fileOf } from '../programs.ts'

interface Other {
  readonly store: Store
  /** The process's final output. */
  readonly said: Promise<unknown>
}

async function begun(t: TestContext, whose: string): Promise<Other> {
  const file = join(await folderFor(t), 'echelon.db')
  const child = fork(fileOf('lasting/followed-in-child.ts'), [file, whose])
  t.after(() => child.kill('SIGKILL'))
  const store = await openStore(file)
  t.after(() => store.close())
  return { store, said: once(child, 'message').then(([message]: unknown[]) => message) }
}

/** The only run of the store, once it has the expected status. */
async function runThat(
  { runs }: Store,
  is: (run: RunSummary) => boolean | Promise<boolean>,
): Promise<RunSummary> {
  for (;;) {
    const [run] = await runs.list()
    if (run !== undefined && (await is(run))) return run
    await wait(20)
  }
}

suite('a run under way in another process', { timeout: 60_000 }, () => {
  test('receives the answer to its request, and a cancel during a model call', async (t) => {
    const { store, said } = await begun(t, 'agent')
    const run = await runThat(store, ({ requests }) => requests.length > 0)
    await store.runs.reply(run.id, run.requests[0]?.id ?? '', 'once', 'ada')
    // The tool has acted, and the second model call is in flight.
    await runThat(store, async () => {
      const opened = (await store.runs.read(run.id)).filter(({ type }) => type === 'opened')
      return opened.length === 2
    })
    assert.equal(await store.runs.askToCancel(run.id), true)
    assert.deepEqual(await said, { status: 'canceled', reason: 'canceled', sent: true })
    const ended = await runThat(store, ({ status }) => status === 'canceled')
    assert.equal(ended.isCancelAsked, false)
    const entries = await store.runs.read(run.id)
    assert.equal(entries.filter(({ type }) => type === 'ended').length, 1)
    const replied = entries.find((entry) => entry.type === 'replied')
    assert.equal(replied?.type === 'replied' && replied.by, 'ada')
  })

  test('of a decider also receives a cancel during a tool call', async (t) => {
    const { store, said } = await begun(t, 'decider')
    const isCalling = async ({ id }: RunSummary): Promise<boolean> =>
      (await store.runs.read(id)).some(({ type }) => type === 'closed')
    const run = await runThat(store, isCalling)
    assert.equal(await store.runs.askToCancel(run.id), true)
    assert.deepEqual(await said, { reason: 'canceled' })
    assert.equal((await runThat(store, ({ status }) => status === 'canceled')).reason, 'canceled')
  })
})
