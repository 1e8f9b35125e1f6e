import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, ROOT } from '../compile.ts'

const PAGE = 'test/assist/layer-types.ts'

test('[L-10, L-11, L-13] forbidden effects and inputs of a layer do not compile', async () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  assert.ok((page.match(/@ts-expect-error/g) ?? []).length >= 18)
  assert.equal(await compile(PAGE), '')
})
