import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, ROOT } from './compile.ts'

const PAGE = 'test/state-types.ts'

test('[C-27] a state is typed by its schema, without a cast or a key, and cannot be changed in place', async () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  assert.ok((page.match(/@ts-expect-error/g) ?? []).length >= 10)
  assert.doesNotMatch(page, /\bas\b|\['counter'\]|\bany\b/)
  assert.equal(await compile(PAGE), '')
})
