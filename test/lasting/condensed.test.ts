import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { z } from 'zod'
import { openStore } from '@echelon/store'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { add, agentWith, asksToAdd, isError } from '../chat/kit.ts'

const KINDS: Readonly<Record<string, (t: TestContext) => Promise<Store>>> = {
  memory: () => openStore(':memory:'),
  'a file': async (t) => openStore(`${await folderFor(t)}/echelon.db`),
}

const PAYS = { toolCalls: [{ tool: 'pay', input: {} }] }

function paying(): { readonly tool: Tool; readonly paid: () => number } {
  let paid = 0
  const tool = defineTool({
    name: 'pay',
    description: 'pays',
    input: z.object({}),
    does: 'acts',
    needsApproval: true,
    run: () => ++paid,
  })
  return { tool, paid: () => paid }
}

/** A turn of many steps that waits twice; what its store then holds, and how it ends. */
async function lived(store: Store, condense: boolean) {
  const { tool, paid } = paying()
  const settings = { store, tools: [add, tool], suspend: { afterMs: 0 } }
  const first = agentWith(['Hello.', asksToAdd(1, 2), asksToAdd(3, 4), PAYS], settings)
  const session = await first.openSession('s')
  await first.run('hi', { session }).result
  const begun = first.run('add and pay', { session, runId: 'r' })
  await assert.rejects(begun.result, isError('RUN_SUSPENDED'))
  const lengths: number[] = []
  const goOn = async (script: Parameters<typeof agentWith>[0]) => {
    assert.equal((await store.runs.prune({ condense })).condensed, condense ? 1 : 0)
    lengths.push((await store.runs.read('r')).length)
    const [request] = (await store.runs.find('r'))?.requests ?? []
    await store.runs.reply('r', request?.id ?? '', 'once')
    const resumed = await agentWith(script, settings).resume('r')
    return resumed.result
  }
  await assert.rejects(goOn([asksToAdd(5, 6), PAYS]), isError('RUN_SUSPENDED'))
  const { text, reason, messages, usage, cost } = await goOn(['All paid.'])
  const kept = (await agentWith([], settings).openSession('s')).messages
  assert.equal(paid(), 2)
  return { lengths, end: { text, reason, messages, usage, cost, kept } }
}

suite('a run whose first steps are kept no more', () => {
  for (const [kind, open] of Object.entries(KINDS)) {
    test(`[C-31] in ${kind}: it comes to the same end, and again after it has waited again`, async (t) => {
      const stores = [await open(t), await open(t)]
      t.after(() => Promise.all(stores.map((store) => store.close())))
      const [one, other] = stores
      assert.ok(one !== undefined && other !== undefined)
      const [whole, short] = [await lived(one, false), await lived(other, true)]
      assert.deepEqual(short.end, whole.end)
      for (const [nth, length] of short.lengths.entries()) {
        assert.ok(length < (whole.lengths[nth] ?? 0) / 2, `${length} entries`)
      }
      await assert.rejects(
        agentWith([], { store: other, tools: [add, paying().tool] }).fork('r', { at: 1 }),
        isError('INVALID_INPUT', /give an at from \d+ to/),
      )
    })
  }
})
