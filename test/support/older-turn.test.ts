import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Snapshot } from '../../packages/echelon/src/core/journal/snapshot.ts'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { openStore } from '@echelon/store'
import { AgentRouter, InMemoryConversationMemory } from '@echelon/support'

/** A turn started by version 1 of the agent, interrupted right before its tool call. */
const OLDER: {
  readonly entries: readonly Entry[]
  readonly snapshot: Snapshot & { readonly state: JsonObject }
} = JSON.parse(readFileSync(new URL('../golden/older/support-v1.json', import.meta.url), 'utf8'))

const SENT = { id: 'm-1', text: "Where's order O-12345?", customerId: null }

/** A router whose store holds the older turn, and the conversation as that turn left it. */
async function afterUpgrade(kept: { readonly snapshot?: Snapshot }): Promise<AgentRouter> {
  const { runs } = await openStore(':memory:')
  await runs.append('s-1/m-1', OLDER.entries, kept)
  runs.leave?.('s-1/m-1', { type: 'over' })
  const memory = new InMemoryConversationMemory()
  const metadata = { id: 'm-1:user', customerId: null, context: {} }
  const timestamp = '2026-11-23T00:00:00.000+00:00'
  await memory.append('s-1', { role: 'user', text: SENT.text, timestamp, metadata })
  return new AgentRouter({ memory, store: { runs } })
}

test('[S-14] a turn of version 1 is resumed from a snapshot taken after its policy check', async () => {
  const router = await afterUpgrade({ snapshot: OLDER.snapshot })
  const { text, toolResult } = await router.resolve(SENT, 's-1')
  assert.match(text, /O-12345 is shipped via UPS/)
  assert.equal(toolResult?.success, true)
})

test('[S-14] a turn of version 1 without a snapshot is refused with what to do', async () => {
  const router = await afterUpgrade({})
  const message = /begun by support version 1, not by support version 3; finish it on that version/
  await assert.rejects(router.resolve(SENT, 's-1'), { code: 'JOURNAL_MISMATCH', message })
})

test('[S-14] a turn that weighed requests in an older way is refused before anything is done', async () => {
  const older = { left: [], answers: { kind: 'choice' } }
  const stored = (weighing: JsonObject): Snapshot => ({
    ...OLDER.snapshot,
    state: { ...OLDER.snapshot.state, queue: [{ do: 'weigh', ...weighing }] },
  })
  const refused = await afterUpgrade({ snapshot: stored(older) })
  await assert.rejects(refused.resolve(SENT, 's-1'), { code: 'STATE_REFUSED' })
  const taken = await afterUpgrade({ snapshot: stored({ ...older, weighed: [] }) })
  assert.match((await taken.resolve(SENT, 's-1')).text, /O-12345 is shipped/)
})
