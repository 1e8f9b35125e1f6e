import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { copyStore, type OpenedStore, openStore } from '@echelon/store'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  asked,
  closed,
  ended,
  started,
} from '../../packages/echelon/src/testing/run-store/premises.ts'
import { runCommand } from '../../cli/src/testing/run-command.ts'
import { verifyAuditLines } from '../../packages/telemetry/src/audit-verify.ts'
import { postgresServer } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-copy-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newFile = (): string => join(folder, `${files++}.db`)

const AT = 1_760_000_000_000
const SCOPE = { kind: 'user', id: 'ada\0' } as const
const RUNS = 550

const states = { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null } as const

/** Writes something into each part of a store. */
async function fill(store: OpenedStore): Promise<void> {
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

/** What a program can read of a store. */
async function readAll(address: string): Promise<unknown> {
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

test('[C-26] a store moves from a file to PostgreSQL and back with all it holds, and can go on', async () => {
  const server = await postgresServer()
  const [first, database, second] = [newFile(), server.address(), newFile()]
  await fill(await openStore(first))
  const before = await readAll(first)
  const progress: number[] = []
  const copied = await copyStore(first, database, {
    onProgress: ({ done, total }) => progress.push(done / total),
  })
  assert.equal(copied.rows['runs'], RUNS + 2)
  assert.equal(progress.at(-1), 1)
  assert.deepEqual(await readAll(database), before)
  assert.equal((await copyStore(first, database)).wasThere, true)
  await copyStore(database, second)
  assert.deepEqual(await readAll(second), before)
  for (const place of [database, second]) {
    const store = await openStore(place)
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
})

test('[C-26] a copy that is canceled, or meets other data or a live process, leaves nothing', async () => {
  const server = await postgresServer()
  const [source, database] = [newFile(), server.address()]
  await fill(await openStore(source))
  for (const target of [database, newFile()]) {
    const stopping = new AbortController()
    const canceled = copyStore(source, target, {
      signal: stopping.signal,
      onProgress: ({ done }) => done > 600 && stopping.abort(),
    })
    await assert.rejects(canceled, { name: 'AbortError' })
    if (target !== database) assert.ok(!existsSync(target))
  }
  const store = await openStore(database)
  assert.deepEqual(await store.runs.list(), [])
  await store.memories.write('other', 1, { key: 'k' })
  await assert.rejects(copyStore(source, database), /holds other data already/)
  await store.runs.append('live', [started('live', AT)])
  await assert.rejects(copyStore(database, newFile()), {
    code: 'INVALID_INPUT',
    message: /a live process works on run:live/,
  })
  await store.close()
  await assert.rejects(copyStore(join(folder, 'none.db'), server.address()), /there is no file/)
})

test('[C-26] echelon state copy moves a store, and --database and ECHELON_DATABASE use it', async () => {
  const server = await postgresServer()
  const { password } = server
  const database = server.address()
  const echelon = (args: readonly string[], env = {}): ReturnType<typeof runCommand> =>
    runCommand(args, folder, { env })
  const decided = await echelon(['decide', 'What is 2 * 3?'])
  assert.equal(decided.status, 0, decided.stderr)
  const copied = await echelon(['state', 'copy', '.echelon/echelon.db', 'database'], {
    ECHELON_DATABASE: database,
  })
  assert.equal(copied.status, 0, copied.stderr)
  assert.match(copied.stdout, /Copied 1 runs and 0 conversations from .*, and compared every row/)
  const listed = await echelon(['runs', 'list', '--all', '--database', database])
  assert.match(listed.stdout, /What is 2 \* 3/)
  const more = await echelon(['decide', 'What is 4 * 5?'], { ECHELON_DATABASE: database })
  assert.equal(more.status, 0, more.stderr)
  const store = await openStore(database)
  assert.equal((await store.runs.list()).length, 2)
  await store.close()
  const backup = await echelon(['backup', 'x.db', '--database', database])
  assert.match(backup.stderr, /pg_dump/)
  const config = await echelon(['config', '--database', database])
  for (const { stdout, stderr } of [decided, copied, listed, more, backup, config])
    assert.ok(!`${stdout}${stderr}`.includes(password), 'no password is shown')
})
