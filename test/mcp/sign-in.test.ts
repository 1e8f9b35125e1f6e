import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { jsonForm } from '../../packages/echelon/src/core/value/json-form.ts'
import { ToolError } from '../../packages/echelon/src/core/tool/tool.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { authFile, connectMcp, type McpAuth, type McpConnection } from '@echelon/mcp'
import { contextIn, folderFor, until } from './peers.ts'
import { SignIn, startSessions } from './session-server.ts'

const count = async (connection: McpConnection): Promise<Json> => {
  const [tool] = connection.tools
  assert.ok(tool !== undefined)
  return jsonForm(await tool.run({}, contextIn('/nowhere')))
}

/** A browser in which the user signs in. It follows redirects. */
function browser(pages: string[] = []): NonNullable<McpAuth['authorize']> {
  return async (page) => {
    pages.push(page.href)
    const response = await fetch(page)
    assert.match(await response.text(), /^You are signed in\./)
  }
}

test('a forgotten session is replaced, and the call runs once', async () => {
  await using server = await startSessions()
  const states: string[] = []
  await using connection = await connectMcp(
    { name: 'sessions', url: server.url },
    {
      onState: (state) => states.push(state),
      reconnect: { retries: 3, baseMs: 1, factor: 1, jitter: 0 },
    },
  )
  assert.equal(await count(connection), '1')
  server.forget()
  assert.equal(await count(connection), '2')
  assert.equal(server.calls, 2)
  assert.deepEqual(states, ['connected', 'reconnecting', 'connected'])
})

test('the user signs in once: tokens are stored privately and refreshed', async (t) => {
  const file = join(folderFor(t), 'private', 'tokens.json')
  const provider = new SignIn()
  await using server = await startSessions(provider)
  const pages: string[] = []
  const auth: McpAuth = { store: authFile(file), authorize: browser(pages) }
  {
    await using connection = await connectMcp({ name: 'sessions', url: server.url, auth })
    assert.equal(await count(connection), '1')
  }
  assert.equal(pages.length, 1)
  assert.match(pages[0] ?? '', /code_challenge_method=S256/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700)
  assert.match(readFileSync(file, 'utf8'), /"access_token"/)

  const known = { store: authFile(file) }
  await using later = await connectMcp({ name: 'sessions', url: server.url, auth: known })
  assert.equal(await count(later), '2')
  provider.expire()
  assert.equal(await count(later), '3')
  assert.deepEqual([pages.length, provider.refreshed], [1, 1])
})

test('without authorize the error says that sign-in is required', async (t) => {
  await using server = await startSessions(new SignIn())
  const store = authFile(join(folderFor(t), 'tokens.json'))
  await assert.rejects(connectMcp({ name: 'sessions', url: server.url, auth: { store } }), {
    code: 'SERVER_UNREACHABLE',
    message: /the MCP server sessions cannot be used: sign-in is required/,
  })
})

test('a refused or timed-out sign-in fails', async (t) => {
  await using server = await startSessions(new SignIn())
  const store = authFile(join(folderFor(t), 'tokens.json'))
  const refuse: McpAuth['authorize'] = async (page) => {
    const back = page.searchParams.get('redirect_uri') ?? ''
    assert.equal((await fetch(`${back}?code=forged&state=another`)).status, 400)
    assert.equal((await fetch(new URL('/', back))).status, 404)
    const state = page.searchParams.get('state') ?? ''
    const said = await fetch(`${back}?error=access_denied&state=${state}`)
    assert.match(await said.text(), /^You are not signed in\./)
  }
  await assert.rejects(
    connectMcp({ name: 'sessions', url: server.url, auth: { store, authorize: refuse } }),
    { message: /sign-in was refused \(access_denied\)/ },
  )
  const clock = new SetClock()
  const asked = { come: false }
  const auth = { store, timeoutMs: 1000, authorize: () => void (asked.come = true) }
  const connecting = connectMcp({ name: 'sessions', url: server.url, auth }, { clock })
  const waiting = assert.rejects(connecting, { message: /sign-in timed out/ })
  await until(() => asked.come && clock.pending > 0)
  await clock.advance(1000)
  await waiting
  assert.equal(clock.pending, 0)
})

test('during a call the user is not asked to sign in: the call fails with a hint', async (t) => {
  const file = join(folderFor(t), 'tokens.json')
  const provider = new SignIn()
  await using server = await startSessions(provider)
  const pages: string[] = []
  const auth: McpAuth = { store: authFile(file), authorize: browser(pages) }
  await using connection = await connectMcp({ name: 'sessions', url: server.url, auth })
  provider.expire()
  const key = new URL(server.url).href
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  delete kept[key].tokens.refresh_token
  writeFileSync(file, JSON.stringify(kept))
  await assert.rejects(
    count(connection),
    (error) => error instanceof ToolError && /requires a new sign-in/.test(error.message),
  )
  assert.equal(pages.length, 1)
  await connection.reconnect()
  assert.equal(await count(connection), '1')
  assert.equal(pages.length, 2)
})

test('a file with other content is not overwritten', async (t) => {
  const file = join(folderFor(t), 'tokens.json')
  writeFileSync(file, 'my diary')
  const store = authFile(file)
  await assert.rejects(store.write('a', {}), { code: 'INVALID_CONFIG' })
  assert.equal(readFileSync(file, 'utf8'), 'my diary')
})
