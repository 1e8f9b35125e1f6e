import assert from 'node:assert/strict'
import { type OpenedStore, openKnowledge, openStore } from '@echelon/store'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  asked,
  closed,
  ended,
  started,
} from '../../packages/echelon/src/testing/run-store/premises.ts'
import { verifyAuditLines } from '../../packages/telemetry/src/audit-verify.ts'

export const AT = 1_760_000_000_000
const SCOPE = { kind: 'user', id: 'ada\0' } as const
export const RUNS = 550

const states = { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null } as const

/** Writes something into each part of a store. */
export async function fill(store: OpenedStore): Promise<void> {
  for (let nth = 0; nth < RUNS; nth++) {
    const run = `r${nth}`
    await store.runs.append(run, [started(run, AT + nth), ended(AT + nth)])
  }
  await store.runs.append('waits', [
    started('waits', AT, { turnOf: 'ada/1', made: { served: { by: 'bob' } } }),
    asked('q', AT),
  ])
  store.runs.leave('waits', { type: 'suspended' })
  const made = { name: 'a.png', path: '/a', mediaType: 'image/png', bytes: 1, sha256: '0' }
  const outcome = { type: 'ok', value: null, artifacts: [made] } as const
  await store.runs.append('turn', [started('turn', AT, { turnOf: 'ada/2' })])
  await store.runs.append(
    'turn',
    [{ type: 'settled', path: '', seq: 0, call: 0, outcome }, closed(0, AT), ended(AT)],
    {
      session: {
        id: 'ada/2',
        agent: 'chat',
        from: 0,
        keep: 0,
        at: AT,
        continues: null,
        states,
        messages: [userMessage('hi\0'), userMessage('ä€😀')],
      },
    },
  )
  for (const title of ['one', 'two\0'])
    await store.notes.write({ type: 'create', scope: SCOPE, title, text: title }, title)
  await store.notes.write({ type: 'delete', scope: SCOPE, id: 'n1' }, 'gone')
  await store.memories.write('m', { a: [1, null] }, { key: 'k' })
  await store.results.claim('key', 'input', 'turn')
  await store.results.settle('key', { answer: 42 })
  await store.cache.set('question', 'answer', 1e12)
  store.events.listener.hear({ type: 'said', path: '', seq: 0, text: 'hello' }, 'turn')
  store.audit.record({
    type: 'run-acted',
    ts: '2026-11-22T00:00:00.000+00:00',
    runId: 'r',
    taskId: 't',
    actor: 'planner',
    action: 'plan',
    details: {},
  })
  await store.close()
}

/** Reads everything that a program can read from a store. */
export async function readAll(address: string): Promise<unknown> {
  const store = await openStore(address)
  try {
    const runs = await store.runs.list({ limit: RUNS * 2 })
    return {
      runs,
      entries: await Promise.all(
        ['waits', 'turn', 'r7'].map(async (run) => await store.runs.read(run)),
      ),
      owned: await store.runs.list({ owner: 'bob' }),
      sessions: await store.sessions.list(),
      turn: await store.sessions.load('ada/2'),
      notes: await store.notes.find([SCOPE]),
      memory: await store.memories.read('m'),
      claim: await store.results.claim('key', 'input', 'other'),
      cached: await store.cache.get('question'),
      events: await store.events.read('turn'),
      files: await store.artifacts.find('a.png'),
      audit: await store.audit.read(),
    }
  } finally {
    await store.close()
  }
}

/** Checks that a store that was copied or restored continues where it was. */
export async function goOn(address: string): Promise<void> {
  const store = await openStore(address)
  await store.runs.reply('waits', 'q', 'yes')
  assert.deepEqual(
    (await store.runs.due()).map(({ id }) => id),
    ['waits'],
  )
  const note = await store.notes.write(
    { type: 'create', scope: SCOPE, title: 'three', text: '' },
    'three',
  )
  assert.equal(Object(note).id, 'n3', 'no number is used twice')
  store.audit.record({
    type: 'run-refused',
    ts: '2026-11-22T00:00:00.000+00:00',
    code: 'INVALID_INPUT',
    agent: 'decide',
  })
  assert.equal(verifyAuditLines(await store.audit.read()).broken, null)
  await store.close()
}

/** Adds two documents, one with vectors of meaning beside those of words. */
export async function fillKnowledge(address: string): Promise<void> {
  const knowledge = await openKnowledge(address)
  const few = Float32Array.from({ length: 64 }, (_, at) => +(at === 5))
  for (const id of ['gone.md', 'a\0.md', 'b.md']) {
    const chunks = [few, new Float32Array(64).fill(1 / 8), few].map((vector, nth) => ({
      nth,
      text: `Part ${nth} of ${id} tells of Äpfel\0`,
      headings: ['Über', id],
      page: nth === 0 ? null : nth,
      tokens: 9,
      vectors: nth === 2 ? [vector, new Float32Array(64).fill(-1 / 8)] : [vector],
    }))
    await knowledge.put({ id, title: `On ${id}`, digest: id, addedAt: AT }, chunks, 'test/64')
  }
  await knowledge.remove('gone.md')
  await knowledge.close()
}

/** Reads everything that a program can find in knowledge. */
export async function readKnowledge(address: string): Promise<unknown> {
  const knowledge = await openKnowledge(address)
  try {
    const vector = new Float32Array(64).fill(1 / 8)
    return {
      embedder: await knowledge.embedder(),
      sources: await knowledge.sources(),
      byWords: await knowledge.search({ text: 'apfel über', limit: 10 }),
      near: (await knowledge.search({ text: 'part', vector, limit: 10 })).map(
        ({ score, similarity, ...chunk }) => [chunk, score.toFixed(5), similarity?.toFixed(5)],
      ),
    }
  } finally {
    await knowledge.close()
  }
}
