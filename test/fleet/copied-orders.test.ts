import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { copyStore, openStore } from '@echelon/store'
import { type AgentDefinition, EchelonError } from 'echelon/runtime'
import { type ServedAgent, serveDefinition } from '@echelon/server'
import { runCommand } from '../../cli/src/testing/run-command.ts'
import { postgresServer } from '../postgres/server.ts'
import { Crew } from './crew.ts'
import { type Store, workerHere } from './kit.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-orders-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const LATER_MS = 3_600_000

/** An agent under the name of the busy one that fails at once, for good. */
const refusing = (store: Store): ServedAgent =>
  serveDefinition({ ...REFUSING, name: 'busy' }, { store, tools: [] })

const REFUSING: AgentDefinition<string, string, string> = {
  name: 'refusing',
  version: 1,
  actors: { all: {} },
  start: () => {
    throw new EchelonError('INVALID_INPUT', 'it refuses everything')
  },
  next: () => ({ type: 'finish', reason: 'done', result: '' }),
  observe: (state) => ({ state }),
  load: String,
}

test('[C-26] a copy is refused while ordered runs wait to begin, and is not by canceled or failed ones', async (t) => {
  const database = await (await postgresServer()).create('orders')
  const crew = await Crew.on(t, database, { principals: { bob: { atOnce: 1 } } })
  const copy = (withoutOrders = false) =>
    copyStore(database, join(folder, 'copy.db'), { withoutOrders })
  const work = { steps: 1, ms: 0 }
  await crew.order('failed', work)
  const worker = await workerHere({ database, agentsOn: (store) => [refusing(store)] })
  while ((await crew.engine.status('failed'))?.type !== 'failed') await wait(20)
  await worker.stop()
  await crew.order('canceled', work)
  assert.equal(await crew.engine.cancel('canceled'), true)
  assert.equal((await copy()).orders, 0, 'nothing waits')
  rmSync(join(folder, 'copy.db'))

  await crew.order('queued', work)
  await assert.rejects(copy(), {
    code: 'INVALID_INPUT',
    message: /^1 ordered run has not begun in .*, and a copy would lose it: .*--without-orders/,
  })
  await crew.order('limited', work, { principal: 'bob' })
  const later = {
    agent: 'busy',
    input: { text: '{}' },
    context: {},
    held: { maxCost: null, at: 0 },
  }
  await crew.engine.schedule({ run: 'later', task: later }, Date.now() + LATER_MS)
  await assert.rejects(copy(), { message: /^3 ordered runs have not begun .* would lose them/ })
  assert.ok(!existsSync(join(folder, 'copy.db')), 'nothing of it is left')

  const told = await runCommand(['state', 'copy', 'database', 'copy.db'], folder, {
    env: { ECHELON_DATABASE: database },
  })
  assert.equal(told.status, 2)
  assert.match(told.stderr, /3 ordered runs have not begun/)
  const forced = await runCommand(
    ['state', 'copy', 'database', 'copy.db', '--without-orders'],
    folder,
    { env: { ECHELON_DATABASE: database } },
  )
  assert.equal(forced.status, 0, forced.stderr)
  assert.match(
    forced.stdout,
    /Copied 0 runs .*\nLeft out, since they have not begun: 3 ordered runs\./,
  )
  await (await openStore(join(folder, 'copy.db'))).close()

  // A begun order no longer waits, and what is left of the others can be canceled.
  for (const run of ['limited', 'later']) await crew.engine.cancel(run)
  await crew.hire('one')
  await crew.until('queued', 'ended')
  await crew.dismiss('one')
  const { orders, rows } = await copyStore(database, join(folder, 'whole.db'))
  assert.deepEqual([orders, rows['runs']], [0, 1])
})
