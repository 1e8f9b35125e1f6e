import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { mcpSuite } from '../fixtures/mcp-suite-server.ts'
import { serving } from './served.ts'

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)
const SCENARIOS = 32

const isFailed = (error: unknown): error is { readonly stdout: string } =>
  error instanceof Error && 'stdout' in error && typeof error.stdout === 'string'

test('the transport passes every scenario of the conformance suite for servers', async (t) => {
  const { url } = await serving(t, () => [], { protocols: [mcpSuite] })
  const address = url.replace('127.0.0.1', 'localhost')
  const ran = promisify(execFile)(process.execPath, [
    SUITE,
    'server',
    '--url',
    `${address}/mcp`,
    '--suite',
    'all',
  ])
  const { stdout } = await ran.catch((error: unknown) => {
    if (isFailed(error)) return error
    throw error
  })
  const passed = [...stdout.matchAll(/^✓ (\S+): (\d+) passed, 0 failed/gm)]
  assert.equal(passed.length, SCENARIOS, stdout.slice(-6000))
})
