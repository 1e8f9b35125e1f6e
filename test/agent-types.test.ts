import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, ROOT } from './compile.ts'

const PAGE = 'test/agent-types.ts'

test('[C-8] the states of middleware are typed by registering it, and slips do not compile', async () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  assert.ok((page.match(/@ts-expect-error/g) ?? []).length >= 10)
  assert.equal(await compile(PAGE), '')
})
