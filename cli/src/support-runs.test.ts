import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openStore } from '@echelon/store'
import { createSupportAgent, type TurnStore } from '@echelon/support'
import { folderFor, type Ran, runCommand } from './testing/run-command.ts'

/** A store with a finished turn, a waiting one and an interrupted one. */
async function kept(t: TestContext): Promise<(...args: string[]) => Promise<Ran>> {
  const folder = folderFor(t)
  const store = await openStore(join(folder, 'echelon.db'))
  const agent = await createSupportAgent({ store })
  const customerId = 'C-001'
  await agent.resolve({ id: 'm1', text: "Where's order O-12345?", customerId }, 'one')
  await agent.resolve({ id: 'm1', text: 'I want to check my order', customerId }, 'two')
  const left = { appends: 3 }
  const { runs, sessions, results } = store
  const failing: TurnStore = {
    async append(...given) {
      if (left.appends-- === 0) throw new Error('the disk is full')
      void runs.append(...given)
    },
    read: (id) => runs.read(id),
    find: (id) => runs.find(id),
    list: (filter) => runs.list(filter),
    leave: (id, how) => runs.leave?.(id, how),
  }
  const cut = await createSupportAgent({ store: { runs: failing, sessions, results } })
  const message = { id: 'm1', text: 'Is O-12345 there?', customerId }
  await assert.rejects(cut.resolve(message, 'three'), { code: 'JOURNAL_FAILED' })
  await store.close()
  return (...args) => runCommand(args, folder)
}

test('[S-14] lists, shows, examines and prunes turns of the support agent like any run', async (t) => {
  const run = await kept(t)
  const listed = await run('runs', 'list', '--all', '--store', 'echelon.db')
  assert.match(listed.stdout, /one\/m1 +support +done +\d+ \w+ +Where's order O-12345\?/)
  assert.match(listed.stdout, /two\/m1 +support +ended: asked +\d+ \w+ +I want to check my order/)
  assert.match(listed.stdout, /three\/m1 +support +was interrupted +\d+ \w+ +Is O-12345 there\?/)
  const shown = await run('runs', 'show', 'one/m1', '--store', 'echelon.db')
  assert.equal(shown.status, 0)
  assert.match(shown.stdout, /6 +calls tools .*success: true/)
  const doctor = await run('state', 'doctor', 'echelon.db')
  assert.equal(doctor.status, 0, doctor.stdout)
  assert.match(doctor.stdout, /1 interrupted, 2 finished/)
  const resumed = await run('runs', 'resume', 'three/m1', '--store', 'echelon.db')
  assert.equal(resumed.status, 2)
  assert.match(resumed.stderr, /turn of the support session three, .* its router finishes the run/)
  const pruned = await run('runs', 'prune', '--keep', '1', '--store', 'echelon.db')
  assert.equal(pruned.status, 0, pruned.stderr)
  const after = await run('runs', 'list', '--all', '--store', 'echelon.db')
  assert.match(after.stdout, /three\/m1/)
})
