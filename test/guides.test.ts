import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const EXAMPLES = globSync('examples/**/*.ts', { cwd: ROOT }).map(read)

const codeOf = (page: string): readonly string[] =>
  [...read(page).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

const PROTOCOLS = ['docs/guides/protocols/ag-ui.md', 'docs/guides/protocols/mcp.md']

/** For people who look, and write no program. */
const WITHOUT_CODE: ReadonlySet<string> = new Set(['docs/guides/studio.md'])

const GUIDES = globSync('docs/guides/*.md', { cwd: ROOT }).filter((page) => !WITHOUT_CODE.has(page))

for (const page of ['docs/getting-started.md', ...PROTOCOLS, ...GUIDES]) {
  test(`the code of ${page} is that of examples, which CI runs`, () => {
    const code = codeOf(page)
    assert.ok(code.length > 0)
    assert.deepEqual(
      code.filter((block) => !EXAMPLES.some((example) => example.includes(block))),
      [],
    )
  })

  test(`${page} names the files that its code is from`, () => {
    const named = [...read(page).matchAll(/\]\((?:\.\.\/)+(examples\/[^)]+\.ts)\)/g)]
    assert.ok(named.length > 0)
  })
}
