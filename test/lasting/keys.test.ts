import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { openStore } from '@echelon/store'
import { fileOf } from '../programs.ts'
import { IS_WHOLE } from '../share.ts'

const TASK = 'What is 15 * 23?'

/** Processes with one key: loading each takes longer than its work. */
const [MANY, FEW] = IS_WHOLE ? [10, 5] : [4, 3]

interface Place {
  readonly file: string
  /** The file of the tool's actions, a line each. */
  readonly acts: string
}

async function place(t: TestContext): Promise<Place> {
  const folder = await folderFor(t)
  return { file: join(folder, 'echelon.db'), acts: join(folder, 'acts') }
}

/** A process that is ready to start. */
async function ready({ file, acts }: Place, key: string, how: string): Promise<ChildProcess> {
  const child = fork(fileOf('lasting/case-in-child.ts'), [file, acts, key, how])
  await once(child, 'message')
  return child
}

/** Its final output; undefined if it was killed. */
async function told(child: ChildProcess): Promise<unknown> {
  const messages: unknown[] = []
  child.on('message', (message) => messages.push(message))
  await once(child, 'exit')
  return messages[0]
}

/** So many processes with one key, all started at once. */
async function together(at: Place, inputs: readonly string[], how = 'lives') {
  const children = await Promise.all(inputs.map(() => ready(at, 'order-7', how)))
  const ends = children.map(told)
  for (const [index, child] of children.entries()) child.send(inputs[index] ?? '')
  return { ends: await Promise.all(ends), killed: children.filter((c) => c.signalCode !== null) }
}

const lines = (file: string): readonly string[] => readFileSync(file, 'utf8').trim().split('\n')

/** The intents and actions of the store's only run: each act once. */
async function assertOneRun(store: Store, acts: string): Promise<void> {
  const runs = await store.runs.list()
  assert.equal(runs.length, 1)
  const entries = await store.runs.read(runs[0]?.id ?? '')
  const intended = entries.flatMap((entry) => (entry.type === 'intended' ? [entry.key] : []))
  assert.ok(intended.length > 0)
  assert.deepEqual(lines(acts), intended)
}

suite('an idempotency key across processes', { timeout: 120_000 }, () => {
  test(`[DD-22] ${MANY} processes at once: it executes once, and all get the same result`, async (t) => {
    const at = await place(t)
    const { ends } = await together(
      at,
      Array.from({ length: MANY }, () => TASK),
    )
    for (const end of ends) assert.deepEqual(end, ends[0])
    assert.match(JSON.stringify(ends[0]), /"answer":"345"/)

    const store = await openStore(at.file)
    t.after(() => store.close())
    await assertOneRun(store, at.acts)
    // Days later, in another process, without a model call.
    const decider = await createDecider({ store, tools: [] })
    const again = await decider.runCase(TASK, { idempotencyKey: 'order-7' })
    assert.deepEqual({ result: again }, ends[0])
  })

  test('the data needed to resume a case is stored with its run', async () => {
    const store = await openStore(':memory:')
    const decider = await createDecider({ store })
    await decider.runCase(TASK, { idempotencyKey: 'order-8', made: { mode: 'fast' } })
    assert.deepEqual(
      (await store.runs.list()).map(({ made }) => made),
      [{ mode: 'fast' }],
    )
  })

  test('[DD-22] another input under the key is rejected in any process', async (t) => {
    const at = await place(t)
    const { ends } = await together(at, [TASK, TASK, 'What is 2 + 2?', TASK])
    const refused = ends.filter((end) => JSON.stringify(end) === '{"code":"KEY_REUSED"}')
    // Whichever was first, the other one is rejected.
    assert.ok(refused.length === 1 || refused.length === 3, JSON.stringify(ends))
    const store = await openStore(at.file)
    t.after(() => store.close())
    await assertOneRun(store, at.acts)
  })

  test('[DD-22] if the executing process is killed, another resumes its run', async (t) => {
    const at = await place(t)
    const { ends, killed } = await together(
      at,
      Array.from({ length: FEW }, () => TASK),
      'dies',
    )
    assert.equal(killed.length, 1)
    const whole = ends.filter((end) => end !== undefined)
    assert.equal(whole.length, FEW - 1)
    for (const end of whole) assert.deepEqual(end, whole[0])
    assert.match(JSON.stringify(whole[0]), /"answer":"345"/)
    // Its work from before its death is not repeated.
    const store = await openStore(at.file)
    t.after(() => store.close())
    await assertOneRun(store, at.acts)
  })
})
