import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAssistant, DEFAULT_INTENT, memoryFolder } from '@echelon/assist'
import { createClient } from 'echelon/client'
import { hashToken, newToken, serveAssistant } from '@echelon/server'
import { keptIntents } from '../../cli/src/serve/kept-intents.ts'
import { decider, serving } from './served.ts'

test('each user reads and changes their own intent, and no other`s edit is overwritten', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [ada, bob] = [newToken(), newToken()]
  const folderOf = (user: string) => memoryFolder(join(folder, user))
  const { url } = await serving(
    t,
    async (store) => [
      serveAssistant(
        Object.assign(createAssistant({ store }), { intents: keptIntents(folderOf) }),
        { maxCost: 0 },
      ),
      await decider(store),
    ],
    {
      tokens: [
        { name: 'ada', sha256: hashToken(ada) },
        { name: 'bob', sha256: hashToken(bob) },
      ],
    },
  )
  const [hers, his] = [createClient({ url, token: ada }), createClient({ url, token: bob })]
  const read = await hers.intent.get('assist')
  assert.deepEqual(read.intent, DEFAULT_INTENT)
  const intent = { ...DEFAULT_INTENT, non_goals: ['long answers'] }
  const written = await hers.intent.set('assist', { intent, if_version: read.version })
  assert.deepEqual([written.intent, written.version > read.version], [intent, true])
  assert.deepEqual(await folderOf('ada').intent(), intent)
  await assert.rejects(hers.intent.set('assist', { intent, if_version: read.version }), {
    status: 409,
  })
  await assert.rejects(
    hers.intent.set('assist', { intent: { ...intent, patterns: { unknown: ['x'] } } }),
    { status: 400, message: /neither a non-goal nor a stop condition/ },
  )
  assert.deepEqual((await his.intent.get('assist')).intent, DEFAULT_INTENT)
  await assert.rejects(hers.intent.get('decide'), { status: 404 })
})
