import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { openStore } from '@echelon/store'
import { started } from '../../packages/echelon/src/testing/run-store/premises.ts'
import { postgresServer } from './server.ts'
import type { PostgresServer } from '../../toolchain/postgres-server.ts'

/** Runs statements as the owner of the server. */
async function onServer(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: plain((await postgresServer()).address()) })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** An address without our own parameter, as other programs use it. */
const plain = (address: string): string => address.replace(/\?.*/, '')

/** The address of another user, whose password is `s3cret`. */
function addressOf(server: PostgresServer, user: string, schema: string): string {
  const url = new URL(server.address())
  url.username = user
  url.password = 's3cret'
  url.searchParams.set('schema', schema)
  return url.href
}

const schemaOf = (address: string): string => new URL(address).searchParams.get('schema') ?? ''

async function refuses(
  address: string,
  says: RegExp,
  code: EchelonError['code'] = 'STORE_UNUSABLE',
): Promise<void> {
  const { password } = await postgresServer()
  await assert.rejects(openStore(address), (error) => {
    assert.ok(error instanceof EchelonError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, says)
    const whole = `${error.message} ${error.stack} ${JSON.stringify(error.details)}`
    assert.ok(!whole.includes(password) && !whole.includes('s3cret'), 'no password is shown')
    assert.ok(!error.message.includes('\n'), 'one sentence')
    return true
  })
}

test('[C-26] an address that cannot be used is refused with what to do, and without its password', async () => {
  const server = await postgresServer()
  const address = server.address()
  const at = (change: (url: URL) => void): string => {
    const url = new URL(address)
    change(url)
    return url.href
  }
  await refuses(
    at((url) => (url.password = 's3cret')),
    /refuses the user or the password/,
  )
  await refuses(
    at((url) => (url.pathname = '/nowhere')),
    /no such database; create it/,
  )
  await refuses(
    at((url) => (url.port = '1')),
    /no server listens there/,
  )
  await refuses(
    at((url) => (url.host = 'nowhere.invalid')),
    /no host of this name|cannot be looked up/,
  )
  await refuses(
    at((url) => url.searchParams.set('schema', 'a"b')),
    /schema in the address/,
    'INVALID_INPUT',
  )
  await refuses(
    at((url) => url.searchParams.set('sslmode', 'verify-full')),
    /does not support encrypted/,
  )
  await refuses('postgres://s3cret@[', /cannot be read/, 'INVALID_INPUT')
})

test('[C-26] a schema that is newer, of another program, or may not be created is refused and not changed', async () => {
  const server = await postgresServer()
  const newer = server.address()
  await (await openStore(newer)).close()
  await onServer(`update ${schemaOf(newer)}.echelon_versions set version = 99`)
  await refuses(newer, /is of version 99 and this Echelon reads up to \d+; update Echelon/)
  const foreign = server.address()
  await onServer(
    `create schema ${schemaOf(foreign)}`,
    `create table ${schemaOf(foreign)}.t (a text)`,
  )
  await refuses(foreign, /tables of another program/)
  await onServer(`create role guest login password 's3cret'`)
  await refuses(addressOf(server, 'guest', 'guests'), /may not do this; grant/)
})

test('[C-26] a user without the right to create a schema can use one that is there', async () => {
  const server = await postgresServer()
  const { port } = server
  await onServer(
    `create role tenant login password 's3cret'`,
    'create schema tenants authorization tenant',
  )
  const store = await openStore(addressOf(server, 'tenant', 'tenants'))
  assert.deepEqual(await store.runs.list(), [])
  assert.equal(store.path, `postgres://tenant@127.0.0.1:${port}/postgres?schema=tenants`)
  await assert.rejects(store.backup('x.db'), /pg_dump/)
  await store.close()
})

test('[C-26] a store that is opened for reading only reads, and writes nothing', async () => {
  const server = await postgresServer()
  const place = server.address()
  await assert.rejects(openStore(place, { look: true }), /holds no store yet/)
  const store = await openStore(place)
  await store.runs.append('r', [started('r', 1)])
  const looking = await openStore(place, { look: true })
  assert.equal((await looking.runs.find('r'))?.status, 'running')
  await assert.rejects(async () => await looking.runs.append('s', [started('s', 1)]), {
    code: 'STORE_UNUSABLE',
    message: /it is read-only/,
  })
  await looking.close()
  await store.close()
})

test('[C-26] any text is kept as it is, and errors quote none of it', async () => {
  const server = await postgresServer()
  const store = await openStore(server.address())
  const odd = 'a\0b\u{fffe}0\u{ffff}ä€😀\'"\\%_$1'
  const scope = { kind: 'user', id: odd } as const
  await store.notes.write({ type: 'create', scope, title: odd, text: odd }, odd)
  const [note] = await store.notes.find([scope])
  assert.deepEqual([note?.title, note?.text, note?.scope.id], [odd, odd, odd])
  await store.memories.write(odd, { [odd]: odd }, { key: odd })
  assert.deepEqual((await store.memories.read(odd)).value, { [odd]: odd })
  const made = { served: { by: odd } }
  await store.runs.append(odd, [started(odd, 1, { made, turnOf: odd })])
  assert.deepEqual(
    (await store.runs.list({ owner: odd })).map(({ id, session }) => [id, session]),
    [[odd, odd]],
  )
  await store.close()
})

test('[C-26] lines of the audit log can be neither changed nor deleted', async () => {
  const server = await postgresServer()
  const place = server.address()
  const store = await openStore(place)
  store.audit.record({
    type: 'run-acted',
    ts: '2026-11-22T00:00:00.000+00:00',
    runId: 'r',
    taskId: 't',
    actor: 'planner',
    action: 'plan',
    details: {},
  })
  assert.equal((await store.audit.read()).length, 1)
  for (const change of ['update', 'delete']) {
    const sql = change === 'update' ? `update X.audit set line = ''` : 'delete from X.audit'
    await assert.rejects(onServer(sql.replace('X', schemaOf(place))), /only ever appended to/)
  }
  await store.close()
})
