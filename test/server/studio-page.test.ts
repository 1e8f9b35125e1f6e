import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { hashToken, newToken, type ServerOptions } from '@echelon/server'
import { scripted, serving } from './served.ts'

const SCRIPT = "console.log('the Studio')"

/** A built page, as Vite leaves it. */
function builtPage(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(
    join(folder, 'index.html'),
    '<script src="/studio/assets/a-1.js" nonce="ECHELON_NONCE"></script>',
  )
  writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'secret.txt'), 'outside of the assets')
  return folder
}

const served = (t: TestContext, options: Partial<ServerOptions> = {}) =>
  serving(t, (store) => [scripted(store, [])], { studio: builtPage(t), ...options })

test('the page is at /studio/ and at every address of a view, and / leads to it', async (t) => {
  const { url } = await served(t)
  const root = await fetch(`${url}/`, { redirect: 'manual' })
  assert.deepEqual([root.status, root.headers.get('location')], [302, '/studio/'])
  for (const path of ['/studio/', '/studio/runs', '/studio/runs/a%2Fb/steps']) {
    const page = await fetch(url + path)
    assert.equal(page.status, 200, path)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.equal(page.headers.get('cache-control'), 'no-cache')
    assert.match(await page.text(), /assets\/a-1\.js/)
  }
  assert.equal((await fetch(`${url}/runs`)).headers.get('content-type'), 'application/json')
})

test('its policy allows scripts and data of the server alone, and styles by a nonce of each page', async (t) => {
  const { url } = await served(t)
  const nonces: string[] = []
  for (const page of [await fetch(`${url}/studio/`), await fetch(`${url}/studio/`)]) {
    const policy = page.headers.get('content-security-policy') ?? ''
    const parts = new Map(policy.split('; ').map((part) => [part.split(' ', 1)[0], part]))
    assert.equal(parts.get('default-src'), "default-src 'none'")
    assert.equal(parts.get('script-src'), "script-src 'self'")
    assert.equal(parts.get('connect-src'), "connect-src 'self'")
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    const [, nonce = ''] = /'nonce-([^']{20,})'/.exec(policy) ?? []
    assert.ok((await page.text()).includes(`nonce="${nonce}"`))
    nonces.push(nonce)
  }
  assert.notEqual(nonces[0], nonces[1])
})

test('assets are compressed and kept for good; nothing outside of them is served', async (t) => {
  const { url } = await served(t)
  const asset = await fetch(`${url}/studio/assets/a-1.js`, {
    headers: { 'accept-encoding': 'br' },
  })
  assert.equal(asset.headers.get('content-encoding'), 'br')
  assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(asset.headers.get('content-type') ?? '', /javascript/)
  assert.equal(await asset.text(), SCRIPT)
  const plain = await fetch(`${url}/studio/assets/a-1.js`, {
    headers: { 'accept-encoding': 'identity' },
  })
  assert.deepEqual([plain.headers.get('content-encoding'), await plain.text()], [null, SCRIPT])
  const gone = await fetch(`${url}/studio/assets/a-0.js`)
  assert.deepEqual([gone.status, gone.headers.get('cache-control')], [404, 'no-store'])
  for (const path of ['assets/..%2fsecret.txt', 'assets/%2e%2e/secret.txt', 'secret.txt']) {
    const answer = await fetch(`${url}/studio/${path}`)
    assert.doesNotMatch(await answer.text(), /outside/, path)
  }
})

test('with tokens the page is open, and the API is not', async (t) => {
  const { url } = await served(t, { tokens: [{ name: 'ada', sha256: hashToken(newToken()) }] })
  assert.equal((await fetch(`${url}/studio/runs`)).status, 200)
  assert.equal((await fetch(`${url}/studio/assets/a-1.js`)).status, 200)
  assert.equal((await fetch(`${url}/runs`)).status, 401)
})

test('without the page, / leads to the page of the API', async (t) => {
  const { url } = await serving(t, (store) => [scripted(store, [])])
  const root = await fetch(`${url}/`, { redirect: 'manual' })
  assert.equal(root.headers.get('location'), '/docs')
  assert.equal((await fetch(`${url}/studio/`)).status, 404)
})
