import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, ROOT } from './compile.ts'

const PAGE = 'test/capability-types.ts'

test('what an actor may not do does not compile, and what it may does', async () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  assert.ok((page.match(/@ts-expect-error/g) ?? []).length >= 20)
  assert.equal(await compile(PAGE), '')
})
