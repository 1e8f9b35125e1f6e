import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from 'echelon/runtime'
import { resumed, started } from '../../packages/echelon/src/testing/run-store/premises.ts'
import { scripted, serving } from './served.ts'

test('a run that was given up is shown as failed, with what to do, and is not resumed', async (t) => {
  const reason = 'the run was given up at step 2: its process died 10 times in a row in read'
  const now = Date.now()
  const end: Entry = { type: 'ended', path: '', status: 'failed', reason, at: now }
  const { url } = await serving(t, async (store) => {
    const begun = started('r', now, { made: { served: { by: 'local', agent: 'chat' } } })
    await store.runs.append('r', [begun, { ...resumed(now, 1), interrupted: true }, end])
    return [scripted(store, [])]
  })
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  const run = await get('/runs/r')
  assert.partialDeepStrictEqual(run, {
    status: 'failed',
    end: { status: 'failed', reason: 'given_up', detail: reason, text: '' },
  })
  assert.partialDeepStrictEqual(await get('/runs?status=failed'), { runs: [{ id: 'r' }] })
  assert.partialDeepStrictEqual(await get('/runs?status=interrupted'), { runs: [] })
})
