import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { openStore } from '@echelon/store'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { costReport, openRecords, readUsage, recordFiles } from '@echelon/telemetry'
import { add, agentWith, asksToAdd, isError } from '../chat/kit.ts'

/** Records in a folder, and the output of `echelon costs` for them. */
async function bookIn(t: TestContext) {
  const folder = await folderFor(t)
  const records = openRecords({ folder })
  const read = async () => {
    // Records are written after a result has settled.
    await new Promise((resolve) => setImmediate(resolve))
    const { records: kept } = await readUsage(recordFiles(folder).usage)
    return { kept, total: costReport(kept, { by: 'run', timeZone: 'UTC' }).total }
  }
  return { records, read }
}

const agentIn = (store: Store, script: Parameters<typeof agentWith>[0], more = {}) =>
  agentWith(script, { store, tools: [{ ...add, needsApproval: true }], ...more })

/** A turn that asks, is suspended, and is answered. */
async function answered(store: Store, more: object): Promise<string> {
  const run = agentIn(store, [asksToAdd(1, 2)], more).run('add', { suspend: { afterMs: 0 } })
  await assert.rejects(run.result, isError('RUN_SUSPENDED'))
  const [request] = (await store.runs.find(run.id))?.requests ?? []
  await store.runs.reply(run.id, request?.id ?? '', 'once')
  return run.id
}

suite('what a run took is counted once', () => {
  test('after a suspend and a resume', async (t) => {
    const [store, { records, read }] = [await openStore(':memory:'), await bookIn(t)]
    const id = await answered(store, { records })
    const before = await read()
    assert.deepEqual(
      before.kept.map(({ finish_reason }) => finish_reason),
      ['suspended'],
    )
    assert.ok((before.total.cost ?? 0) > 0)
    const { cost } = await (await agentIn(store, ['3'], { records }).resume(id)).result
    const { kept, total } = await read()
    assert.deepEqual([kept.length, kept[0]?.finish_reason], [1, 'stop'])
    assert.deepEqual([total.runs, total.llm_calls, total.cost], [1, 2, cost])
  })

  test('after two processes tried to resume it: the later one records nothing', async (t) => {
    const file = `${await folderFor(t)}/echelon.db`
    const stores = [await openStore(file), await openStore(file)]
    t.after(() => Promise.all(stores.map((store) => store.close())))
    const [first, second] = stores
    assert.ok(first !== undefined && second !== undefined)
    const { records, read } = await bookIn(t)
    const id = await answered(first, { records })
    // It has read the run before the other one resumes it, and writes after that one has ended it.
    const gate = Promise.withResolvers<void>()
    const journal: Journal = {
      read: (run) => second.runs.read(run),
      append: async (run, entries) => gate.promise.then(() => second.runs.append(run, entries)),
    }
    const late = await agentIn(second, ['never'], { records, journal }).resume(id)
    const { cost } = await (await agentIn(first, ['3'], { records }).resume(id)).result
    await read()
    gate.resolve()
    await assert.rejects(late.result, isError('RUN_BUSY'))
    const { kept, total } = await read()
    assert.deepEqual([kept.length, kept[0]?.finish_reason], [1, 'stop'])
    assert.deepEqual([total.llm_calls, total.cost], [2, cost])
  })

  test('after a fork: the fork has only its own usage, also when it is resumed', async (t) => {
    const [store, { records, read }] = [await openStore(':memory:'), await bookIn(t)]
    const settings = { store, records, tools: [add] }
    const whole = agentWith([asksToAdd(1, 2), 'three'], settings).run('add')
    const { cost } = await whole.result
    const fork = await agentWith([{ toolCalls: [{ tool: 'add', input: { a: 1, b: 1 } }] }], {
      ...settings,
      tools: [{ ...add, needsApproval: true }],
    }).fork(whole.id, { at: 2, as: 'f', suspend: { afterMs: 0 } })
    await assert.rejects(fork.result, isError('RUN_SUSPENDED'))
    await store.runs.askToCancel('f')
    const end = await (await agentWith([], settings).resume('f')).result
    const { kept, total } = await read()
    assert.deepEqual(
      kept.map(({ run_id }) => run_id),
      [whole.id, 'f'],
    )
    assert.equal(total.llm_calls, 3)
    // The first call, from which the fork goes on, is the other run's alone.
    assert.ok((end.cost ?? 0) > 0 && (end.cost ?? 0) < (cost ?? 0))
    const sum = (cost ?? 0) + (end.cost ?? 0)
    assert.ok(Math.abs((total.cost ?? 0) - sum) < 1e-12, `${total.cost} is not ${sum}`)
  })
})
