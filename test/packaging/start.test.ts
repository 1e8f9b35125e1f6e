import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderFor, plainEnvironment } from '../../cli/src/testing/run-command.ts'

const ROOT = join(import.meta.dirname, '../..')
const COUNTER = join(ROOT, 'lab/benchmarks/start/loaded-modules.ts')

test('decide loads nothing that only other commands and options need', (t) => {
  const folder = folderFor(t)
  const counted = join(folder, 'modules.json')
  const main = join(ROOT, 'cli/src/main.js')
  const args = ['--conditions=echelon-source', '--import', COUNTER, main, 'decide', '15 * 23']
  const env = plainEnvironment({ LOADED_MODULES: counted })
  assert.match(
    execFileSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' }),
    /^345$/m,
  )

  const loaded: readonly string[] = JSON.parse(readFileSync(counted, 'utf8'))
  assert.ok(loaded.some((url) => url.endsWith('/src/decide.ts')))
  const others =
    /packages\/(?:adapters|assist|knowledge|mcp|support)\/|echelon\/src\/(?:agents\/chat|middleware|replay|testing|providers\/tape)|tools\/src\/openapi\/document|telemetry\/src\/otel\/(?!open-telemetry)|opentelemetry|string-width|spinner/
  assert.deepEqual(
    loaded.filter((url) => others.test(url)),
    [],
  )
})
