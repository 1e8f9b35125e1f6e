import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactText } from 'echelon/internal/redaction'
import { checkReach, checkSite, isLoopback } from './own-machine.ts'

test('only addresses of this machine are loopback', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', 'LOCALHOST', '::1', '[::1]']) {
    assert.equal(isLoopback(host), true, host)
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.nip.io']) {
    assert.equal(isLoopback(host), false, host)
  }
})

test('a server that others reach needs a token', () => {
  checkReach('127.0.0.1', false)
  checkReach('0.0.0.0', true)
  assert.throws(
    () => checkReach('0.0.0.0', false),
    (error: Error) => {
      assert.match(error.message, /has no token; set one .*--new-token\), or listen on 127/)
      // The command redacts what it prints, and a word after such an option looks like a secret.
      assert.equal(redactText(error.message), error.message)
      return true
    },
  )
})

const rules = { isLocal: true, hosts: [], origins: ['https://app.example'] }

const request = (headers: Record<string, string>) => ({
  url: 'http://127.0.0.1:3000/runs',
  headers: new Headers(headers),
})

test('requests of this machine and of allowed pages pass', () => {
  const passing: readonly Record<string, string>[] = [
    {},
    { host: 'localhost:3000' },
    { host: '[::1]:3000', origin: 'http://localhost:5173' },
    { host: '127.0.0.1:3000', origin: 'https://app.example' },
  ]
  for (const headers of passing) checkSite(request(headers), rules)
})

test('requests by another name or of another page are refused', () => {
  const refused: readonly Record<string, string>[] = [
    { host: 'evil.example' },
    { host: 'evil.example:3000', origin: 'http://evil.example:3000' },
    { host: 'localhost', origin: 'https://evil.example' },
    { host: 'localhost', origin: 'null' },
    { host: 'localhost', origin: 'file://' },
    { host: 'localhost@evil.example' },
  ]
  for (const headers of refused) {
    assert.throws(
      () => checkSite(request(headers), rules),
      { status: 403 },
      JSON.stringify(headers),
    )
  }
})

test('a server on the network checks names only if it is told them', () => {
  const named = { host: 'agents.example' }
  checkSite(request(named), { isLocal: false, hosts: [], origins: [] })
  checkSite(request(named), { isLocal: false, hosts: ['agents.example'], origins: [] })
  const others = { isLocal: false, hosts: ['other.example'], origins: [] }
  assert.throws(() => checkSite(request(named), others), { code: 'foreign_host' })
})
